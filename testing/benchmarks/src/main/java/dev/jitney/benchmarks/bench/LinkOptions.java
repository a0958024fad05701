package dev.jitney.benchmarks.bench;

import picocli.CommandLine.Option;

/** How many links send, and what each has under way. */
final class LinkOptions {
    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "2",
            description = "Connections; links are dealt out to them (default: ${DEFAULT-VALUE}).")
    private int connections;

    @Option(
            names = "--senders",
            paramLabel = "N",
            defaultValue = "2",
            description = "Sending links (default: ${DEFAULT-VALUE}).")
    private int senders;

    @Option(
            names = "--in-flight",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Unanswered sends per sender, credit per receiver (default: ${DEFAULT-VALUE}).")
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
