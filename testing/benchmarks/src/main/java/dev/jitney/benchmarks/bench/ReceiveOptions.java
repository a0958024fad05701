package dev.jitney.benchmarks.bench;

import picocli.CommandLine.Option;

/** The options for the number of receiving links and for how far they may fall behind. */
final class ReceiveOptions {
    @Option(
            names = "--receivers",
            paramLabel = "N",
            defaultValue = "2",
            description = "Number of receiving links (default: ${DEFAULT-VALUE}).")
    private int receivers;

    @Option(
            names = "--max-backlog",
            paramLabel = "N",
            defaultValue = "5000",
            description = "Backlog at which senders wait, in messages sent and not yet completed, when senders and"
                    + " receivers run together"
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
