package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.load.Sending;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.process.ConfigFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code jitney bench forward}: measures one queue, one forward and a chain of forwards in turns. */
@Command(
        name = "forward",
        description = {
            "Sends, receives and completes at the same time, in turns: on one queue, from a queue that"
                    + " forwards to another, and"
                    + " through a chain of queues. Reports the processor time of a forward relative to that of a send"
                    + " and a"
                    + " receive, and the throughput of the chain.",
            "It starts a server for each on temporary directories and deletes them."
        })
public final class ForwardCommand implements Callable<Integer> {
    private static final String QUEUE = "bench";
    private static final int HOPS_MAX = 4;

    @Mixin
    private Terminal terminal = new Terminal();

    @Option(
            names = "--hops",
            paramLabel = "N",
            defaultValue = "4",
            description = "Number of forwards in the chain, at most 4 (default: ${DEFAULT-VALUE}).")
    private int hops;

    @Mixin
    private BothWaysOptions work = new BothWaysOptions();

    @Mixin
    private OwnServerOptions server = new OwnServerOptions();

    @Override
    public Integer call() throws InterruptedException {
        terminal.check("--hops", hops, 1, HOPS_MAX);
        work.check(terminal);
        return terminal.attempt(this::compare);
    }

    private int compare() throws AmqpException, IOException, InterruptedException {
        try (Comparison comparison = new Comparison(terminal)) {
            for (int forwards : new int[] {0, 1, hops}) {
                work.add(comparison, start(forwards), queue(0), queue(forwards));
            }
            RoundOptions rounds = work.rounds();
            terminal.say(
                    "1 queue, 1 forward, %d forwards, %,d bytes, %,d messages per run",
                    hops, rounds.size(), work.count());
            List<List<Sending>> runs = comparison.measure(rounds.rounds());
            ForwardReport report = new ForwardReport(runs.get(0), runs.get(1), runs.get(2), hops);
            rounds.report(terminal, report.text(), report.json(rounds.size()));
            return 0;
        }
    }

    /** Starts a server with the given number of forwards between its first queue and its last. */
    private OwnServer start(int forwards) throws IOException, InterruptedException {
        List<String> queues = new ArrayList<>();
        for (int i = 0; i < forwards; i++) {
            queues.add(ConfigFile.forwardingQueue(queue(i), queue(i + 1)));
        }
        queues.add(ConfigFile.queue(queue(forwards), OwnServer.MAX_DELIVERY_COUNT));
        return server.start(queues, List.of());
    }

    private static String queue(int index) {
        return QUEUE + "-" + index;
    }
}
