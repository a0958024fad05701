package dev.jitney.benchmarks.bench;

import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.Settling;
import dev.jitney.testing.process.ConfigFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jitney bench forward}: through one queue, through one forward and through a chain of forwards, in turns. */
@Command(
        name = "forward",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Sends, receives and completes at once: on one queue, from a queue that forwards to another, and through a"
                    + " chain of queues, in turns. It tells what a forward costs the server, in times of what a send and"
                    + " a receive cost it, and what the chain does to the throughput.",
            "It starts a server of its own for each, on directories that are thrown away."
        })
public final class ForwardCommand implements Callable<Integer> {
    private static final String QUEUE = "bench";
    private static final int SIZE_MIN = 16;
    private static final int SIZE_MAX = 200 << 10;
    private static final int HOPS_MAX = 4;
    private static final long PATIENCE_MS = TimeUnit.HOURS.toMillis(1);

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--hops",
            paramLabel = "N",
            defaultValue = "4",
            description = "Forwards of the chain, at most 4 (default: ${DEFAULT-VALUE}).")
    private int hops;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "Size of a body, 16 to 204800 (default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "200000",
            description = "Messages per run (default: ${DEFAULT-VALUE}).")
    private long count;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Runs of each kind (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "400000",
            description = "Messages of each kind before the first run (default: ${DEFAULT-VALUE}).")
    private long warmUp;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "2",
            description = "Connections; links are dealt out to them (default: ${DEFAULT-VALUE}).")
    private int connections;

    @Option(
            names = "--senders",
            paramLabel = "N",
            defaultValue = "2",
            description = "Sending links (${DEFAULT-VALUE}).")
    private int senders;

    @Option(
            names = "--receivers",
            paramLabel = "N",
            defaultValue = "2",
            description = "Receiving links (${DEFAULT-VALUE}).")
    private int receivers;

    @Option(
            names = "--in-flight",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Unanswered sends per sender, credit per receiver (default: ${DEFAULT-VALUE}).")
    private int inFlight;

    @Option(
            names = "--max-backlog",
            paramLabel = "N",
            defaultValue = "5000",
            description = "Messages on their way at which senders wait for receivers (${DEFAULT-VALUE}).")
    private long maxBacklog;

    @Option(
            names = "--server-java",
            paramLabel = "OPTIONS",
            split = " ",
            description = "Options for the Java machine of the server, for example \"-Xmx512m\".")
    private List<String> serverJava = new ArrayList<>();

    @Option(
            names = "--server-options",
            paramLabel = "OPTIONS",
            split = " ",
            description = "Options for the server, for example \"--stores 3\"; see jitney server --help.")
    private List<String> serverOptions = new ArrayList<>();

    @Option(names = "--json", description = "Print one line of JSON after the text.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        try (OwnServer ofQueue = start(0);
                OwnServer ofOne = start(1);
                OwnServer ofChain = start(hops)) {
            try {
                run(ofQueue, ofOne, ofChain);
                return 0;
            } catch (AmqpException | IOException e) {
                out().println("jitney bench: " + e.getMessage());
                return 1;
            } finally {
                for (OwnServer own : List.of(ofQueue, ofOne, ofChain)) {
                    String errors = own.process().errors();
                    if (!errors.isEmpty()) {
                        out().println("The server said:" + System.lineSeparator() + errors);
                    }
                }
            }
        }
    }

    /** A server with so many forwards from its first queue to its last. */
    private OwnServer start(int forwards) throws IOException, InterruptedException {
        List<String> queues = new ArrayList<>();
        for (int i = 0; i < forwards; i++) {
            queues.add(ConfigFile.forwardingQueue(queue(i), queue(i + 1)));
        }
        queues.add(ConfigFile.queue(queue(forwards), OwnServer.MAX_DELIVERY_COUNT));
        return OwnServer.startWith(queues, List.of(), serverJava, serverOptions);
    }

    private static String queue(int index) {
        return QUEUE + "-" + index;
    }

    private void run(OwnServer ofQueue, OwnServer ofOne, OwnServer ofChain)
            throws AmqpException, IOException, InterruptedException {
        out().printf(
                        Locale.ROOT,
                        "1 queue, 1 forward, %d forwards, %,d bytes, %,d messages a run%n",
                        hops,
                        size,
                        count);
        SendingCosts queueCosts = new SendingCosts(ofQueue.process());
        SendingCosts oneCosts = new SendingCosts(ofOne.process());
        SendingCosts chainCosts = new SendingCosts(ofChain.process());
        if (warmUp > 0) {
            queueCosts.measure(plan(0, warmUp));
            oneCosts.measure(plan(1, warmUp));
            chainCosts.measure(plan(hops, warmUp));
        }
        List<Sending> queue = new ArrayList<>();
        List<Sending> one = new ArrayList<>();
        List<Sending> chain = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            queue.add(queueCosts.measure(plan(0, count)));
            one.add(oneCosts.measure(plan(1, count)));
            chain.add(chainCosts.measure(plan(hops, count)));
        }
        ForwardReport report = new ForwardReport(queue, one, chain, hops);
        out().print(report.text());
        if (json) {
            out().println(report.json(size));
        }
        out().flush();
    }

    private BenchPlan plan(int forwards, long messages) {
        return new BenchPlan(
                Mode.BOTH,
                Routes.between(queue(0), queue(forwards)),
                Settling.CONFIRMED,
                Map.of(),
                connections,
                senders,
                receivers,
                size,
                messages,
                PATIENCE_MS,
                0,
                0,
                inFlight,
                maxBacklog);
    }

    private void check() {
        check("--hops", hops, 1, HOPS_MAX);
        check("--size", size, SIZE_MIN, SIZE_MAX);
        check("--warm-up", warmUp, 0, Integer.MAX_VALUE);
        for (Map.Entry<String, Long> option : Map.of(
                        "--count", count,
                        "--rounds", (long) rounds,
                        "--connections", (long) connections,
                        "--senders", (long) senders,
                        "--receivers", (long) receivers,
                        "--in-flight", (long) inFlight,
                        "--max-backlog", maxBacklog)
                .entrySet()) {
            check(option.getKey(), option.getValue(), 1, Integer.MAX_VALUE);
        }
    }

    private void check(String option, long value, long min, long max) {
        if (value < min || value > max) {
            throw new ParameterException(
                    command().commandLine(), option + ": Expected " + min + " to " + max + ", but got " + value + ".");
        }
    }

    private PrintWriter out() {
        return command().commandLine().getOut();
    }

    private CommandSpec command() {
        if (spec == null) {
            throw new IllegalStateException("Expected to be called by the command line.");
        }
        return spec;
    }
}
