package dev.jitney.server.cli.cluster;

import dev.jitney.model.ClientText;
import dev.jitney.server.cli.cluster.NodePorts.NodeException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code jitney cluster lead}: moves the leadership (CL-17). */
@Command(
        name = "lead",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Makes a node the leader, and waits until it is.",
            "",
            "All connections of clients end, as they do when a leader is lost, and the SDKs connect again. No message is"
                    + " lost; the locks of received messages and of sessions end. The leadership does not move back by"
                    + " itself.",
            "",
            "Exit status: 0 = the node leads, 1 = it does not, 2 = invalid options."
        },
        optionListHeading =
                "%nOptions (each is also an environment variable: --cluster-nodes is JITNEY_CLUSTER_NODES):%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  jitney cluster lead b",
            "  jitney cluster lead b --node broker-1:7401     before maintenance of the leader's machine"
        })
final class LeadCommand implements Callable<Integer> {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long POLL_MS = 100;

    private final PrintStream out;
    private final PrintStream err;

    @Parameters(index = "0", paramLabel = "NODE", description = "Name of the node, as in --cluster-nodes.")
    private String node = "";

    @Mixin
    private NodeOptions nodes = new NodeOptions();

    LeadCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            NodePorts ports = nodes.open();
            ClusterState before = ports.state();
            if (node.equals(before.leader())) {
                out.println("Node " + node + " leads already (term " + before.term() + ").");
                return 0;
            }
            if (before.member(node) == null) {
                err.println("jitney: There is no node '" + ClientText.abbreviate(node)
                        + "'. To see all nodes: jitney cluster status");
                return 1;
            }
            long begunNanos = System.nanoTime();
            ports.lead(node);
            return await(ports, begunNanos) ? 0 : 1;
        } catch (NodeException e) {
            err.println("jitney: " + e.getMessage());
            return 1;
        }
    }

    private boolean await(NodePorts ports, long begunNanos) throws InterruptedException {
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
