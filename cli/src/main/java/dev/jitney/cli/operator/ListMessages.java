package dev.jitney.cli.operator;

import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.message.EntityAddress;
import dev.jitney.cli.message.MessageCommand;
import dev.jitney.cli.message.SubQueueOptions;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Report;
import dev.jitney.cli.output.Report.Column;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code jitney message list}. */
@Command(
        name = "list",
        description = "Searches for messages on the server and lists them, without locking or changing them.",
        footer = {
            "  jitney message list orders",
            "  jitney message list orders --where \"color = 'red' AND amount > 100\" --max 5",
            "  jitney message list orders --state locked,scheduled",
            "  jitney message list orders --dlq --where \"DeadLetterReason LIKE 'Max%%'\"",
            "  jitney message list orders --all --output json | jq -r .messageId",
            "",
            "The last line, on standard error, says how many messages were found and",
            "searched. With --output json each document has at most 4,096 bytes of the body;",
            "'jitney message show' has the whole message."
        })
final class ListMessages extends MessageCommand {
    private static final int BODY_BYTES = 4_096;

    private static final List<Column> COLUMNS = List.of(
            new Column("SEQUENCE", "sequenceNumber"),
            new Column("STATE", "state"),
            new Column("ENQUEUED", "enqueuedTime"),
            new Column("MESSAGE ID", "messageId"),
            new Column("SUBJECT", "subject"),
            new Column("DELIVERIES", "deliveryCount"),
            new Column("BYTES", "sizeInBytes"));

    private static final Column REASON = new Column("REASON", "deadLetterReason");

    @Mixin
    private SearchOptions search = new SearchOptions();

    @Option(
            names = "--from",
            paramLabel = "SEQUENCE",
            description = "Start at this sequence number (default: the first message).")
    private long from;

    @Option(names = "--max", paramLabel = "N", description = "Maximum number of messages (default: ${DEFAULT-VALUE}).")
    private long max = 20;

    @Option(names = "--all", description = "List all messages.")
    private boolean all;

    @Mixin
    private SubQueueOptions subQueues = new SubQueueOptions();

    ListMessages(Console console) {
        super(console);
    }

    @Override
    protected EntityAddress address(EntityAddress typed) {
        return subQueues.of(typed);
    }

    @Override
    protected void check(EntityAddress address) {
        search.check();
        if (max < 1) {
            throw Failure.badOption("--max: Expected a number from 1, but got " + max + ".");
        }
        if (from < 0) {
            throw Failure.badOption("--from: Expected a number from 0, but got " + from + ".");
        }
    }

    @Override
    protected void run(NamespaceClients clients, EntityAddress address, OutputFormat format) {
        List<Column> columns = new ArrayList<>(COLUMNS);
        if (address.subQueue() != SubQueue.NONE) {
            columns.add(REASON);
        }
        Search found = new Search(
                new OperatorApi(clients, address),
                console(),
                search.where(),
                search.states(),
                from,
                format == OutputFormat.JSON ? BODY_BYTES : 0);
        try (Report report = Report.of(console().out(), format, columns)) {
            found.forEach(all ? Long.MAX_VALUE : max, report::add);
        }
        found.note();
    }
}
