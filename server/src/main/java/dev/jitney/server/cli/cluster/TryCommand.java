package dev.jitney.server.cli.cluster;

import dev.jitney.testing.client.Administration;
import dev.jitney.testing.client.Endpoint;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code jitney cluster try}: a demonstration of three nodes, one of which is killed. */
@Command(
        name = "try",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Demonstrates the loss of a leader, on this machine, without any preparation.",
            "",
            "It starts three nodes as processes of this program, on free ports of the loopback interface, in a temporary"
                    + " directory. A client sends and receives " + TryClient.RATE
                    + " messages per second through a follower, which passes its bytes to the leader. Then the leader is"
                    + " killed without warning, as by a power failure. The two remaining nodes elect a new leader, and the"
                    + " client connects again. Later the killed node starts again and gets the changes that it missed.",
            "",
            "A send without an answer is repeated, so a few messages may arrive twice. (SDKs do the same; duplicate"
                    + " detection drops the second one.) None may be lost.",
            "",
            "The three nodes need about 1 GB of memory together. Exit status: 0 = no message was lost and the killed"
                    + " node came back, 1 = something went wrong, 2 = invalid options."
        },
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  jitney cluster try",
            "  jitney cluster try --seconds 60 --keep     prints how to start the nodes by hand"
        })
final class TryCommand implements Callable<Integer> {
    private static final String QUEUE = "try";
    private static final String QUEUE_DESCRIPTION =
            "<QueueDescription xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\"/>";
    private static final long START_SECONDS = 120;
    private static final long RETURN_SECONDS = 120;
    private static final long SERVICE_SECONDS = 60;
    private static final long DRAIN_SECONDS = 60;
    private static final long POLL_MS = 50;
    private static final int CREATED = 201;

    private final PrintStream out;
    private final PrintStream err;
    private final Runnable noLog;
    private final TryLedger ledger = new TryLedger();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "20",
            converter = Seconds.class,
            description = "Time with traffic in seconds, 10 to 3600 (default: ${DEFAULT-VALUE}). The leader is killed"
                    + " after a third of it and starts again after two thirds.")
    private int seconds = 20;

    @Option(
            names = "--keep",
            description =
                    "Keep the directories of the nodes, with their logs, and print the commands that start the nodes"
                            + " again (default: delete them).")
    private boolean keep;

    TryCommand(PrintStream out, PrintStream err, Runnable noLog) {
        this.out = out;
        this.err = err;
        this.noLog = noLog;
    }

    /** A number of seconds. */
    static final class Seconds implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            try {
                int number = Integer.parseInt(value.strip());
                if (number >= 10 && number <= 3_600) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // reported below
            }
            throw new TypeConversionException("Expected seconds from 10 to 3600, but got '" + value + "'.");
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        noLog.run();
        try (TryNodes nodes = TryNodes.create(keep)) {
            boolean isWell = demonstrate(nodes);
            if (keep) {
                printCommands(nodes);
            }
            return isWell ? 0 : 1;
        } catch (IOException e) {
            err.println("jitney: " + e.getMessage());
            return 1;
        }
    }

    private boolean demonstrate(TryNodes nodes) throws IOException, InterruptedException {
        TryTimeline time = new TryTimeline(out, ledger);
        out.println("Three nodes start in " + nodes.directory() + ".");
        for (TryNode node : nodes.all()) {
            node.start(nodes.members());
            time.event("node " + node.name() + " starts (process " + node.pid() + "), clients connect to port "
                    + node.clientPort());
        }
        ClusterState whole = nodes.awaitWhole(START_SECONDS);
        if (whole == null || whole.leader() == null) {
            throw new IOException("The nodes did not form a cluster in " + START_SECONDS
                    + " s. The end of the log of node " + nodes.all().get(0).name() + ":\n"
                    + nodes.all().get(0).lastLines());
        }
        String leader = whole.leader();
        TryNode follower = nodes.all().stream()
                .filter(node -> !node.name().equals(leader))
                .findFirst()
                .orElseThrow();
        time.event("all nodes are in sync, and " + leader + " leads");
        Endpoint endpoint = Endpoint.parse("127.0.0.1:" + follower.clientPort());
        createQueue(endpoint);
        time.event("a client sends and receives through node " + follower.name() + ", a follower");
        try (TryClient client = new TryClient(endpoint, QUEUE, ledger)) {
            client.start();
            time.begin();
            boolean isBack = run(nodes, time, leader);
            client.stopSending();
            boolean isDrained = until(nodes, time, DRAIN_SECONDS, () -> ledger.missing() == 0);
            if (!isDrained) {
                time.event("messages are still missing after " + DRAIN_SECONDS + " s");
            }
            ClusterState last = nodes.state();
            summarize(leader, last);
            return isBack && isDrained && ledger.returned() == 0;
        }
    }

    /** Runs the traffic with the kill. Returns whether the service and the killed node came back. */
    private boolean run(TryNodes nodes, TryTimeline time, String leader) throws IOException, InterruptedException {
        long third = TimeUnit.SECONDS.toNanos(seconds) / 3;
        passTime(nodes, time, third);

        time.event("node " + leader + ", the leader, is killed (kill -9)");
        long killedNanos = System.nanoTime();
        ledger.measure(killedNanos);
        TryNode killed = nodes.node(leader);
        killed.kill();
        boolean serves = until(
                nodes,
                time,
                SERVICE_SECONDS,
                () -> newLeader(nodes, leader) != null && ledger.lastAcceptedNanos() > killedNanos);
        if (!serves) {
            time.event("there is no service after " + SERVICE_SECONDS + " s");
            return false;
        }
        time.event("node " + newLeader(nodes, leader) + " leads and accepts messages; time without service: "
                + tenths(ledger.longestPauseNanos()) + " s");
        passTime(nodes, time, Math.max(TimeUnit.SECONDS.toNanos(1), third - (System.nanoTime() - killedNanos)));

        time.event("node " + leader + " starts again");
        long restartedNanos = System.nanoTime();
        killed.start(nodes.members());
        boolean isBack = until(nodes, time, RETURN_SECONDS, () -> isInSync(nodes.state(), leader));
        if (!isBack) {
            time.event("node " + leader + " is not in sync after " + RETURN_SECONDS + " s");
            err.println("The end of the log of node " + leader + ":\n" + killed.lastLines());
            return false;
        }
        time.event("node " + leader + " is in sync again, after " + tenths(System.nanoTime() - restartedNanos) + " s");
        passTime(nodes, time, Math.max(TimeUnit.SECONDS.toNanos(1), third - (System.nanoTime() - restartedNanos)));
        return true;
    }

    private static boolean isInSync(@Nullable ClusterState state, String name) {
        ClusterState.Member member = state == null ? null : state.member(name);
        return member != null && member.isInSync();
    }

    private static @Nullable String newLeader(TryNodes nodes, String before) {
        ClusterState state = nodes.state();
        String leader = state == null ? null : state.leader();
        return before.equals(leader) ? null : leader;
    }

    private static void passTime(TryNodes nodes, TryTimeline time, long nanos) throws InterruptedException {
        long endNanos = System.nanoTime() + nanos;
        while (System.nanoTime() < endNanos) {
            tick(nodes, time);
        }
    }

    private static boolean until(TryNodes nodes, TryTimeline time, long patienceSeconds, BooleanSupplier condition)
            throws InterruptedException {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(patienceSeconds);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > endNanos) {
                return false;
            }
            tick(nodes, time);
        }
        return true;
    }

    private static void tick(TryNodes nodes, TryTimeline time) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(POLL_MS);
        time.second(() -> {
            ClusterState state = nodes.state();
            return state == null ? null : state.leader();
        });
    }

    /** Creates the queue through the follower, over HTTP. */
    private static void createQueue(Endpoint endpoint) throws IOException, InterruptedException {
        try {
            HttpResponse<String> response = new Administration(endpoint, endpoint.port())
                    .create(QUEUE, QUEUE_DESCRIPTION)
                    .get();
            if (response.statusCode() != CREATED) {
                throw new IOException("The queue was not created: " + response.statusCode() + ": " + response.body());
            }
        } catch (ExecutionException e) {
            throw new IOException("The queue was not created: " + e.getCause(), e);
        }
    }

    private void summarize(String before, @Nullable ClusterState last) {
        out.println();
        out.printf(Locale.ROOT, "Sent and acknowledged   %,9d%n", ledger.accepted());
        out.printf(Locale.ROOT, "Received                %,9d%n", ledger.arrived());
        out.printf(
                Locale.ROOT,
                "Received twice          %,9d   (%,d sends had no answer and were repeated)%n",
                ledger.twice(),
                ledger.sentAgain());
        out.printf(Locale.ROOT, "Lost                    %,9d%n", ledger.missing());
        out.printf(
                Locale.ROOT, "Returned                %,9d   (deliveries of completed messages)%n", ledger.returned());
        out.printf(Locale.ROOT, "Time without service    %9s s%n", tenths(ledger.longestPauseNanos()));
        if (!ledger.errors().isEmpty()) {
            out.println("Errors that the client saw, after which it connected again:");
            for (Map.Entry<String, Integer> error : ledger.errors().entrySet()) {
                out.printf(Locale.ROOT, "  %,d x %s%n", error.getValue(), error.getKey());
            }
        }
        out.println();
        out.print(last == null ? "No node answers.\n" : "The leader was " + before + ".\n" + StatusCommand.table(last));
        out.flush();
    }

    private void printCommands(TryNodes nodes) {
        out.println();
        out.println("The directories are kept in " + nodes.directory() + ". Start the nodes again with:");
        for (TryNode node : nodes.all()) {
            out.println("  jitney " + String.join(" ", node.arguments(nodes.members())));
        }
        out.println("Show them with:");
        out.println("  jitney cluster status --cluster-nodes " + nodes.members());
        out.println("Send a message through the node " + nodes.all().get(0).name() + " with:");
        out.println("  jitney send " + QUEUE + " hello -c \"Endpoint=sb://localhost:"
                + nodes.all().get(0).clientPort()
                + ";SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=SAS_KEY_VALUE;"
                + "UseDevelopmentEmulator=true;\"");
        out.flush();
    }

    private static String tenths(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / 1e9);
    }
}
