package dev.jitney.crash.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Eventually;
import dev.jitney.testing.process.ClusterProcesses;
import dev.jitney.testing.process.NodeProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three processes that use TLS among themselves, with an election timeout of 10 to 16 s. */
final class ClusterTlsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration ELECTION = Duration.ofSeconds(10);

    @TempDir
    Path directory;

    private ClusterProcesses cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new ClusterProcesses(
                directory,
                List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                List.of("--cluster-election-ms", Long.toString(ELECTION.toMillis())));
        cluster.encrypt();
        cluster.launchAll();
        cluster.awaitWhole(PATIENCE);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    @Test
    @DisplayName(
            "CL-70, CL-90, CL-45, CL-85: with TLS, nodes found a cluster, replace a killed leader before the election timeout, send"
                    + " a checkpoint to an empty disk, and compare their tables")
    void lives() throws Exception {
        NodeProcess first = cluster.awaitLeader(PATIENCE);
        Eventually.until(
                "the cluster is healthy", PATIENCE, () -> first.health().contains("\"healthy\""));
        long begun = System.nanoTime();
        first.kill();
        NodeProcess second = cluster.awaitLeader(PATIENCE);
        assertThat(second).isNotSameAs(first);
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .as(cluster.report())
                .isLessThan(ELECTION);
        assertThat(cluster.nodes().stream()
                        .filter(NodeProcess::isAlive)
                        .map(NodeProcess::errors)
                        .toList())
                .anyMatch(errors -> errors.contains("has ended. This node is a candidate for the next term."));

        first.wipe();
        cluster.launchAll();
        cluster.awaitWhole(PATIENCE);
        // The leader may see the new member in sync before that node has read that it is one.
        Eventually.until(
                "the new node is a member", PATIENCE, () -> first.errors().contains("is a member of cluster"));

        NodeProcess other = cluster.nodes().stream()
                .filter(node -> node != second)
                .findFirst()
                .orElseThrow();
        ClusterProcesses.Result lead = cluster.command(PATIENCE, "lead", other.name());
        assertThat(lead.status()).as(lead.text()).isZero();
        ClusterProcesses.Result verified = cluster.command(PATIENCE, "verify");
        assertThat(verified.status()).as(verified.text()).isZero();
        assertThat(verified.text()).contains("All nodes are equal.");
    }

    @Test
    @DisplayName("CL-70, CL-80: a node that restarts without TLS, and the others, say so in their health")
    void unequal() throws Exception {
        NodeProcess leader = cluster.awaitLeader(PATIENCE);
        NodeProcess follower = cluster.nodes().stream()
                .filter(node -> node != leader)
                .findFirst()
                .orElseThrow();
        assertThat(follower.terminate()).isZero();
        follower.withoutTls();
        cluster.launch(follower);
        Eventually.until(
                "the leader names the node without TLS",
                PATIENCE,
                () -> leader.health()
                        .contains("Node '" + follower.name() + "' answers without TLS, and this node uses it."));
        Eventually.until(
                "the node names the others",
                PATIENCE,
                () -> follower.health()
                        .contains("Node '" + leader.name() + "' accepts TLS only, and this node uses none."));
        assertThat(leader.errors())
                .contains("Node '" + follower.name() + "' answers without TLS", "once a minute at most");
    }
}
