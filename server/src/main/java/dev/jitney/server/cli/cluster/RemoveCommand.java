package dev.jitney.server.cli.cluster;

import dev.jitney.model.ClientText;
import dev.jitney.server.cli.cluster.ClusterState.Member;
import dev.jitney.server.cli.cluster.NodePorts.NodeException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code jitney cluster remove}: removes a member (CL-52, CL-55). */
@Command(
        name = "remove",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Removes a member from a cluster.",
            "",
            "The others continue without it, and a majority of them is enough from then on. If the node leads, another one"
                    + " becomes the leader first. The node itself may run or not. If it runs, it stops taking part within"
                    + " seconds, and its process stays: stop it. Its data directory cannot be used again; to let the node"
                    + " join again, empty the directory.",
            "",
            "The command refuses if the remaining members could not serve clients, because too many of them are away.",
            "",
            "If the node was added and never became a member, the cluster does not wait for it any more.",
            "",
            "Remove the node from --cluster-nodes of the others as well. Otherwise it joins again if it starts with an empty"
                    + " data directory.",
            "",
            "Exit status: 0 = the node is no member any more, 1 = it still is one, 2 = invalid options."
        },
        optionListHeading =
                "%nOptions (each is also an environment variable: --cluster-nodes is JITNEY_CLUSTER_NODES):%n",
        footerHeading = "%nExamples:%n",
        footer = {"  jitney cluster remove c", "  jitney cluster remove c --node broker-1:7401"})
final class RemoveCommand implements Callable<Integer> {
    private final PrintStream out;
    private final PrintStream err;

    @Parameters(index = "0", paramLabel = "NODE", description = "Name of the node, as jitney cluster status shows it.")
    private String node = "";

    @Mixin
    private NodeOptions nodes = new NodeOptions();

    RemoveCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            NodePorts ports = nodes.open();
            ClusterState before = ports.state();
            boolean added =
                    before.joining().stream().anyMatch(each -> each.name().equals(node));
            if (before.member(node) == null && added) {
                ports.order("remove", node);
                out.println("Node " + node + " is not added to the cluster any more.");
                return 0;
            }
            if (before.member(node) == null) {
                err.println("jitney: There is no node '" + ClientText.abbreviate(node)
                        + "'. To see all nodes: jitney cluster status");
                return 1;
            }
            if (node.equals(before.leader()) && !isReplacedAsLeader(ports, before)) {
                return 1;
            }
            ports.order("remove", node);
            ClusterState after = ports.state();
            out.println("Node " + node + " is no member of the cluster any more. The cluster has "
                    + after.members().size() + (after.members().size() == 1 ? " member." : " members."));
            out.println("Stop the node, and remove it from --cluster-nodes of the others.");
            return 0;
        } catch (NodeException e) {
            err.println("jitney: The node was not removed. " + e.getMessage());
            return 1;
        }
    }

    private boolean isReplacedAsLeader(NodePorts ports, ClusterState state) throws NodeException, InterruptedException {
        for (Member member : state.members()) {
            if (!member.name().equals(node) && member.isInSync()) {
                return Leadership.isMoved(ports, member.name(), out, err);
            }
        }
        err.println("jitney: Node " + node
                + " leads, and no other node is in sync. To see the state of all nodes: jitney" + " cluster status");
        return false;
    }
}
