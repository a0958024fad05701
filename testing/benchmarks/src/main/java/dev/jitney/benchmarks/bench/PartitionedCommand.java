package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.load.Sending;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.process.ConfigFile;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code jitney bench partitioned}: one queue as one sequence and in fragments, in turns. */
@Command(
        name = "partitioned",
        description = {
            "Sends, receives and completes at once: on an ordinary queue and on a partitioned one, in turns. It tells what"
                    + " the fragments cost, or gain where there are stores and cores for them.",
            "It starts a server of its own for each, on directories that are thrown away."
        })
public final class PartitionedCommand implements Callable<Integer> {
    private static final String QUEUE = "bench";

    @Mixin
    private Terminal terminal = new Terminal();

    @Mixin
    private BothWaysOptions work = new BothWaysOptions();

    @Mixin
    private OwnServerOptions server = new OwnServerOptions();

    @Override
    public Integer call() throws InterruptedException {
        work.check(terminal);
        return terminal.attempt(this::compare);
    }

    private int compare() throws AmqpException, IOException, InterruptedException {
        try (Comparison comparison = new Comparison(terminal)) {
            add(comparison, ConfigFile.queue(QUEUE, OwnServer.MAX_DELIVERY_COUNT));
            add(comparison, ConfigFile.partitionedQueue(QUEUE, OwnServer.MAX_DELIVERY_COUNT));
            RoundOptions rounds = work.rounds();
            terminal.say("%,d bytes, %,d messages a run", rounds.size(), work.count());
            List<List<Sending>> runs = comparison.measure(rounds.rounds());
            PartitionedReport report = new PartitionedReport(runs.get(0), runs.get(1));
            rounds.report(terminal, report.text(), report.json(rounds.size()));
            return 0;
        }
    }

    private void add(Comparison comparison, String queue) throws IOException, InterruptedException {
        work.add(comparison, server.start(List.of(queue), List.of()), QUEUE, QUEUE);
    }
}
