package dev.jitney.crash.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jitney.crash.support.Eventually;
import dev.jitney.crash.support.Take;
import dev.jitney.testing.client.Administration;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.process.ClusterProcesses;
import dev.jitney.testing.process.NodeProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of three processes with another release, which is upgraded to this one node by node, changed back, and upgraded again, while a
 * client sends one message after the other through a balancer. The test prints the times without service.
 *
 * <p>It runs by command, {@code ./jitney upgrade-test --from DIR}, because it needs another release: {@code -Djitney.upgrade.from=DIR}.
 */
@Tag("alone")
@DisplayName("A cluster of another release")
final class UpgradeTest {
    private static final String FROM = System.getProperty("jitney.upgrade.from", "");
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int STORES = 2;

    @TempDir
    Path directory;

    private String otherRelease = "";
    private ClusterProcesses cluster;
    private Balancer balancer;
    private FailoverProbe probe;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(!FROM.isEmpty(), "Run it by ./jitney upgrade-test --from DIR");
        otherRelease = OtherRelease.classPath(Path.of(FROM));
        cluster = new ClusterProcesses(
                directory,
                List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                List.of("--stores", String.valueOf(STORES)));
        cluster.release(otherRelease);
        cluster.launchAll();
        cluster.awaitWhole(PATIENCE);
        balancer = new Balancer(cluster.nodes(), () -> {});
        Eventually.until(
                "the balancer serves",
                PATIENCE,
                () -> AmqpClient.await(
                                        new Administration(endpoint(), balancer.port())
                                                .create(
                                                        FailoverProbe.QUEUE,
                                                        "<QueueDescription xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\"/>"))
                                .statusCode()
                        == 201);
        probe = new FailoverProbe(balancer.port());
        probe.start();
    }

    private Endpoint endpoint() {
        return Endpoint.parse("127.0.0.1:" + balancer.port());
    }

    @AfterEach
    void stop() throws Exception {
        if (probe != null) {
            probe.close();
        }
        if (balancer != null) {
            balancer.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    @DisplayName("is upgraded, changed back and upgraded again under load, and loses nothing (CL-61, CL-62, CL-63)")
    void upgradesAndGoesBack() throws Exception {
        try {
            replaceAll("to this release", false);
            replaceAll("back to the other release", true);
            replaceAll("to this release again", false);
            complete();
        } catch (Exception | AssertionError e) {
            System.out.println(cluster.report());
            throw e;
        }
    }

    /** Restarts each node with a release, followers first, each when the one before is in sync. */
    private void replaceAll(String what, boolean other) throws Exception {
        NodeProcess leader = cluster.awaitLeader(PATIENCE);
        List<NodeProcess> order = new ArrayList<>(cluster.nodes());
        order.remove(leader);
        order.add(leader);
        StringBuilder line = new StringBuilder();
        for (NodeProcess node : order) {
            probe.measure();
            assertThat(node.terminate())
                    .as("exit status of node %s after SIGTERM", node.name())
                    .isZero();
            if (other) {
                cluster.release(otherRelease);
            } else {
                cluster.ownRelease();
            }
            cluster.launch(node);
            cluster.awaitWhole(PATIENCE);
            long stoppedNanos = System.nanoTime();
            Eventually.until("a send is accepted", PATIENCE, () -> probe.lastAcceptedNanos() > stoppedNanos);
            line.append(String.format(
                    Locale.ROOT,
                    " %s%s %.2f s",
                    node.name(),
                    node == leader ? " (leader)" : "",
                    probe.longestPauseNanos() / 1e9));
            if (node == order.get(0)) {
                equal("two releases together");
            }
            assertThat(probe.complaints()).isEmpty();
        }
        System.out.println("Longest time without an accepted send while a node was changed " + what + ":" + line);
        equal(what);
    }

    /** Compares the rows of all nodes at the same position (CL-85). */
    private void equal(String when) throws Exception {
        ClusterProcesses.Result verified = cluster.command(PATIENCE, "verify");
        assertThat(verified.status()).as("%s: %s", when, verified.text()).isZero();
    }

    private void complete() throws Exception {
        ClusterProcesses.Result upgraded = cluster.command(PATIENCE, "upgrade");
        System.out.print("jitney cluster upgrade: " + upgraded.text());
        assertThat(upgraded.status()).as(upgraded.text()).isZero();
        if (upgraded.text().contains("had level")) {
            refusesTheOtherRelease();
        }
        probe.halt();
        long messages = Administration.number(
                AmqpClient.await(new Administration(endpoint(), balancer.port()).get(FailoverProbe.QUEUE)),
                "MessageCount");
        probe.compare(Take.from(endpoint(), FailoverProbe.QUEUE, (int) messages));
        assertThat(probe.complaints()).isEmpty();
        equal("at the end");
        System.out.println(messages + " messages, lost 0");
    }

    /** A node of a release without the level ends with a message, and the others continue. */
    private void refusesTheOtherRelease() throws Exception {
        NodeProcess leader = cluster.awaitLeader(PATIENCE);
        NodeProcess node = cluster.nodes().stream()
                .filter(each -> each != leader)
                .findFirst()
                .orElseThrow();
        assertThat(node.terminate()).isZero();
        cluster.release(otherRelease);
        cluster.launch(node);
        Eventually.until("the other release ends", PATIENCE, () -> !node.isAlive());
        assertThat(node.errors()).contains("The data has level");
        cluster.ownRelease();
        cluster.launch(node);
        cluster.awaitWhole(PATIENCE);
    }
}
