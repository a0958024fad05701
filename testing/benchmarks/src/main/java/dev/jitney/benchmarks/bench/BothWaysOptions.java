package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.load.BenchPlan;
import dev.jitney.benchmarks.load.Mode;
import dev.jitney.benchmarks.load.Routes;
import dev.jitney.testing.client.Settling;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options of commands that compare routes through the server while messages are sent, received and completed at the
 * same time.
 */
final class BothWaysOptions {
    private static final long PATIENCE_MS = TimeUnit.HOURS.toMillis(1);

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "200000",
            description = "Messages per run (default: ${DEFAULT-VALUE}).")
    private long count;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "400000",
            description = "Messages to move on each server before the first run, as a warm-up (default:"
                    + " ${DEFAULT-VALUE}).")
    private long warmUp;

    @Mixin
    private RoundOptions rounds = new RoundOptions();

    @Mixin
    private LinkOptions links = new LinkOptions();

    @Mixin
    private ReceiveOptions receive = new ReceiveOptions();

    long count() {
        return count;
    }

    RoundOptions rounds() {
        return rounds;
    }

    void check(Terminal terminal) {
        terminal.check("--count", count, 1, Integer.MAX_VALUE);
        terminal.check("--warm-up", warmUp, 0, Integer.MAX_VALUE);
        rounds.check(terminal);
        links.check(terminal);
        receive.check(terminal);
    }

    /** Adds a route to a comparison: messages sent to {@code entity} arrive at {@code destination}. */
    void add(Comparison comparison, OwnServer server, String entity, String destination) {
        comparison.add(
                server, warmUp == 0 ? null : plan(entity, destination, warmUp), plan(entity, destination, count));
    }

    private BenchPlan plan(String entity, String destination, long messages) {
        return new BenchPlan(
                Mode.BOTH,
                Routes.between(entity, destination),
                Settling.CONFIRMED,
                Map.of(),
                links.connections(),
                links.senders(),
                receive.receivers(),
                rounds.size(),
                messages,
                PATIENCE_MS,
                0,
                0,
                links.inFlight(),
                receive.maxBacklog());
    }
}
