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

/** {@code jitney bench fanout}: sends to a topic and sends to a queue in turns. */
@Command(
        name = "fanout",
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
    private static final int SUBSCRIPTIONS_MAX = 2_000;
    private static final long PATIENCE_MS = TimeUnit.HOURS.toMillis(1);

    @Mixin
    private Terminal terminal = new Terminal();

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
            names = "--count",
            paramLabel = "N",
            defaultValue = "100000",
            description = "Messages per run (default: ${DEFAULT-VALUE}).")
    private long count;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "8",
            description = "Send that long to each before the first run (default: ${DEFAULT-VALUE}).")
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
            // A server for each, so that neither compacts what the other wrote.
            add(comparison, QUEUE, List.of());
            add(comparison, TOPIC, List.of(ConfigFile.topic(TOPIC, kind.subscriptions(subscriptions))));
            terminal.say(
                    "1 topic, %,d subscriptions, rules %s, %,d bytes, %,d messages a run",
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

    /** @param messages how many, or 0 for as many as go in the time */
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
