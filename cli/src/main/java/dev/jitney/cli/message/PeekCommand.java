package dev.jitney.cli.message;

import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Report;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code jitney peek}. */
@Command(
        name = "peek",
        description = "Shows active, deferred and scheduled messages without locking or changing them. A topic shows"
                + " only its scheduled messages; peek its subscriptions for the others.",
        footer = {
            "  jitney peek orders",
            "  jitney peek orders --all --output json | jq -r .messageId",
            "  jitney peek events/subscriptions/billing/dlq --from 1000"
        })
public final class PeekCommand extends MessageCommand {
    @Mixin
    private SubQueueOptions subQueues = new SubQueueOptions();

    @Option(names = "--max", paramLabel = "N", description = "Maximum number of messages (default: ${DEFAULT-VALUE}).")
    private int max = 20;

    @Option(names = "--all", description = "Show all messages.")
    private boolean all;

    @Option(
            names = "--from",
            paramLabel = "SEQUENCE",
            description = "Start at this sequence number (default: the first message).")
    private long from;

    public PeekCommand(Console console) {
        super(console);
    }

    @Override
    protected EntityAddress address(EntityAddress typed) {
        return subQueues.of(typed);
    }

    @Override
    protected void run(NamespaceClients clients, EntityAddress address, OutputFormat format) {
        try (Browser browser = new Browser(clients, address);
                Report report = Report.of(console().out(), format, COLUMNS)) {
            browser.forEach(from, all ? Long.MAX_VALUE : max, message -> report.add(MessageDocument.of(message)));
            if (report.count() == 0) {
                console()
                        .note("There are no messages in '" + address + "'"
                                + (from > 0 ? " with sequence number " + from + " or higher." : "."));
            }
        }
    }
}
