package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.cluster.Failover;
import dev.jitney.benchmarks.load.BenchResult;
import dev.jitney.benchmarks.load.Routes;
import dev.jitney.benchmarks.load.Spread;
import dev.jitney.testing.client.AmqpException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code jitney bench failover}: measures the time without service after the kill of a leader (CL-90). */
@Command(
        name = "failover",
        description = {
            "Kills the leader of a cluster with SIGKILL while a client waits at another node with a send under way. Reports"
                    + " the time until a new leader is ready, and until the next send of the client is accepted.",
            "Then it starts the killed node again, waits until all nodes are in sync, and repeats. It starts the cluster on"
                    + " a temporary directory and deletes the directory."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  Twenty kills of a cluster with a million waiting messages of 1 KiB:",
            "    jitney bench failover --rounds 20 --backlog 1000000",
            "  Ten million messages of 1 KiB (takes 40 GB of disk):",
            "    jitney bench failover --backlog 10000000 --connections 4 --senders 4",
            "  The same with the Java SDK of Azure as a second client:",
            "    jitney bench failover --sdk",
            "  The same for RabbitMQ with a quorum queue:",
            "    jitney bench failover --rabbitmq 3"
        })
public final class FailoverCommand implements Callable<Integer> {
    private static final String QUEUE = "bench";
    private static final long FILL_HOURS = 4;
    /** Two nodes survive no kill. */
    private static final int NODES_MIN = 3;

    private static final int SIZE_MIN = 16;
    private static final int SIZE_MAX = 1 << 20;

    @Mixin
    private Terminal terminal = new Terminal();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Number of kills (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--backlog",
            paramLabel = "N",
            defaultValue = "100000",
            description = "Number of messages that wait in the queue, sent before the first kill (default:"
                    + " ${DEFAULT-VALUE}).")
    private long backlog;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "1024",
            description =
                    "Size of each message body of the backlog in bytes, 16 to 1048576 (default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(
            names = "--sdk",
            description =
                    "Measure a sender of the Java SDK of Azure with its default options, too. Not with --rabbitmq.")
    private boolean sdk;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private LinkOptions links = new LinkOptions();

    @Mixin
    private OwnServerOptions ownServer = new OwnServerOptions();

    @Option(names = "--json", description = "Print one line of JSON after the text.")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        terminal.check("--rounds", rounds, 1);
        terminal.check("--backlog", backlog, 0);
        terminal.check("--size", size, SIZE_MIN, SIZE_MAX);
        cluster.check(terminal, NODES_MIN);
        links.check(terminal);
        if (sdk && cluster.isRabbit()) {
            throw terminal.bad("--sdk: Expected no --rabbitmq, but got one. RabbitMQ does not serve the SDK of Azure.");
        }
        return terminal.attempt(this::measure);
    }

    private int measure() throws AmqpException, IOException, InterruptedException {
        try (OwnCluster own = cluster.start(List.of(QUEUE), ownServer, false)) {
            fill(own);
            Failover failover = new Failover(own.broker(), QUEUE, sdk);
            List<Failover.Round> all = new ArrayList<>();
            terminal.say("%-14s %-8s%s", own.broker().name(), "killed", titles());
            for (int i = 1; i <= rounds; i++) {
                Failover.Round round = failover.run();
                all.add(round);
                terminal.say("%-14s %-8s%s", "round " + i, round.killed(), cells(round));
            }
            terminal.say("%-23s%s", "median", summary(all, Spread::median));
            terminal.say("%-23s%s", "max", summary(all, Spread::max));
            if (json) {
                terminal.out().println(line(own.broker().name(), all));
            }
            return 0;
        }
    }

    private void fill(OwnCluster own) throws AmqpException, IOException, InterruptedException {
        if (backlog == 0) {
            return;
        }
        BenchResult filled = own.run(
                        links.filling(
                                Routes.of(List.of(own.address(QUEUE))),
                                size,
                                Map.of(),
                                backlog,
                                TimeUnit.HOURS.toMillis(FILL_HOURS)),
                        false)
                .measure();
        if (filled.trouble() != null) {
            throw new IOException(filled.trouble());
        }
        terminal.say("Filled the queue:%n%s", filled.text());
    }

    /** A measured time with its names. */
    private enum Time {
        READY("leader ready", "readyMs", Failover.Round::readyMs),
        RAW("send accepted", "acceptedMs", Failover.Round::rawMs),
        SDK("by the SDK", "sdkAcceptedMs", Failover.Round::sdkMs),
        WHOLE("restart to sync", "inSyncMs", Failover.Round::wholeMs);

        private final String label;
        private final String key;
        private final ToDoubleFunction<Failover.Round> value;

        Time(String label, String key, ToDoubleFunction<Failover.Round> value) {
            this.label = label;
            this.key = key;
            this.value = value;
        }

        private Spread spread(List<Failover.Round> rounds) {
            return new Spread(rounds.stream().mapToDouble(value).toArray());
        }
    }

    private static String titles() {
        StringBuilder text = new StringBuilder();
        for (Time time : Time.values()) {
            text.append(String.format(Locale.ROOT, " %16s", time.label));
        }
        return text.toString();
    }

    private static String cells(Failover.Round round) {
        return summary(List.of(round), Spread::median);
    }

    private static String summary(List<Failover.Round> rounds, ToDoubleFunction<Spread> of) {
        StringBuilder text = new StringBuilder();
        for (Time time : Time.values()) {
            double millis = of.applyAsDouble(time.spread(rounds));
            text.append(String.format(
                    Locale.ROOT, " %16s", millis < 0 ? "-" : String.format(Locale.ROOT, "%,.0f ms", millis)));
        }
        return text.toString();
    }

    private String line(String broker, List<Failover.Round> all) {
        StringBuilder text = new StringBuilder("{\"mode\":\"failover\",\"broker\":\"" + broker + "\",\"backlog\":"
                + backlog + ",\"sizeBytes\":" + size);
        for (Time time : Time.values()) {
            text.append(",\"")
                    .append(time.key)
                    .append("\":")
                    .append(time.spread(all).json());
        }
        return text.append('}').toString();
    }
}
