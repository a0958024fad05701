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

/** {@code jitney bench partitioned}: one queue as one sequence and in fragments, in turns. */
@Command(
        name = "partitioned",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Sends, receives and completes at once: on an ordinary queue and on a partitioned one, in turns. It tells what"
                    + " the fragments cost, or gain where there are stores and cores for them.",
            "It starts a server of its own for each, on directories that are thrown away."
        })
public final class PartitionedCommand implements Callable<Integer> {
    private static final String QUEUE = "bench";
    private static final long PATIENCE_MS = TimeUnit.HOURS.toMillis(1);

    @Spec
    private @Nullable CommandSpec spec;

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
            names = "--links",
            paramLabel = "N",
            defaultValue = "2",
            description = "Connections, each with a sender and a receiver (default: ${DEFAULT-VALUE}).")
    private int links;

    @Option(
            names = "--in-flight",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Unanswered sends per sender, credit per receiver (default: ${DEFAULT-VALUE}).")
    private int inFlight;

    @Option(
            names = "--server-options",
            paramLabel = "OPTIONS",
            split = " ",
            description = "Options for the servers, for example \"--stores 4\"; see jitney server --help.")
    private List<String> serverOptions = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        check("--size", size, 16, 200 << 10);
        check("--count", count, 1, Integer.MAX_VALUE);
        check("--rounds", rounds, 1, Integer.MAX_VALUE);
        check("--warm-up", warmUp, 0, Integer.MAX_VALUE);
        check("--links", links, 1, 1_000);
        check("--in-flight", inFlight, 1, Integer.MAX_VALUE);
        try (OwnServer ordinary = start(ConfigFile.queue(QUEUE, OwnServer.MAX_DELIVERY_COUNT));
                OwnServer partitioned = start(ConfigFile.partitionedQueue(QUEUE, OwnServer.MAX_DELIVERY_COUNT))) {
            run(new SendingCosts(ordinary.process()), new SendingCosts(partitioned.process()));
            return 0;
        } catch (AmqpException e) {
            out().println("jitney bench: " + e.getMessage());
            return 1;
        }
    }

    private OwnServer start(String queue) throws IOException, InterruptedException {
        return OwnServer.startWith(List.of(queue), List.of(), List.of(), serverOptions);
    }

    private void run(SendingCosts ordinaryCosts, SendingCosts partitionedCosts)
            throws AmqpException, IOException, InterruptedException {
        out().printf(Locale.ROOT, "%,d bytes, %,d messages a run%n", size, count);
        if (warmUp > 0) {
            ordinaryCosts.measure(plan(warmUp));
            partitionedCosts.measure(plan(warmUp));
        }
        List<Sending> ordinary = new ArrayList<>();
        List<Sending> partitioned = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            ordinary.add(ordinaryCosts.measure(plan(count)));
            partitioned.add(partitionedCosts.measure(plan(count)));
        }
        line("", "one sequence", "fragments");
        for (Figure figure : Figure.of(ordinary)) {
            line(
                    figure.label(),
                    figure.spread(ordinary).text(figure::text),
                    figure.spread(partitioned).text(figure::text));
        }
        line("Throughput of the fragments / of one sequence: "
                + ratio(Figure.RATE.spread(partitioned).over(Figure.RATE.spread(ordinary))));
        line("Processor time of the fragments / of one sequence: "
                + ratio(Figure.CPU.spread(partitioned).over(Figure.CPU.spread(ordinary))));
        out().flush();
    }

    private static String ratio(Spread spread) {
        return spread.text(value -> String.format(Locale.ROOT, "%.2f", value));
    }

    private void line(String... cells) {
        StringBuilder line = new StringBuilder();
        for (String cell : cells) {
            line.append(String.format(Locale.ROOT, "%-30s ", cell));
        }
        out().println(line.toString().stripTrailing());
    }

    private BenchPlan plan(long messages) {
        return new BenchPlan(
                Mode.BOTH,
                Routes.between(QUEUE, QUEUE),
                Settling.CONFIRMED,
                Map.of(),
                links,
                links,
                links,
                size,
                messages,
                PATIENCE_MS,
                0,
                0,
                inFlight,
                5_000);
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
