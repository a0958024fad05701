package dev.jitney.benchmarks.bench;

import dev.jitney.testing.process.ProcessCost;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jitney bench create-queues}: queues made one after another over the administration API. */
@Command(
        name = "create-queues",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = {
            "Creates queues one after another on one kept-alive HTTP connection, with the request the Java administration"
                    + " client sends, and tells what each costs.",
            "It starts a server of its own on a directory that is thrown away."
        })
public final class CreateQueuesCommand implements Callable<Integer> {
    private static final long MAX_MICROS = TimeUnit.MINUTES.toMicros(1);
    private static final int NANOS_PER_MICRO = 1_000;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Queues to create and to measure (default: ${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = "--existing",
            paramLabel = "N",
            defaultValue = "200",
            description = "Queues created before, without measuring; they warm the server up (${DEFAULT-VALUE}).")
    private int existing;

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

    @Override
    public Integer call() throws IOException, InterruptedException {
        check("--count", count, 1);
        check("--existing", existing, 0);
        try (OwnServer own = OwnServer.start("bench", List.of(), serverJava, serverOptions)) {
            QueueCreation creation =
                    new QueueCreation(own.process().endpoint(), own.process().httpPort());
            for (int i = 0; i < existing; i++) {
                creation.create("existing-" + i);
            }
            return report(creation, own.process().cost());
        }
    }

    private int report(QueueCreation creation, ProcessCost server) throws IOException, InterruptedException {
        Histogram each = new Histogram(MAX_MICROS, 3);
        long cpu = server.cpuNanos();
        long start = System.nanoTime();
        long before = start;
        for (int i = 0; i < count; i++) {
            creation.create("created-" + i);
            long now = System.nanoTime();
            each.recordValue(Math.min((now - before) / NANOS_PER_MICRO, MAX_MICROS));
            before = now;
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpuMicros = (double) (server.cpuNanos() - cpu) / NANOS_PER_MICRO / count;
        PrintWriter out = command().commandLine().getOut();
        out.printf(
                Locale.ROOT,
                "%-22s %,.0f queues/s (%,d in %.2f s)%n",
                "create-queues",
                count / seconds,
                count,
                seconds);
        out.printf(
                Locale.ROOT,
                "%-22s mean %.2f ms, p50 %.2f, p99 %.2f, max %.2f%n",
                "request to answer",
                each.getMean() / 1e3,
                each.getValueAtPercentile(50) / 1e3,
                each.getValueAtPercentile(99) / 1e3,
                each.getMaxValue() / 1e3);
        out.printf(Locale.ROOT, "%-22s %.2f ms of processor time per queue%n", "server", cpuMicros / 1e3);
        out.flush();
        return 0;
    }

    private void check(String option, int value, int min) {
        if (value < min) {
            throw new ParameterException(
                    command().commandLine(), option + ": Expected " + min + " or more, but got " + value + ".");
        }
    }

    private CommandSpec command() {
        if (spec == null) {
            throw new IllegalStateException("Expected to be called by the command line.");
        }
        return spec;
    }
}
