package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.load.QueueCreation;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ProcessCost;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code jitney bench create-queues}: creates queues one after another over the administration API. */
@Command(
        name = "create-queues",
        description = {
            "Creates queues one after another over one kept-alive HTTP connection, with the request of the"
                    + " Java administration"
                    + " client, and reports the time of each request.",
            "It starts a server on a temporary directory and deletes the directory."
        })
public final class CreateQueuesCommand implements Callable<Integer> {
    private static final long MAX_MICROS = TimeUnit.MINUTES.toMicros(1);
    private static final int NANOS_PER_MICRO = 1_000;

    @Mixin
    private Terminal terminal = new Terminal();

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Number of queues to create and measure (default: ${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = "--existing",
            paramLabel = "N",
            defaultValue = "200",
            description = "Number of queues to create first, as a warm-up that is not measured (default:"
                    + " ${DEFAULT-VALUE}).")
    private int existing;

    @Mixin
    private OwnServerOptions ownServer = new OwnServerOptions();

    @Override
    public Integer call() throws InterruptedException {
        terminal.check("--count", count, 1);
        terminal.check("--existing", existing, 0);
        return terminal.attempt(this::measure);
    }

    private int measure() throws IOException, InterruptedException {
        List<String> queues = List.of(ConfigFile.queue("bench", OwnServer.MAX_DELIVERY_COUNT));
        try (OwnServer own = ownServer.start(queues, List.of())) {
            QueueCreation creation =
                    new QueueCreation(own.process().endpoint(), own.process().httpPort());
            for (int i = 0; i < existing; i++) {
                creation.create("existing-" + i);
            }
            report(creation, own.process().cost());
            return 0;
        }
    }

    private void report(QueueCreation creation, ProcessCost server) throws IOException, InterruptedException {
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
        terminal.say("%-22s %,.0f queues/s (%,d in %.2f s)", "create-queues", count / seconds, count, seconds);
        terminal.say(
                "%-22s mean %.2f ms, p50 %.2f, p99 %.2f, max %.2f",
                "request to answer",
                each.getMean() / 1e3,
                each.getValueAtPercentile(50) / 1e3,
                each.getValueAtPercentile(99) / 1e3,
                each.getMaxValue() / 1e3);
        terminal.say("%-22s %.2f ms of processor time per queue", "server", cpuMicros / 1e3);
    }
}
