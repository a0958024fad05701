package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.load.BenchPlan;
import dev.jitney.benchmarks.load.Mode;
import dev.jitney.benchmarks.load.Routes;
import dev.jitney.testing.client.Settling;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is asked of commands that compare ways through the server: messages are sent, received and completed at once. */
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
            description = "Messages of each kind before the first run (default: ${DEFAULT-VALUE}).")
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

    /** Has a way compared with others: what is sent to {@code entity} arrives at {@code destination} in the end. */
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
