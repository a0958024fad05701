package dev.jitney.benchmarks.bench;

import picocli.CommandLine.Option;

/** How many links receive, and how far they may fall behind. */
final class ReceiveOptions {
    @Option(
            names = "--receivers",
            paramLabel = "N",
            defaultValue = "2",
            description = "Receiving links (default: ${DEFAULT-VALUE}).")
    private int receivers;

    @Option(
            names = "--max-backlog",
            paramLabel = "N",
            defaultValue = "5000",
            description = "Messages on their way at which senders wait for receivers, when both are at work"
                    + " (default: ${DEFAULT-VALUE}).")
    private long maxBacklog;

    int receivers() {
        return receivers;
    }

    long maxBacklog() {
        return maxBacklog;
    }

    void check(Terminal terminal) {
        terminal.check("--receivers", receivers, 1);
        terminal.check("--max-backlog", maxBacklog, 1);
    }
}
