package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.load.Sending;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.process.ConfigFile;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code jitney bench partitioned}: compares an ordinary queue with a partitioned one in turns. */
@Command(
        name = "partitioned",
        description = {
            "Sends, receives and completes at the same time, on an ordinary queue and on a partitioned one"
                    + " in turns. Reports the"
                    + " cost of the fragments, or their gain on a server with enough stores and cores.",
            "It starts a server for each on temporary directories and deletes them."
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
            terminal.say("%,d bytes, %,d messages per run", rounds.size(), work.count());
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
