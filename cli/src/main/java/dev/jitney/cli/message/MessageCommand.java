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
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the commands on messages have in common: where, how, and which entity. */
@Command(
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        abbreviateSynopsis = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n")
abstract class MessageCommand implements Callable<Integer> {
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
            description = "A queue or topic, or TOPIC/subscriptions/NAME; with /dlq behind it, its dead letters; with"
                    + " /tdlq behind it, those that could not be forwarded.")
    private String entity = "";

    @Option(
            names = "--exact",
            order = 802,
            description = "Take ENTITY as it is written, for an entity whose own name ends with /dlq or /tdlq.")
    private boolean exact;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    MessageCommand(Console console) {
        this.console = console;
    }

    abstract void run(NamespaceClients clients, EntityAddress address, OutputFormat format) throws Exception;

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

    /** Reads a path as a user typed it. */
    final EntityAddress typed(String path) {
        return exact ? EntityAddress.parse(path) : EntityAddress.typed(path);
    }

    /** The address that ENTITY and the options name. */
    EntityAddress address(EntityAddress typed) {
        return typed;
    }

    /** Refuses what cannot work before anything is sent. */
    void check(EntityAddress address) {}

    final Console console() {
        return console;
    }

    /** The dead letters of an address; those that could not be forwarded if the path or the option says so. */
    static EntityAddress deadLetters(EntityAddress address, boolean transfer) {
        boolean ofTransfer = transfer || address.subQueue() == SubQueue.TRANSFER_DEAD_LETTER_QUEUE;
        return address.in(ofTransfer ? SubQueue.TRANSFER_DEAD_LETTER_QUEUE : SubQueue.DEAD_LETTER_QUEUE);
    }

    static Duration duration(String option, String text) {
        try {
            return Durations.parse(text);
        } catch (IllegalArgumentException e) {
            throw Failure.badOption(option + ": " + e.getMessage());
        }
    }

    /** {@code 1 message}, {@code 2,000 messages}. */
    static String messages(long count) {
        return String.format(Locale.ROOT, "%,d message%s", count, count == 1 ? "" : "s");
    }

    /** Behind what was done, if Ctrl-C ended it. */
    final String interrupted() {
        return console.interruption().requested() ? " Interrupted; the rest is as it was." : "";
    }
}
