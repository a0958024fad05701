package dev.jitney.benchmarks.connections;

import dev.jitney.benchmarks.bench.OwnServer;
import dev.jitney.benchmarks.bench.OwnServerOptions;
import dev.jitney.benchmarks.bench.Terminal;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ProcessCost;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code jitney bench connections}: opens many connections, and measures the cost of each. */
@Command(
        name = "connections",
        description = {
            "Opens connections and keeps them open, and reports how many the server accepts in a second, the time of each,"
                    + " and its cost in processor time and memory.",
            "A connection counts when it has an AMQP session: after TLS, SASL and both open frames.",
            "It starts a server on a temporary directory and deletes the directory."
        })
public final class ConnectionsCommand implements Callable<Integer> {
    private static final double KIB_PER_MIB = 1024;
    private static final int CONNECTIONS_MAX = 1_000_000;

    @Mixin
    private Terminal terminal = new Terminal();

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Number of connections to open and measure (default: ${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "2000",
            description = "Number of connections to open and close first, which are not measured (default:"
                    + " ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(
            names = "--at-once",
            paramLabel = "N",
            defaultValue = "32",
            description = "Number of connections that are being opened at the same time (default: ${DEFAULT-VALUE}).")
    private int atOnce;

    @Option(names = "--tls", description = "Open them with TLS, with a certificate that the server creates.")
    private boolean tls;

    @Mixin
    private OwnServerOptions ownServer = new OwnServerOptions();

    @Override
    public Integer call() throws InterruptedException {
        terminal.check("--count", count, 1, CONNECTIONS_MAX);
        terminal.check("--warm-up", warmUp, 0, CONNECTIONS_MAX);
        terminal.check("--at-once", atOnce, 1);
        return terminal.attempt(this::measure);
    }

    private int measure() throws IOException, InterruptedException {
        List<String> queues = List.of(ConfigFile.queue("bench", OwnServer.MAX_DELIVERY_COUNT));
        List<String> limit = List.of("--limit", "maxConnections=" + (count + warmUp));
        try (OwnServer own = ownServer.startFor(queues, tls, limit)) {
            Endpoint endpoint =
                    tls ? own.process().tlsEndpoint() : own.process().endpoint();
            if (warmUp > 0) {
                new Opening(endpoint, warmUp, atOnce).run(() -> {});
            }
            ProcessCost server = own.process().cost();
            long cpu = server.cpuNanos();
            long memory = server.residentKiB();
            Opening opening = new Opening(endpoint, count, atOnce);
            opening.run(() -> report(opening, server, cpu, memory));
            own.tellErrors(terminal);
            return 0;
        }
    }

    private void report(Opening opening, ProcessCost server, long cpuBefore, long memoryBefore) {
        double cpuMicros = (server.cpuNanos() - cpuBefore) / 1e3 / count;
        Histogram each = opening.micros();
        terminal.say(
                "%-22s %,.0f connections/s (%,d in %.2f s)",
                "connections", count / opening.seconds(), count, opening.seconds());
        terminal.say(
                "%-22s mean %.2f ms, p50 %.2f, p99 %.2f, max %.2f",
                "connect to session",
                each.getMean() / 1e3,
                each.getValueAtPercentile(50) / 1e3,
                each.getValueAtPercentile(99) / 1e3,
                each.getMaxValue() / 1e3);
        terminal.say("%-22s %.0f µs of processor time per connection", "server", cpuMicros);
        terminal.say(
                "%-22s %.0f MiB resident, %.0f before; %.1f KiB per connection",
                "",
                server.residentKiB() / KIB_PER_MIB,
                memoryBefore / KIB_PER_MIB,
                (double) (server.residentKiB() - memoryBefore) / count);
    }
}
