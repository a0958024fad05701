package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.cluster.JitneyCluster;
import dev.jitney.benchmarks.cluster.RollingRestart;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code jitney bench rolling-restart}: measures the service of clients while all nodes are restarted (CL-63). */
@Command(
        name = "rolling-restart",
        description = {
            "Restarts the three nodes of a cluster with SIGTERM, one after the other, each when the one before is in sync."
                    + " Clients of all nodes send, receive and complete at a steady rate. A client that loses its"
                    + " connection opens another one at the next node.",
            "Reports the changes of the leader, and the times without service: long pauses between two accepted"
                    + " sends. Exits with 1 if an acknowledged message was lost. It starts the cluster on a"
                    + " temporary directory and deletes the directory."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  Five rolling restarts at 5,000 messages per second, followers first:",
            "    jitney bench rolling-restart --rate 5000 --rounds 5",
            "  All six orders of the nodes:",
            "    jitney bench rolling-restart --rate 5000 --orders ALL"
        })
public final class RollingRestartCommand implements Callable<Integer> {
    private static final String QUEUE = "bench";
    private static final int SIZE_MAX = 1 << 20;

    @Mixin
    private Terminal terminal = new Terminal();

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Messages per second of all clients together (default: ${DEFAULT-VALUE}).")
    private double rate;

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "6",
            description = "Number of clients, each with one connection. They begin at the nodes in turn (default:"
                    + " ${DEFAULT-VALUE}).")
    private int clients;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "Size of each message body in bytes, 0 to 1048576 (default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(
            names = "--pause",
            paramLabel = "MS",
            defaultValue = "250",
            description =
                    "Pause between two accepted sends of a client in milliseconds from which on it counts as a time"
                            + " without service (default: ${DEFAULT-VALUE}).")
    private long pauseMs;

    @Option(
            names = "--orders",
            paramLabel = "ORDERS",
            defaultValue = "FOLLOWERS_FIRST",
            description = "Order of the restarts: FOLLOWERS_FIRST restarts the leader last, ALL runs each order of the"
                    + " nodes once (default: ${DEFAULT-VALUE}).")
    private Orders orders = Orders.FOLLOWERS_FIRST;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of rolling restarts, or of runs through all orders (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "Time of load before the first restart (default: ${DEFAULT-VALUE}).")
    private long warmUp;

    @Mixin
    private OwnServerOptions ownServer = new OwnServerOptions();

    @Option(names = "--json", description = "Print one line of JSON after the text.")
    private boolean json;

    /** The orders of restarts. */
    enum Orders {
        FOLLOWERS_FIRST,
        ALL
    }

    @Override
    public Integer call() throws InterruptedException {
        if (!(rate > 0)) {
            throw terminal.bad("--rate: Expected more than 0, but got " + rate + ".");
        }
        terminal.check("--clients", clients, 1);
        terminal.check("--size", size, 0, SIZE_MAX);
        terminal.check("--pause", pauseMs, 1);
        terminal.check("--rounds", rounds, 1);
        terminal.check("--warm-up", warmUp, 0);
        return terminal.attempt(this::measure);
    }

    private int measure() throws IOException, InterruptedException {
        try (OwnCluster own = new ClusterOptions().start(List.of(QUEUE), ownServer, false);
                RollingRestart rolling =
                        new RollingRestart((JitneyCluster) own.broker(), QUEUE, clients, rate, size, pauseMs)) {
            rolling.warmUp(warmUp);
            List<RollingRestart.Round> all = new ArrayList<>();
            terminal.say(
                    "%-8s %-8s %9s %13s %16s %9s %11s %8s %11s",
                    "order",
                    "leader",
                    "changes",
                    "connections",
                    "worst client",
                    "longest",
                    "all clients",
                    "took",
                    "messages/s");
            for (int i = 0; i < rounds; i++) {
                for (List<String> order : orders(rolling)) {
                    RollingRestart.Round round = rolling.restart(order);
                    all.add(round);
                    say(round);
                }
            }
            RollingRestart.Account account = rolling.end();
            terminal.say(
                    "%,d messages accepted, %d lost, %,d delivered again",
                    account.accepted(), account.lost(), account.again());
            if (json) {
                terminal.say("%s", line(all, account));
            }
            return account.lost() == 0 ? 0 : 1;
        }
    }

    private List<List<String>> orders(RollingRestart rolling) throws IOException {
        List<String> usual = rolling.followersFirst();
        return orders == Orders.FOLLOWERS_FIRST ? List.of(usual) : permutations(usual);
    }

    private static List<List<String>> permutations(List<String> names) {
        if (names.isEmpty()) {
            return List.of(List.of());
        }
        List<List<String>> all = new ArrayList<>();
        for (String first : names) {
            List<String> others =
                    names.stream().filter(name -> !name.equals(first)).toList();
            for (List<String> rest : permutations(others)) {
                List<String> order = new ArrayList<>(List.of(first));
                order.addAll(rest);
                all.add(order);
            }
        }
        return all;
    }

    private void say(RollingRestart.Round round) {
        terminal.say(
                "%-8s %-8s %9d %8d lost %13.0f ms %6.0f ms %8.0f ms %6.1f s %11.0f",
                round.order(),
                round.leader(),
                round.leaderChanges(),
                round.connectionsLost(),
                round.worstMs(),
                round.longestMs(),
                round.allMs(),
                round.seconds(),
                round.perSecond());
    }

    private String line(List<RollingRestart.Round> all, RollingRestart.Account account) {
        return "{\"mode\":\"rolling-restart\",\"rate\":" + rate + ",\"accepted\":" + account.accepted() + ",\"lost\":"
                + account.lost() + ",\"again\":" + account.again() + ",\"rounds\":"
                + all.stream().map(RollingRestartCommand::line).collect(Collectors.joining(",", "[", "]}"));
    }

    private static String line(RollingRestart.Round round) {
        return String.format(
                Locale.ROOT,
                "{\"order\":\"%s\",\"leader\":\"%s\",\"leaderChanges\":%d,\"connectionsLost\":%d,\"worstClientMs\":%.0f,"
                        + "\"longestMs\":%.0f,\"allClientsMs\":%.0f,\"seconds\":%.1f,\"perSecond\":%.0f}",
                round.order(),
                round.leader(),
                round.leaderChanges(),
                round.connectionsLost(),
                round.worstMs(),
                round.longestMs(),
                round.allMs(),
                round.seconds(),
                round.perSecond());
    }
}
