package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.load.BenchPlan;
import dev.jitney.benchmarks.load.Mode;
import dev.jitney.benchmarks.load.Routes;
import dev.jitney.benchmarks.load.Sending;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.Settling;
import dev.jitney.testing.process.ConfigFile;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code jitney bench fanout}: sends to a topic and to a queue in turns. */
@Command(
        name = "fanout",
        description = {
            "Sends in turns to a topic, each of whose subscriptions takes every message, and to a queue."
                    + " Compares the cost"
                    + " of a message for the server: processor time and bytes in the store.",
            "It starts a server for each on temporary directories and deletes them. The cost includes"
                    + " deferred work that the"
                    + " server does after it has accepted the last message, so single runs differ: 'all' is the"
                    + " quotient of the"
                    + " total costs of all runs."
        })
public final class FanoutCommand implements Callable<Integer> {
    private static final String QUEUE = "bench";
    private static final String TOPIC = "fanout";
    private static final int SUBSCRIPTIONS_MAX = 2_000;
    private static final long PATIENCE_MS = TimeUnit.HOURS.toMillis(1);

    @Mixin
    private Terminal terminal = new Terminal();

    @Option(
            names = "--subscriptions",
            paramLabel = "N",
            defaultValue = "10",
            description = "Number of subscriptions of the topic, at most 2000 (default: ${DEFAULT-VALUE}).")
    private int subscriptions;

    @Option(
            names = "--rules",
            paramLabel = "KIND",
            defaultValue = "true",
            description = "Rules of the subscriptions: true (all messages), sql (two comparisons) or correlation (one"
                    + " property); default:"
                    + " ${DEFAULT-VALUE}.")
    private String rules = "true";

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "100000",
            description = "Messages per run (default: ${DEFAULT-VALUE}).")
    private long count;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "8",
            description = "Seconds to send to each before the first run, as a warm-up (default: ${DEFAULT-VALUE}).")
    private long warmUp;

    @Mixin
    private RoundOptions rounds = new RoundOptions();

    @Mixin
    private LinkOptions links = new LinkOptions();

    @Mixin
    private OwnServerOptions server = new OwnServerOptions();

    @Override
    public Integer call() throws InterruptedException {
        SubscriptionRules kind = checked();
        return terminal.attempt(() -> compare(kind));
    }

    private int compare(SubscriptionRules kind) throws AmqpException, IOException, InterruptedException {
        try (Comparison comparison = new Comparison(terminal)) {
            // Each has its own server, so that neither server compacts what the other wrote.
            add(comparison, QUEUE, List.of());
            add(comparison, TOPIC, List.of(ConfigFile.topic(TOPIC, kind.subscriptions(subscriptions))));
            terminal.say(
                    "1 topic, %,d subscriptions, rules %s, %,d bytes, %,d messages per run",
                    subscriptions, rules, rounds.size(), count);
            List<List<Sending>> runs = comparison.measure(rounds.rounds());
            FanoutReport report = new FanoutReport(runs.get(0), runs.get(1));
            rounds.report(terminal, report.text(), report.json(subscriptions, rules, rounds.size()));
            return 0;
        }
    }

    private void add(Comparison comparison, String entity, List<String> topics)
            throws IOException, InterruptedException {
        List<String> queues = List.of(ConfigFile.queue(QUEUE, OwnServer.MAX_DELIVERY_COUNT));
        BenchPlan warmingUp = plan(entity, 0, TimeUnit.SECONDS.toMillis(warmUp));
        comparison.add(server.start(queues, topics), warmUp == 0 ? null : warmingUp, plan(entity, count, PATIENCE_MS));
    }

    /**
     * @param messages number of messages, or 0 for as many as fit {@code durationMs}
     */
    private BenchPlan plan(String entity, long messages, long durationMs) {
        return new BenchPlan(
                Mode.SEND,
                Routes.between(entity, entity),
                Settling.CONFIRMED,
                SubscriptionRules.PROPERTIES,
                links.connections(),
                links.senders(),
                0,
                rounds.size(),
                messages,
                durationMs,
                0,
                0,
                links.inFlight(),
                0);
    }

    private SubscriptionRules checked() {
        terminal.check("--subscriptions", subscriptions, 1, SUBSCRIPTIONS_MAX);
        terminal.check("--count", count, 1, Integer.MAX_VALUE);
        terminal.check("--warm-up", warmUp, 0, Integer.MAX_VALUE);
        rounds.check(terminal);
        links.check(terminal);
        for (SubscriptionRules candidate : SubscriptionRules.values()) {
            if (candidate.name().equalsIgnoreCase(rules)) {
                return candidate;
            }
        }
        throw terminal.bad("--rules: Expected true, sql or correlation, but got '" + rules + "'.");
    }
}
