package dev.jitney.server.cli.cluster;

import dev.jitney.model.ClientText;
import dev.jitney.server.cli.cluster.NodePorts.NodeException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
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
            "Makes a node the leader, and waits until it is. The leader refuses, and continues to lead, if the node does not"
                    + " answer or is not in sync.",
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
            return Leadership.isMoved(ports, node, out, err) ? 0 : 1;
        } catch (NodeException e) {
            err.println("jitney: " + e.getMessage());
            return 1;
        }
    }
}
