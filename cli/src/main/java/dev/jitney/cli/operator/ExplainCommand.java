package dev.jitney.cli.operator;

import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.message.EntityAddress;
import dev.jitney.cli.message.MessageCommand;
import dev.jitney.cli.message.MessageProperties;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Report;
import dev.jitney.cli.output.Report.Column;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code jitney explain}. */
@Command(
        name = "explain",
        description = "Explains where a message that is sent to a queue or topic now would go, and sends nothing.",
        footer = {
            "  jitney explain orders \"one coffee\" --property cups:int=1 --subject new",
            "  jitney explain events --property region=eu --all",
            "  jitney explain events --message 17 --from events/subscriptions/billing/dlq",
            "  jitney explain orders --output json | jq .copies",
            "",
            "Each line is a copy of the message, or a rule that does not match, with the reason",
            "why. Lines that begin with dots belong to an entity to which the message is",
            "forwarded. The server evaluates the rules as for a send. With --output json each",
            "page of subscriptions is one document of the operator API."
        })
public final class ExplainCommand extends MessageCommand {
    private static final int BODY_BYTES_MAX = 2 << 20;

    private static final List<Column> COLUMNS = List.of(
            new Column("ENTITY", "entity"),
            new Column("RESULT", "result"),
            new Column("RULE", "rule"),
            new Column("DETAIL", "detail"));

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "BODY",
            description = "Body of the message, as text (default: empty).")
    private @Nullable String body;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Read the body from this file; - is standard input.")
    private @Nullable Path file;

    @Option(
            names = "--message",
            paramLabel = "N",
            description = "Sequence number of an existing message. The other options change it.")
    private @Nullable Long number;

    @Option(
            names = "--from",
            paramLabel = "ENTITY",
            description = "Queue or subscription of that message, such as orders/dlq (default: the entity itself).")
    private @Nullable String from;

    @Option(names = "--message-id", paramLabel = "ID", description = "Message id (default: a generated id).")
    private @Nullable String messageId;

    @Mixin
    private MessageProperties properties = new MessageProperties();

    @Option(
            names = "--schedule",
            paramLabel = "WHEN",
            description = "Scheduled time: a duration from now, or a time such as 2026-01-31T12:00:00Z.")
    private @Nullable String schedule;

    @Option(names = "--all", description = "Also list subscriptions that get no copy, with all their rules.")
    private boolean all;

    public ExplainCommand(Console console) {
        super(console);
    }

    @Override
    protected void check(EntityAddress address) {
        if (!address.sendable()) {
            throw Failure.badOption("Expected a queue or topic, but got '" + address + "'.");
        }
        if (body != null && file != null) {
            throw Failure.badOption("BODY: Expected one body, but got several. Use the argument or --file.");
        }
        if (number == null && from != null) {
            throw Failure.badOption("--from: Expected --message N too, the sequence number of a message there.");
        }
        if (number != null) {
            Choice.checkNumber(number);
        }
        message(address);
    }

    @Override
    protected void run(NamespaceClients clients, EntityAddress address, OutputFormat format) throws IOException {
        Map<String, @Nullable Object> message = message(address);
        Path source = file;
        if (body != null) {
            message.put("body", body);
        } else if (source != null) {
            message.put("body", EditMessage.bodyOf(bytes(source)));
        }
        OperatorApi api = new OperatorApi(clients, address);
        ExplanationRows rows = new ExplanationRows(all);
        try (Report report = Report.of(console().out(), format, COLUMNS)) {
            String next = "";
            while (next != null && !console().interruption().requested()) {
                Map<String, @Nullable Object> page = api.explain(message, next);
                if (format == OutputFormat.JSON) {
                    report.add(page);
                }
                rows.add(page);
                if (format == OutputFormat.TABLE) {
                    rows.take().forEach(report::add);
                }
                next = page.get("next") instanceof String continued ? continued : null;
            }
        }
        console().note(rows.summary());
    }

    /** Returns the members of the message without its body. */
    private Map<String, @Nullable Object> message(EntityAddress address) {
        Map<String, @Nullable Object> members = properties.members();
        if (messageId != null) {
            members.put("messageId", messageId);
        }
        if (schedule != null) {
            members.put(
                    "scheduledEnqueueTime",
                    moment("--schedule", schedule).toInstant().toString());
        }
        if (number != null) {
            members.put("sequenceNumber", number.toString());
            members.put("from", (from == null ? address.in(SubQueue.NONE) : typed(from)).toString());
        }
        return members;
    }

    private byte[] bytes(Path source) throws IOException {
        byte[] bytes;
        if (source.toString().equals("-")) {
            bytes = console().in().readNBytes(BODY_BYTES_MAX + 1);
        } else if (!Files.isReadable(source)) {
            throw Failure.badOption("--file " + source + ": "
                    + (Files.exists(source) ? "The file cannot be read." : "The file does not exist."));
        } else {
            bytes = Files.readAllBytes(source);
        }
        if (bytes.length > BODY_BYTES_MAX) {
            throw Failure.badOption(
                    "--file: Expected a body of at most " + BODY_BYTES_MAX
                            + " bytes. No filter reads the body, so a shorter one has the same explanation except for its size.");
        }
        return bytes;
    }
}
