package dev.jitney.server.cli.cluster;

import dev.jitney.model.ClientText;
import dev.jitney.server.cli.cluster.ClusterState.Joining;
import dev.jitney.server.cli.cluster.ClusterState.Member;
import dev.jitney.server.cli.cluster.NodePorts.NodeException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code jitney cluster add}: adds a node (CL-55). */
@Command(
        name = "add",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Adds a node to a cluster, and waits until it has all data.",
            "",
            "Start the node first, with an empty data directory, its own name and address and those of the members in"
                    + " --cluster-nodes, and the same configuration, keys, limits and number of stores. It waits until"
                    + " this command adds it, and this command waits a minute for its start. Then it receives the data of all stores, while clients are served. It counts as a"
                    + " member when it has everything. Let this command run until then: if another node becomes the leader, the order"
                    + " is lost, and this command gives it again. Add one node after the other: three nodes survive the loss of one, five the loss of two.",
            "",
            "The members use the address from this command. Add the node to --cluster-nodes of the others as well, so that"
                    + " their next start works if all addresses have changed; they need no restart for it.",
            "",
            "A new node with the name of a member that is away takes its place. If it has the address of that member,"
                    + " it does so by itself, without this command.",
            "",
            "Exit status: 0 = the node is a member and in sync, 1 = it is not, 2 = invalid options."
        },
        optionListHeading =
                "%nOptions (each is also an environment variable: --cluster-nodes is JITNEY_CLUSTER_NODES):%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  jitney cluster add d=broker-4:7400",
            "  jitney cluster add d=broker-4:7400:7500 --node broker-1:7401     with another node port than 7401"
        })
final class AddCommand implements Callable<Integer> {
    private static final long POLL_MS = 250;
    private static final long START_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Longer than the time after which the leader misses a node. */
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(15);

    private final PrintStream out;
    private final PrintStream err;

    @Parameters(
            index = "0",
            paramLabel = "NAME=HOST:PORT",
            description = "The node, as in --cluster-nodes: its name and the address of its replication port; the next"
                    + " port is the node port, unless you add it as in d=host:7400:7500.")
    private String node = "";

    @Option(names = "--no-wait", description = "Do not wait until the node has all data.")
    private boolean noWait;

    @Mixin
    private NodeOptions nodes = new NodeOptions();

    AddCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            NodeAddress.parseMember(node);
        } catch (IllegalArgumentException e) {
            err.println("jitney: " + ClientText.oneLine(String.valueOf(e.getMessage())));
            return 2;
        }
        try {
            NodePorts ports = nodes.open();
            boolean begun = order(ports);
            String name = node.substring(0, node.indexOf('=')).strip();
            if (noWait) {
                out.println("The leader adds node " + name + ". To see its progress: jitney cluster status");
                return 0;
            }
            await(ports, name, begun);
            return 0;
        } catch (NodeException e) {
            err.println("jitney: " + e.getMessage());
            return 1;
        }
    }

    /**
     * Gives the order. A node that has just been started needs a moment to answer and to find the cluster.
     *
     * @return whether the leader begins to add the node; otherwise it is a member already, or the leader is of an earlier release
     */
    private boolean order(NodePorts ports) throws NodeException, InterruptedException {
        long begunNanos = System.nanoTime();
        boolean told = false;
        while (true) {
            try {
                return !ports.order("add", node.strip()).isEmpty();
            } catch (NodeException e) {
                String reason = String.valueOf(e.getMessage());
                boolean starts =
                        reason.contains("does not answer") || reason.contains("has not found this cluster yet");
                // The leader needs some seconds to notice that the node before with this name has ended.
                boolean ends = reason.contains("is away, but a node of this name takes part");
                long waitNanos = ends ? END_NANOS : START_NANOS;
                if (!starts && !ends || System.nanoTime() - begunNanos > waitNanos) {
                    throw new NodeException("The node was not added. " + reason);
                }
                if (!told) {
                    out.println("Waiting up to a minute for the node. " + reason);
                    told = true;
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
        }
    }

    /**
     * Shows the progress. A new leader knows nothing of the order to the one before, so it gets it again.
     *
     * <p>If the node takes the place of a member with its name, that member is shown as in sync for some seconds after its end. So the
     * order is given again: its answer has the result for the node itself (CL-51).
     */
    private void await(NodePorts ports, String name, boolean begun) throws NodeException, InterruptedException {
        String shown = "";
        boolean isAdded = !begun;
        long term = ports.state().term();
        while (true) {
            ClusterState state = ports.state();
            Member member = state.member(name);
            if (member != null && member.isInSync() && !isAdded) {
                isAdded = !order(ports);
            } else if (member != null && member.isInSync()) {
                out.println("Node " + name + " is a member of the cluster and in sync. The cluster has "
                        + state.members().size() + " members.");
                return;
            }
            if (member == null && state.leader() != null && state.term() != term) {
                term = state.term();
                order(ports);
            }
            boolean isBefore = member != null && member.isInSync(); // the member whose place the node takes
            String doing = member == null || isBefore ? doing(state, name) : "It is " + member.state() + ".";
            if (!doing.equals(shown)) {
                shown = doing;
                out.println("Node " + name + " is being added. " + doing);
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }

    private static String doing(ClusterState state, String name) {
        return state.joining().stream()
                .filter(joining -> joining.name().equals(name))
                .map(Joining::doing)
                .findFirst()
                .orElse("The leader prepares it.");
    }
}
