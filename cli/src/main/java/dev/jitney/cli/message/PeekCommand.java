package dev.jitney.cli.message;

import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Report;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code jitney peek}. */
@Command(
        name = "peek",
        description = "Shows messages without locking or changing them: active, deferred and scheduled ones; of a topic"
                + " those scheduled, since the others are in its subscriptions.",
        footer = {
            "  jitney peek orders",
            "  jitney peek orders --all --output json | jq -r .messageId",
            "  jitney peek events/subscriptions/billing/dlq --from 1000"
        })
public final class PeekCommand extends MessageCommand {
    @Mixin
    private SubQueueOptions subQueues = new SubQueueOptions();

    @Option(names = "--max", paramLabel = "N", description = "At most so many (default: ${DEFAULT-VALUE}).")
    private int max = 20;

    @Option(names = "--all", description = "All there are.")
    private boolean all;

    @Option(names = "--from", paramLabel = "SEQUENCE", description = "From this sequence number on.")
    private long from;

    public PeekCommand(Console console) {
        super(console);
    }

    @Override
    EntityAddress address(EntityAddress typed) {
        return subQueues.of(typed);
    }

    @Override
    void run(NamespaceClients clients, EntityAddress address, OutputFormat format) {
        try (Browser browser = new Browser(clients, address);
                Report report = Report.of(console().out(), format, COLUMNS)) {
            browser.forEach(from, all ? Long.MAX_VALUE : max, message -> report.add(MessageDocument.of(message)));
            if (report.count() == 0) {
                console()
                        .note("There are no messages in '" + address + "'"
                                + (from > 0 ? " from " + from + " on." : "."));
            }
        }
    }
}
