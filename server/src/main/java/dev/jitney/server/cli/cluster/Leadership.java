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

    /** A node on a busy machine may need longer than the leader waits for it. */
    private static final int ORDERS_MAX = 3;

    /** The pause before the next order: a leader that has not just got an answer of the node refuses. */
    private static final long AGAIN_MS = 500;

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
        order(ports, node);
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

    /** Gives the order, again if a node that is in sync did not become the leader in time. */
    private static void order(NodePorts ports, String node) throws NodeException, InterruptedException {
        for (int orders = 1; true; orders++) {
            try {
                ports.order("lead", node);
                return;
            } catch (NodeException e) {
                if (orders == ORDERS_MAX || !canLead(ports, node)) {
                    String reason = String.valueOf(e.getMessage());
                    throw new NodeException(
                            "The leadership was not moved. " + reason + (reason.endsWith(".") ? "" : "."));
                }
                TimeUnit.MILLISECONDS.sleep(AGAIN_MS);
            }
        }
    }

    /** Returns whether a node is a member and in sync, as soon as there is a leader. */
    private static boolean canLead(NodePorts ports, String node) throws NodeException, InterruptedException {
        long begunNanos = System.nanoTime();
        while (System.nanoTime() - begunNanos < PATIENCE_NANOS) {
            ClusterState now = ports.state();
            ClusterState.Member member = now.member(node);
            if (now.leader() != null) {
                return member != null && member.isInSync();
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        return false;
    }
}
