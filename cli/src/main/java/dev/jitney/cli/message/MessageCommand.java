package dev.jitney.cli.message;

import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.cli.connection.ConnectionOptions;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.OutputOptions;
import dev.jitney.cli.output.Report.Column;
import dev.jitney.cli.value.Durations;
import dev.jitney.cli.value.Moments;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The base of the commands on messages: the shared options and the address of the entity. */
@Command(
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        abbreviateSynopsis = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n")
public abstract class MessageCommand implements Callable<Integer> {
    static final List<Column> COLUMNS = List.of(
            new Column("SEQUENCE", "sequenceNumber"),
            new Column("MESSAGE ID", "messageId"),
            new Column("ENQUEUED", "enqueuedTime"),
            new Column("STATE", "state"),
            new Column("DELIVERIES", "deliveryCount"),
            new Column("SUBJECT", "subject"),
            new Column("BODY", "body"));

    static final List<Column> DEAD_LETTER_COLUMNS = List.of(
            new Column("SEQUENCE", "sequenceNumber"),
            new Column("MESSAGE ID", "messageId"),
            new Column("ENQUEUED", "enqueuedTime"),
            new Column("DELIVERIES", "deliveryCount"),
            new Column("REASON", "deadLetterReason"),
            new Column("DESCRIPTION", "deadLetterErrorDescription"),
            new Column("BODY", "body"));

    private final Console console;

    @Parameters(
            index = "0",
            paramLabel = "ENTITY",
            description = "A queue, a topic, or TOPIC/subscriptions/NAME. Add /dlq for its dead-lettered messages, or"
                    + " /tdlq for its messages that could not be forwarded.")
    private String entity = "";

    @Option(
            names = "--exact",
            order = 802,
            description = "Use ENTITY unchanged. For an entity whose own name ends with /dlq or /tdlq.")
    private boolean exact;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    protected MessageCommand(Console console) {
        this.console = console;
    }

    protected abstract void run(NamespaceClients clients, EntityAddress address, OutputFormat format) throws Exception;

    @Override
    public final Integer call() throws Exception {
        OutputFormat format = output.format();
        EntityAddress address = address(typed(entity));
        check(address);
        try (NamespaceClients clients = connection.open(console)) {
            run(clients, address, format);
        } catch (RuntimeException e) {
            throw Receiving.needsSubscription(e, address) ? Receiving.needsSubscription(address, e) : e;
        }
        return console.interruption().requested() ? Failure.INTERRUPTED : 0;
    }

    /** Parses a path that the user typed. */
    protected final EntityAddress typed(String path) {
        return exact ? EntityAddress.parse(path) : EntityAddress.typed(path);
    }

    /** Returns the address from ENTITY and the options. */
    protected EntityAddress address(EntityAddress typed) {
        return typed;
    }

    /** Throws a {@link Failure} for arguments that cannot work, before anything is sent. */
    protected void check(EntityAddress address) {}

    protected final Console console() {
        return console;
    }

    /** Returns the dead-letter queue of an address, or its transfer dead-letter queue if the path or the option selects it. */
    protected static EntityAddress deadLetters(EntityAddress address, boolean transfer) {
        boolean ofTransfer = transfer || address.subQueue() == SubQueue.TRANSFER_DEAD_LETTER_QUEUE;
        return address.in(ofTransfer ? SubQueue.TRANSFER_DEAD_LETTER_QUEUE : SubQueue.DEAD_LETTER_QUEUE);
    }

    protected static Duration duration(String option, String text) {
        try {
            return Durations.parse(text);
        } catch (IllegalArgumentException e) {
            throw Failure.badOption(option + ": " + e.getMessage());
        }
    }

    /** Returns a time that the user typed, or the end of a duration that begins now. */
    protected final OffsetDateTime moment(String option, String text) {
        try {
            return Moments.parse(text, console.clock());
        } catch (IllegalArgumentException e) {
            throw Failure.badOption(option + ": " + e.getMessage());
        }
    }

    /** Returns the queue or topic in an option, to which messages are sent. */
    protected final EntityAddress destination(String option, String path) {
        EntityAddress destination = typed(path);
        if (!destination.sendable()) {
            throw Failure.badOption(option + ": Expected a queue or topic, but got '" + path + "'.");
        }
        return destination;
    }

    /** Returns a count with its noun: {@code 1 message}, {@code 2,000 messages}. */
    protected static String messages(long count) {
        return String.format(Locale.ROOT, "%,d message%s", count, count == 1 ? "" : "s");
    }

    /** Returns a sentence for the end of the summary if Ctrl-C interrupted the command, else empty text. */
    protected final String interrupted() {
        return console.interruption().requested() ? " Interrupted. The remaining messages are unchanged." : "";
    }
}
