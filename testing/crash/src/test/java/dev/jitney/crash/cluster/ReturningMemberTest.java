package dev.jitney.crash.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Eventually;
import dev.jitney.testing.process.ClusterProcesses;
import dev.jitney.testing.process.ClusterView;
import dev.jitney.testing.process.NodeProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test that takes a follower away for longer than some elections. It runs by command, because it depends on times. */
@Tag("alone")
@DisplayName("A follower that was away")
final class ReturningMemberTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** The pauses of a leader between attempts to reach a member grow while it is away. */
    private static final long AWAY_MS = 10_000;

    /**
     * The time from the first answer of the follower in which it must know the leader. It reads its log first, which takes a
     * while on a busy machine. The test prints the time.
     */
    private static final Duration KNOWS_AGAIN = Duration.ofSeconds(20);

    /** The time in which it must not lose the leader again: several elections. */
    private static final long STEADY_MS = 8_000;

    @TempDir
    Path directory;

    private ClusterProcesses cluster;
    private NodeProcess leader;
    private NodeProcess follower;

    @BeforeEach
    void start() throws Exception {
        cluster = new ClusterProcesses(
                directory, List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"), List.of());
        cluster.launchAll();
        cluster.awaitWhole(PATIENCE);
        leader = cluster.awaitLeader(PATIENCE);
        follower = cluster.nodes().stream()
                .filter(node -> !node.equals(leader))
                .findFirst()
                .orElseThrow();
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    @Test
    @DisplayName("frozen: knows the leader soon after it continues, keeps it, and causes no election (CL-12, CL-17)")
    void frozen() throws Exception {
        long term = cluster.view().term();
        follower.freeze();
        pause(AWAY_MS);
        follower.thaw();
        knowsTheLeaderAndKeepsIt(term);
    }

    @Test
    @DisplayName("killed: knows the leader soon after its start, keeps it, and causes no election (CL-12, CL-17)")
    void killed() throws Exception {
        long term = cluster.view().term();
        follower.kill();
        pause(AWAY_MS);
        cluster.launch(follower);
        Eventually.until(
                "the follower answers", PATIENCE, () -> !follower.health().isEmpty());
        knowsTheLeaderAndKeepsIt(term);
    }

    private void knowsTheLeaderAndKeepsIt(long term) throws Exception {
        long begunNanos = System.nanoTime();
        Eventually.until("the follower knows the leader", KNOWS_AGAIN, this::knowsTheLeader);
        System.out.printf(
                "The follower knows the leader again after %.2f s.%n", (System.nanoTime() - begunNanos) / 1e9);
        long knowsNanos = System.nanoTime();
        while (System.nanoTime() - knowsNanos < TimeUnit.MILLISECONDS.toNanos(STEADY_MS)) {
            assertThat(knowsTheLeader())
                    .as("the follower knows the leader after %.1f s", (System.nanoTime() - knowsNanos) / 1e9)
                    .isTrue();
            pause(20);
        }
        assertThat(cluster.view().term()).as("no other election").isEqualTo(term);
    }

    private boolean knowsTheLeader() {
        ClusterView view = follower.view();
        return view != null && leader.name().equals(view.leader());
    }

    private static void pause(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
