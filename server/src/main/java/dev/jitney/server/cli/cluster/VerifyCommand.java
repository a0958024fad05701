package dev.jitney.server.cli.cluster;

import dev.jitney.server.cli.cluster.NodePorts.NodeException;
import dev.jitney.server.cli.cluster.VerifyState.Difference;
import dev.jitney.server.cli.cluster.VerifyState.Node;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code jitney cluster verify}: compares the tables of all nodes (CL-85). */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Compares the data of all nodes, and names each table that differs.",
            "",
            "Every node computes checksums of all tables at the same position in the replicated log, in the background."
                    + " Clients are served meanwhile. It takes about 15 s for each GB on a node, and one comparison runs at"
                    + " a time. The command shows the progress, and ends when all nodes have finished.",
            "",
            "Nodes never differ unless a disk, the memory, or Jitney has a fault. If a follower differs, stop it, empty"
                    + " its data directory, and start it again: it gets a checkpoint.",
            "",
            "Exit status: 0 = all nodes are equal, 1 = a node differs or cannot be compared, 2 = invalid options."
        },
        optionListHeading =
                "%nOptions (each is also an environment variable: --cluster-nodes is JITNEY_CLUSTER_NODES):%n",
        footerHeading = "%nExamples:%n",
        footer = {"  jitney cluster verify", "  jitney cluster verify --json --node broker-1:7401 | jq .differences"})
final class VerifyCommand implements Callable<Integer> {
    private static final List<String> HEADER = List.of("NODE", "STATE", "ROWS", "SIZE", "REASON");
    private static final long POLL_MS = 200;
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The time for which the node may fail to answer. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final PrintStream out;
    private final PrintStream err;

    @Mixin
    private NodeOptions nodes = new NodeOptions();

    @Option(names = "--json", description = "Print the result as one line of JSON, and no progress.")
    private boolean json;

    VerifyCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            VerifyState result = await(nodes.open());
            out.print(json ? result.json() + "\n" : text(result));
            out.flush();
            return result.equal() ? 0 : 1;
        } catch (NodeException e) {
            err.println("jitney: " + e.getMessage());
            return 1;
        }
    }

    private VerifyState await(NodePorts ports) throws NodeException, InterruptedException {
        NodePorts.Verifying verifying = ports.verify();
        VerifyState state = verifying.state();
        long answeredNanos = System.nanoTime();
        long shownNanos = answeredNanos;
        while (state.running()) {
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            long now = System.nanoTime();
            try {
                state = ports.verification(verifying);
                answeredNanos = now;
            } catch (NodeException e) {
                if (now - answeredNanos >= PATIENCE_NANOS) {
                    throw e;
                }
            }
            if (!json && state.running() && now - shownNanos >= PROGRESS_NANOS) {
                shownNanos = now;
                err.println(progress(state));
            }
        }
        return state;
    }

    private static String progress(VerifyState state) {
        StringJoiner all = new StringJoiner(", ");
        state.nodes().forEach(node -> all.add(node.name() + " " + node.state() + " " + size(node)));
        return all.toString();
    }

    /** Returns the result for people. */
    static String text(VerifyState state) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADER);
        for (Node node : state.nodes()) {
            rows.add(List.of(node.name(), node.state(), String.valueOf(node.rows()), size(node), node.reason()));
        }
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT, "Compared the nodes at entry %d, in %.1f s%n", state.index(), state.seconds()));
        text.append(Columns.aligned(rows));
        for (Difference difference : state.differences()) {
            text.append(String.format(
                    "Node %s differs in store %d, table %s: %s%n",
                    difference.node(), difference.store(), difference.table(), words(difference)));
        }
        if (!state.reason().isEmpty()) {
            text.append("The comparison failed: ").append(state.reason()).append('\n');
        } else if (state.equal()) {
            text.append("All nodes are equal.\n");
        } else if (state.differences().isEmpty()) {
            text.append(String.format(
                    "The compared nodes are equal. Not compared: %s. Start them, and run this command again.%n",
                    String.join(
                            ", ",
                            state.nodes().stream()
                                    .filter(node -> !node.isCompared())
                                    .map(Node::name)
                                    .toList())));
        }
        return text.toString();
    }

    private static String words(Difference difference) {
        return difference.rows() == difference.rowsExpected()
                ? "other content in " + difference.rows() + " rows."
                : difference.rows() + " rows, and most nodes have " + difference.rowsExpected() + ".";
    }

    private static String size(Node node) {
        return String.format(Locale.ROOT, "%.1f MiB", node.bytes() / (1024.0 * 1024));
    }
}
