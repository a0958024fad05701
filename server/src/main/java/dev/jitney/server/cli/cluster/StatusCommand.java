package dev.jitney.server.cli.cluster;

import dev.jitney.server.cli.cluster.ClusterState.Member;
import dev.jitney.server.cli.cluster.NodePorts.NodeException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code jitney cluster status}: shows the members of a cluster. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Shows the leader and all members of a cluster.",
            "",
            "INDEX is the position in the replicated log up to which a node has applied all changes. LAG is the number of"
                    + " changes that it lacks; a follower of a busy leader lags by a few. CONTACT is the time since the"
                    + " leader last received an answer from it. CLOCK is the difference of its clock from that of the"
                    + " leader, and FREE the free space of its fullest disk.",
            "",
            "Without a leader, the last lines say where the log of each node of the options ends. The node with the highest term,"
                    + " and of these the one with the highest entry, has most. INDEX does not show it then.",
            "",
            "The level says in which formats the cluster writes its data. 'jitney cluster upgrade' raises it.",
            "",
            "Sentences below the table say what needs attention, for example settings that differ.",
            "",
            "Exit status: 0 = there is a leader, 1 = there is none or no node answered, 2 = invalid options."
        },
        optionListHeading =
                "%nOptions (each is also an environment variable: --cluster-nodes is JITNEY_CLUSTER_NODES):%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  jitney cluster status --node broker-1:7401",
            "  JITNEY_CLUSTER_NODES=a=broker-1:7400,b=broker-2:7400,c=broker-3:7400 jitney cluster status",
            "  jitney cluster status --json | jq .leader"
        })
final class StatusCommand implements Callable<Integer> {
    private static final List<String> HEADER =
            List.of("NODE", "ROLE", "STATE", "INDEX", "LAG", "CONTACT", "CLOCK", "FREE", "RELEASE", "ADDRESS");

    private final PrintStream out;
    private final PrintStream err;

    @Mixin
    private NodeOptions nodes = new NodeOptions();

    @Option(names = "--json", description = "Print the answer of the node as one line of JSON.")
    private boolean json;

    StatusCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {
        try {
            List<ClusterState> leaderless = new ArrayList<>();
            ClusterState state = nodes.open().state(leaderless);
            out.print(json ? state.json() + "\n" : table(state) + (state.leader() == null ? logs(leaderless) : ""));
            out.flush();
            return state.leader() == null ? 1 : 0;
        } catch (NodeException e) {
            err.println("jitney: " + e.getMessage());
            return 1;
        }
    }

    /** Returns the state for people. */
    static String table(ClusterState state) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADER);
        for (Member member : state.members()) {
            rows.add(List.of(
                    member.name(),
                    dash(member.role()),
                    dash(member.state()),
                    number(member.index()),
                    number(isKnown(member.index()) ? member.lagEntries() : OptionalLong.empty()),
                    contact(member),
                    clock(member),
                    free(member),
                    dash(member.release()),
                    dash(member.address())));
        }
        String title = (state.id().isEmpty() ? "Cluster" : "Cluster " + state.id())
                + (state.leader() == null
                        ? ", without a leader"
                        : ", leader " + state.leader() + ", term " + state.term())
                + (state.level() == 0 ? "" : ", level " + state.level())
                + "\n";
        StringBuilder text = new StringBuilder(title + Columns.aligned(rows));
        state.members().stream()
                .filter(member -> !member.doing().isEmpty())
                .filter(member -> state.reasons().stream().noneMatch(reason -> reason.contains(member.doing())))
                .forEach(member -> text.append(member.name())
                        .append(": ")
                        .append(member.doing())
                        .append('\n'));
        state.joining()
                .forEach(node -> text.append("Node ")
                        .append(node.name())
                        .append(" is being added. ")
                        .append(node.doing())
                        .append('\n'));
        state.reasons().forEach(reason -> text.append(reason).append('\n'));
        if (state.nextLevel() > state.level()) {
            text.append("All nodes support level ")
                    .append(state.nextLevel())
                    .append(". Run 'jitney cluster upgrade' when no node needs to go back to the former release.\n");
        }
        return text.toString();
    }

    /** Returns where the log of each node ends, the one with most first. Only this says which node has most (CL-56). */
    private static String logs(List<ClusterState> answers) {
        StringBuilder text = new StringBuilder();
        answers.stream()
                .filter(answer -> isKnown(answer.lastIndex()))
                .sorted(Comparator.<ClusterState>comparingLong(
                                answer -> answer.lastTerm().orElse(0))
                        .thenComparingLong(answer -> answer.lastIndex().orElse(0))
                        .reversed())
                .forEach(answer -> text.append("The log of node ")
                        .append(answer.node())
                        .append(" ends with entry ")
                        .append(answer.lastIndex().orElse(0))
                        .append(" of term ")
                        .append(answer.lastTerm().orElse(0))
                        .append(".\n"));
        return text.toString();
    }

    private static String clock(Member member) {
        OptionalLong ms = member.clockOffsetMs();
        return ms.isEmpty() ? "-" : String.format(Locale.ROOT, "%+.1f s", ms.getAsLong() / 1e3);
    }

    private static String free(Member member) {
        OptionalLong bytes = member.freeBytes();
        return bytes.isEmpty() || bytes.getAsLong() < 0
                ? "-"
                : String.format(Locale.ROOT, "%.1f GB", bytes.getAsLong() / 1e9);
    }

    private static String contact(Member member) {
        OptionalLong ms = member.lastContactMs();
        if (!isKnown(ms)) {
            return "-";
        }
        return ms.getAsLong() < 1_000
                ? ms.getAsLong() + " ms"
                : String.format(Locale.ROOT, "%,.1f s", ms.getAsLong() / 1e3);
    }

    private static String number(OptionalLong number) {
        return isKnown(number) ? String.valueOf(number.getAsLong()) : "-";
    }

    private static boolean isKnown(OptionalLong number) {
        return number.isPresent() && number.getAsLong() >= 0;
    }

    private static String dash(String text) {
        return text.isEmpty() ? "-" : text;
    }
}
