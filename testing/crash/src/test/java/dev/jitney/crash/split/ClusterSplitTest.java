package dev.jitney.crash.split;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test that splits the network of a cluster: three nodes in network namespaces of their own, with a client of each node that
 * sends, completes, and receives and deletes all the time. It works on Linux as root or where users may make namespaces.
 *
 * <p>These rules must hold for each {@link Split}:
 * <ul>
 * <li>A message whose send was acknowledged is delivered. A message with a confirmed completion never comes back. A message that
 *     is received and deleted is delivered once (CL-27).
 * <li>A node that is cut off from the majority acknowledges no request that is made afterwards (CL-10). It acknowledges and
 *     delivers nothing when another node has begun to acknowledge (CL-9), so at no moment two nodes acknowledge.
 * <li>The majority acknowledges within {@code FAILOVER}. A node that is cut off closes its connections (CL-12), and nodes that
 *     follow close those to a leader that is silent (CL-22).
 * <li>Afterwards all nodes come to the same position, with the same rows (CL-5).
 * </ul>
 *
 * <p>{@code -Djitney.crash.splits=N} sets the number of splits, {@code -Djitney.crash.seed=S} repeats the choices of a run. It
 * runs by command, {@code ./jitney crash --splits N}, because three nodes and their clients need the whole machine.
 */
@Tag("alone")
final class ClusterSplitTest {
    private static final int SPLITS = Integer.getInteger("jitney.crash.splits", 5);
    private static final long SEED = Long.getLong("jitney.crash.seed", System.nanoTime());
    private static final int SECONDS_MAX = 300 + 60 * SPLITS;

    @TempDir
    Path directory;

    @Test
    @DisplayName(
            "CL-1, CL-5, CL-9, CL-10, CL-12, CL-13, CL-22, CL-25, CL-27, CL-28, CL-44: after splits of the"
                    + " network in all ways, no acknowledged message is lost, no removed message comes back, and at no moment two nodes acknowledge")
    void noTwoNodesAcknowledge() throws Exception {
        String problem = AloneProcess.problem();
        Assumptions.assumeTrue(problem == null, problem);
        System.out.printf("%d splits, seed %d%n", SPLITS, SEED);
        AloneProcess.run(
                SplitRun.class,
                true,
                List.of("-D" + Split.ONLY + "=" + System.getProperty(Split.ONLY, "")),
                List.of(directory.toString(), String.valueOf(SPLITS), String.valueOf(SEED)),
                SECONDS_MAX);
    }
}
