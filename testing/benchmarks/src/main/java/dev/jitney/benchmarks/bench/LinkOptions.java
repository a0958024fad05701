package dev.jitney.benchmarks.bench;

import picocli.CommandLine.Option;

/** The options for the number of sending links and for the messages in flight on each link. */
final class LinkOptions {
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

    void check(Terminal terminal) {
        terminal.check("--connections", connections, 1);
        terminal.check("--senders", senders, 1);
        terminal.check("--in-flight", inFlight, 1);
    }
}
