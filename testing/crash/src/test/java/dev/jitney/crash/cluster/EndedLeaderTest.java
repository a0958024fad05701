package dev.jitney.crash.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.testing.process.ClusterProcesses;
import dev.jitney.testing.process.ClusterView;
import dev.jitney.testing.process.NodeProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A leader whose process ends, and one that only falls silent, with an election timeout of 10 to 16 s. */
final class EndedLeaderTest {
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
        cluster.launchAll();
        cluster.awaitWhole(PATIENCE);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    @Test
    @DisplayName(
            "CL-90, CL-9: another node leads long before the election timeout if the process of the leader was killed, and"
                    + " not before it if the process was frozen")
    void replaces() throws Exception {
        NodeProcess first = cluster.awaitLeader(PATIENCE);
        long begun = System.nanoTime();
        first.kill();
        NodeProcess second = cluster.awaitLeader(PATIENCE);
        assertThat(second).isNotSameAs(first);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(ELECTION);
        assertThat(second.errors()).contains("has ended. This node is a candidate for the next term.");

        cluster.launchAll();
        cluster.awaitWhole(PATIENCE);
        NodeProcess leader = cluster.awaitLeader(PATIENCE);
        List<NodeProcess> others =
                cluster.nodes().stream().filter(node -> node != leader).toList();
        begun = System.nanoTime();
        leader.freeze();
        try {
            while (System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(4)) {
                for (NodeProcess other : others) {
                    ClusterView view = other.view();
                    if (view != null) { // a busy machine may delay an answer
                        assertThat(view.leader()).isEqualTo(leader.name());
                    }
                }
            }
        } finally {
            leader.thaw();
        }
    }
}
