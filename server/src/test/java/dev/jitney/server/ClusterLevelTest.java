package dev.jitney.server;

import static dev.jitney.server.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.runtime.store.FormatLevels;
import dev.jitney.server.cluster.ClusterLeave;
import dev.jitney.server.cluster.ClusterOptions;
import dev.jitney.server.cluster.ClusterOrigin;
import dev.jitney.testing.process.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Servers of two releases with different levels")
class ClusterLevelTest {
    private static final FormatLevels FORMER = new FormatLevels(1, 1);
    private static final FormatLevels NEW = new FormatLevels(1, 2);
    private static final String REFUSAL =
            "The data has level 2, but the release of the node supports level 1 only. Install ";

    @TempDir
    Path dir;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<ClusterMember> members = new ArrayList<>();
    private final JitneyServer[] running = new JitneyServer[3];

    private void choosePorts(int nodes) throws IOException {
        List<Integer> ports = FreePorts.of(2 * nodes);
        for (int i = 0; i < nodes; i++) {
            members.add(new ClusterMember("" + (char) ('a' + i), "127.0.0.1", ports.get(2 * i), ports.get(2 * i + 1)));
        }
    }

    @AfterEach
    void stopAll() {
        for (JitneyServer server : running) {
            if (server != null) {
                server.close();
            }
        }
    }

    private JitneyServer node(int number, FormatLevels levels, ClusterOrigin origin) {
        return JitneyServer.builder()
                .dataDir(dir.resolve("" + number))
                .port(0)
                .stores(2)
                .components(new StandardComponents(levels))
                .cluster(new ClusterOptions(
                        members,
                        members.get(number).name(),
                        null,
                        false,
                        1_000,
                        ClusterOptions.LOG_BYTES_MIN,
                        null,
                        origin))
                .build();
    }

    private JitneyServer single(FormatLevels levels, @Nullable ClusterLeave leave) {
        return JitneyServer.builder()
                .dataDir(dir.resolve("0"))
                .port(0)
                .stores(2)
                .components(new StandardComponents(levels))
                .leaveCluster(leave)
                .build();
    }

    private void start(int number, FormatLevels levels) throws Exception {
        if (running[number] != null) {
            running[number].close();
        }
        running[number] = node(number, levels, ClusterOrigin.UNCHANGED);
        running[number].start();
    }

    private HttpResponse<String> call(int number, String method, String path) throws Exception {
        URI page = URI.create("http://127.0.0.1:" + members.get(number).nodePort() + path);
        return http.send(
                HttpRequest.newBuilder(page)
                        .method(method, BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    /** Waits until the nodes have an outcome, longer than elections of three servers on a busy machine take. */
    private static void awaitSlow(Supplier<String> actual, String expected) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        String last = actual.get();
        while (!last.contains(expected) && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            last = actual.get();
        }
        assertThat(last).contains(expected);
    }

    private int leader() {
        awaitSlow(() -> leading() < 0 ? "none leads" : "one leads", "one leads");
        return leading();
    }

    private int leading() {
        for (int i = 0; i < running.length; i++) {
            if (running[i] != null && running[i].isLeading()) {
                return i;
            }
        }
        return -1;
    }

    /** Sends the order to the leader until the answer contains a text. */
    private void upgradeUntil(String text) {
        awaitSlow(() -> answer(Math.max(0, leading()), "POST", "/cluster/upgrade"), text);
    }

    private String answer(int number, String method, String path) {
        try {
            return call(number, method, path).body();
        } catch (Exception e) {
            return String.valueOf(e);
        }
    }

    private void awaitPage(int number, String text) {
        awaitSlow(() -> answer(number, "GET", "/cluster"), text);
    }

    @Test
    @DisplayName(
            "work together at the former level, and at the new one after the upgrade; the former release is refused then"
                    + " (CL-60, CL-61)")
    void upgrades() throws Exception {
        choosePorts(3);
        for (int i = 0; i < 3; i++) {
            start(i, FORMER);
        }
        start((leader() + 1) % 3, NEW);
        upgradeUntil("supports level 1 only. Upgrade it to a release that supports level 2.");
        for (int i = 0; i < 3; i++) {
            start(i, NEW);
            leader();
        }
        awaitPage(leader(), "\"level\":1,\"nextLevel\":2,");
        assertThat(running[leader()].broker().level()).isEqualTo(1);

        upgradeUntil("The cluster had level 1 and has level 2 now.");

        int leader = leader();
        assertThat(running[leader].broker().level()).isEqualTo(2);
        upgradeUntil("All nodes answer, and level 2 is the highest");
        for (int i = 0; i < 3; i++) {
            awaitPage(i, "\"level\":2,");
        }
        assertThat(call(leader, "GET", "/metrics").body()).contains("jitney_cluster_level 2.0");
        int follower = (leader + 1) % 3;
        assertThat(call(follower, "POST", "/cluster/upgrade").body()).contains("does not lead");
        assertThatExceptionOfType(StartException.class)
                .isThrownBy(() -> start(follower, FORMER))
                .withMessageContaining(
                        "--cluster-nodes: Node '" + members.get(follower).name() + "' cannot start: ")
                .withMessageContaining(REFUSAL);
        start(follower, NEW);
        awaitPage(follower, "\"level\":2,");
    }

    @Test
    @DisplayName("keep the level when a cluster becomes a single node and the other way round (CL-54, CL-60)")
    void roundTrip() throws Exception {
        choosePorts(1);
        try (JitneyServer cluster = node(0, NEW, ClusterOrigin.UNCHANGED).start()) {
            await(cluster::isLeading);
            assertThat(cluster.broker().level()).as("a new cluster").isEqualTo(2);
        }
        assertThatExceptionOfType(StartException.class)
                .isThrownBy(() -> node(0, FORMER, ClusterOrigin.UNCHANGED).start())
                .withMessageContaining(REFUSAL);

        assertThatExceptionOfType(StartException.class)
                .as("a single node")
                .isThrownBy(() -> single(FORMER, new ClusterLeave(null)).start())
                .withMessageContaining("--data-dir")
                .withMessageContaining(REFUSAL);
        try (JitneyServer single = single(NEW, null).start()) {
            assertThat(single.broker().level()).isEqualTo(2);
        }

        ClusterOrigin found = new ClusterOrigin(true, null);
        assertThatExceptionOfType(StartException.class)
                .isThrownBy(() -> node(0, FORMER, found).start())
                .withMessageContaining(REFUSAL);
        try (JitneyServer cluster = node(0, NEW, found).start()) {
            await(cluster::isLeading);
            assertThat(cluster.broker().level()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("leave a cluster that is founded from a single node at the level of its store (CL-54, CL-60)")
    void foundedFromASingleNode() throws Exception {
        choosePorts(1);
        single(NEW, null).start().close();
        try (JitneyServer cluster = node(0, NEW, new ClusterOrigin(true, null)).start()) {
            await(cluster::isLeading);
            assertThat(cluster.broker().level()).isEqualTo(1);
            awaitPage(0, "\"nextLevel\":2");
            assertThat(call(0, "POST", "/cluster/upgrade").body())
                    .isEqualTo(
                            "The cluster had level 1 and has level 2 now. No node can go back to a release without this"
                                    + " level.");
        }
    }
}
