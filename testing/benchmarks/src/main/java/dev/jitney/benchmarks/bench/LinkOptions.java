package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.load.BenchPlan;
import dev.jitney.benchmarks.load.Mode;
import dev.jitney.benchmarks.load.Routes;
import dev.jitney.testing.client.Settling;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options for the number of sending links and for the messages in flight on each link. */
public final class LinkOptions {
    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "2",
            description = "Number of connections; links are distributed over them (default: ${DEFAULT-VALUE}).")
    private int connections;

    @Option(
            names = "--senders",
            paramLabel = "N",
            defaultValue = "2",
            description = "Number of sending links (default: ${DEFAULT-VALUE}).")
    private int senders;

    @Option(
            names = "--in-flight",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Unsettled sends per sender and credit per receiver (default: ${DEFAULT-VALUE}).")
    private int inFlight;

    int connections() {
        return connections;
    }

    int senders() {
        return senders;
    }

    int inFlight() {
        return inFlight;
    }

    /**
     * Returns a plan that only sends.
     *
     * @param routes the AMQP addresses of the queues
     * @param size the size of each body in bytes
     * @param properties application properties of each message
     * @param messages the number of messages
     * @param patienceMs the longest time that it may take
     */
    public BenchPlan filling(Routes routes, int size, Map<String, Object> properties, long messages, long patienceMs) {
        return new BenchPlan(
                Mode.SEND,
                routes,
                Settling.CONFIRMED,
                properties,
                connections,
                senders,
                0,
                size,
                messages,
                patienceMs,
                0,
                0,
                inFlight,
                0);
    }

    public void check(Terminal terminal) {
        terminal.check("--connections", connections, 1);
        terminal.check("--senders", senders, 1);
        terminal.check("--in-flight", inFlight, 1);
    }
}
