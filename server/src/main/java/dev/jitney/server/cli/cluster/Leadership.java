package dev.jitney.server.cli.cluster;

import dev.jitney.server.cli.cluster.NodePorts.NodeException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Moves the leadership (CL-17). */
final class Leadership {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long POLL_MS = 100;

    private Leadership() {}

    /**
     * Makes a node the leader, waits until it is, and prints the result.
     *
     * @return whether it leads
     * @throws NodeException if the nodes refuse
     */
    static boolean isMoved(NodePorts ports, String node, PrintStream out, PrintStream err)
            throws NodeException, InterruptedException {
        long begunNanos = System.nanoTime();
        try {
            ports.order("lead", node);
        } catch (NodeException e) {
            throw new NodeException("The leadership was not moved. " + e.getMessage() + ".");
        }
        @Nullable String leads = null;
        while (System.nanoTime() - begunNanos < PATIENCE_NANOS) {
            try {
                ClusterState now = ports.state();
                leads = now.leader();
                if (node.equals(leads)) {
                    out.println(String.format(
                            Locale.ROOT,
                            "Node %s leads now (term %d), after %.1f s.",
                            node,
                            now.term(),
                            (System.nanoTime() - begunNanos) / 1e9));
                    return true;
                }
            } catch (NodeException e) {
                leads = null; // nodes may refuse requests while the leadership moves
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        err.println("jitney: Expected node " + node + " to lead within 30 s, but "
                + (leads == null ? "there is no leader" : leads + " leads")
                + ". To see the state of all nodes: jitney cluster status");
        return false;
    }
}
