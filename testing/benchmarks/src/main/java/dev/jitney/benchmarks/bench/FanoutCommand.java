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

/** {@code jitney bench fanout}: sends to a topic and sends to a queue in turns. */
@Command(
        name = "fanout",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Sends to a topic whose subscriptions all take every message, and to a queue, in turns, and compares what a"
                    + " message costs the server: processor time and bytes in the store.",
            "It starts a server of its own for each, on directories that are thrown away. What a server puts off and does"
                    + " after the last message was accepted counts too, for which reason single runs differ: 'all' is"
                    + " the quotient of what all of them cost together."
        })
public final class FanoutCommand implements Callable<Integer> {
    private static final String QUEUE = "bench";
    private static final String TOPIC = "fanout";
    private static final int SIZE_MIN = 16;
    private static final int SIZE_MAX = 200 << 10;
    private static final long PATIENCE_MS = TimeUnit.HOURS.toMillis(1);

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--subscriptions",
            paramLabel = "N",
            defaultValue = "10",
            description = "Subscriptions of the topic, at most 2000 (default: ${DEFAULT-VALUE}).")
    private int subscriptions;

    @Option(
            names = "--rules",
            paramLabel = "KIND",
            defaultValue = "true",
            description =
                    "Their rules: true (everything), sql (two comparisons) or correlation (one property); default:"
                            + " ${DEFAULT-VALUE}.")
    private String rules = "true";

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "Size of a body, 16 to 204800 (default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "100000",
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
            paramLabel = "SECONDS",
            defaultValue = "8",
            description = "Send that long to each before the first run (default: ${DEFAULT-VALUE}).")
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
            names = "--in-flight",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Unanswered sends per sender (default: ${DEFAULT-VALUE}).")
    private int inFlight;

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
            description = "Options for the server, see jitney server --help.")
    private List<String> serverOptions = new ArrayList<>();

    @Option(names = "--json", description = "Print one line of JSON after the text.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        SubscriptionRules kind = checked();
        List<String> topics = List.of(ConfigFile.topic(TOPIC, kind.subscriptions(subscriptions)));
        // One for each, so that neither compacts what the other wrote.
        try (OwnServer ofQueue = OwnServer.start(QUEUE, List.of(), serverJava, serverOptions);
                OwnServer ofTopic = OwnServer.start(QUEUE, topics, serverJava, serverOptions)) {
            try {
                run(new SendingCosts(ofQueue.process()), new SendingCosts(ofTopic.process()));
                return 0;
            } catch (AmqpException | IOException e) {
                out().println("jitney bench: " + e.getMessage());
                return 1;
            } finally {
                tellErrors(ofQueue);
                tellErrors(ofTopic);
            }
        }
    }

    private void tellErrors(OwnServer own) {
        String errors = own.process().errors();
        if (!errors.isEmpty()) {
            out().println("The server said:" + System.lineSeparator() + errors);
        }
    }

    private void run(SendingCosts ofQueue, SendingCosts ofTopic)
            throws AmqpException, IOException, InterruptedException {
        out().printf(
                        Locale.ROOT,
                        "1 topic, %,d subscriptions, rules %s, %,d bytes, %,d messages a run%n",
                        subscriptions,
                        rules,
                        size,
                        count);
        if (warmUp > 0) {
            ofQueue.measure(plan(QUEUE, 0));
            ofTopic.measure(plan(TOPIC, 0));
        }
        List<Sending> queue = new ArrayList<>();
        List<Sending> topic = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            queue.add(ofQueue.measure(plan(QUEUE, count)));
            topic.add(ofTopic.measure(plan(TOPIC, count)));
        }
        FanoutReport report = new FanoutReport(queue, topic);
        out().print(report.text());
        if (json) {
            out().println(report.json(subscriptions, rules, size));
        }
        out().flush();
    }

    /** @param messages how many, or 0 for as many as go in the time to warm up */
    private BenchPlan plan(String entity, long messages) {
        return new BenchPlan(
                Mode.SEND,
                Routes.between(entity, entity),
                Settling.CONFIRMED,
                SubscriptionRules.PROPERTIES,
                connections,
                senders,
                0,
                size,
                messages,
                messages > 0 ? PATIENCE_MS : TimeUnit.SECONDS.toMillis(warmUp),
                0,
                0,
                inFlight,
                0);
    }

    private SubscriptionRules checked() {
        check("--subscriptions", subscriptions, 1, 2_000);
        check("--size", size, SIZE_MIN, SIZE_MAX);
        check("--warm-up", warmUp, 0, Integer.MAX_VALUE);
        for (Map.Entry<String, Long> option : Map.of(
                        "--count", count,
                        "--rounds", (long) rounds,
                        "--connections", (long) connections,
                        "--senders", (long) senders,
                        "--in-flight", (long) inFlight)
                .entrySet()) {
            check(option.getKey(), option.getValue(), 1, Integer.MAX_VALUE);
        }
        for (SubscriptionRules candidate : SubscriptionRules.values()) {
            if (candidate.name().equalsIgnoreCase(rules)) {
                return candidate;
            }
        }
        throw bad("--rules: Expected true, sql or correlation, but got '" + rules + "'.");
    }

    private void check(String option, long value, long min, long max) {
        if (value < min || value > max) {
            throw bad(option + ": Expected " + min + " to " + max + ", but got " + value + ".");
        }
    }

    private ParameterException bad(String message) {
        return new ParameterException(command().commandLine(), message);
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
