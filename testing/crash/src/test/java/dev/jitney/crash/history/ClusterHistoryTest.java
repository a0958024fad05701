package dev.jitney.crash.history;

import dev.jitney.crash.split.AloneProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test that records histories of queues of a cluster of three nodes, during kills, freezes and splits, with the clocks of the
 * nodes minutes apart, and checks that each history is linearizable ({@link HistoryChecker}, {@link OrderChecker}).
 *
 * <p>{@code -Djitney.crash.histories=N} sets the number of rounds, with two histories and three incidents each, and {@code
 * -Djitney.crash.seed=S} repeats the choices of a run. {@code ./jitney crash --histories N} runs it alone. Where network namespaces
 * are not allowed, the network is not split.
 */
@Tag("alone")
final class ClusterHistoryTest {
    private static final int HISTORIES = Integer.getInteger("jitney.crash.histories", 1);
    private static final long SEED = Long.getLong("jitney.crash.seed", System.nanoTime());
    private static final int SECONDS_MAX = 600 + 120 * HISTORIES;

    @TempDir
    Path directory;

    @Test
    @DisplayName(
            "CL-1, CL-2, CL-9, CL-13, CL-24, CL-25, CL-27, SEQ-6: the histories of queues are linearizable, with sequence numbers"
                    + " and times that rise, while leaders are killed, frozen and cut off")
    void areLinearizable() throws Exception {
        String problem = AloneProcess.problem();
        System.out.printf(
                "%d rounds, seed %d%s%n", HISTORIES, SEED, problem == null ? "" : ", without splits. " + problem);
        AloneProcess.run(
                HistoryRun.class,
                problem == null,
                List.of(),
                List.of(
                        directory.toString(),
                        String.valueOf(HISTORIES),
                        String.valueOf(SEED),
                        String.valueOf(problem == null)),
                SECONDS_MAX);
    }
}
