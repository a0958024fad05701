package dev.jitney.cli.message;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code jitney receive}. It prints a message before it settles it, so that every message is printed at least once. */
@Command(
        name = "receive",
        description =
                "Receives messages of a queue or subscription, prints them, and completes each one after printing.",
        footer = {
            "  jitney receive orders",
            "  jitney receive orders --all --wait 10s --output json > orders.jsonl",
            "  jitney receive orders --settle dead-letter --reason Invalid --description \"no address\"",
            "  jitney receive orders --sequence-number 42        a deferred message",
            "  jitney receive events/subscriptions/billing       messages of a subscription",
            "",
            "A message is printed at least once: if the program stops between printing and",
            "settling, the message is received again after its lock expires. With --mode",
            "receive-and-delete it may be lost instead."
        })
public final class ReceiveCommand extends MessageCommand {
    @Mixin
    private SubQueueOptions subQueues = new SubQueueOptions();

    @Option(names = "--max", paramLabel = "N", description = "Maximum number of messages (default: ${DEFAULT-VALUE}).")
    private long max = 1;

    @Option(names = "--all", description = "Receive until no message arrives within the time of --wait.")
    private boolean all;

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            description = "Time to wait for the first message and for each next one (default: ${DEFAULT-VALUE}).")
    private String wait = "5s";

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "Receive mode: peek-lock or receive-and-delete (default: ${DEFAULT-VALUE}).")
    private String mode = "peek-lock";

    @Option(
            names = "--settle",
            paramLabel = "HOW",
            description = "Outcome of each message: complete, abandon, dead-letter, defer, or none to leave it locked"
                    + " until the lock expires (default: ${DEFAULT-VALUE}).")
    private String settle = "complete";

    @Option(names = "--reason", paramLabel = "TEXT", description = "Dead-letter reason, with --settle dead-letter.")
    private @Nullable String reason;

    @Option(
            names = "--description",
            paramLabel = "TEXT",
            description = "Dead-letter error description, with --settle dead-letter.")
    private @Nullable String description;

    @Option(names = "--session", paramLabel = "ID", description = "Receive from this session.")
    private @Nullable String session;

    @Option(names = "--next-session", description = "Receive from the next session that has messages and no receiver.")
    private boolean nextSession;

    @Option(
            names = "--sequence-number",
            paramLabel = "N",
            split = ",",
            description = "Receive only the deferred messages with these sequence numbers. May be repeated, or"
                    + " list several with commas.")
    private List<Long> deferred = new ArrayList<>();

    public ReceiveCommand(Console console) {
        super(console);
    }

    @Override
    protected EntityAddress address(EntityAddress typed) {
        return subQueues.of(typed);
    }

    @Override
    protected void check(EntityAddress address) {
        duration("--wait", wait);
        mode();
        if (max < 1) {
            throw Failure.badOption("--max: Expected a number from 1, but got " + max + ".");
        }
        if (!List.of("complete", "abandon", "dead-letter", "defer", "none").contains(settle)) {
            throw Failure.badOption(
                    "--settle: Expected complete, abandon, dead-letter, defer or none, but got '" + settle + "'.");
        }
        if (!settle.equals("dead-letter") && (reason != null || description != null)) {
            throw Failure.badOption(
                    "--reason and --description: Expected --settle dead-letter, but got --settle " + settle + ".");
        }
        if (session != null && nextSession) {
            throw Failure.badOption("--session and --next-session: Expected one of them, but got both.");
        }
        if (all && settle.equals("abandon")) {
            throw Failure.badOption("--all: Expected another --settle than abandon, which delivers the same messages"
                    + " again at once. Use --max.");
        }
    }

    private ServiceBusReceiveMode mode() {
        return switch (mode) {
            case "peek-lock" -> ServiceBusReceiveMode.PEEK_LOCK;
            case "receive-and-delete" -> ServiceBusReceiveMode.RECEIVE_AND_DELETE;
            default ->
                throw Failure.badOption("--mode: Expected peek-lock or receive-and-delete, but got '" + mode + "'.");
        };
    }

    @Override
    protected void run(NamespaceClients clients, EntityAddress address, OutputFormat format) {
        Duration patience = duration("--wait", wait);
        boolean locked = mode() == ServiceBusReceiveMode.PEEK_LOCK;
        long count = 0;
        try (Receiving receiving = open(clients, address);
                Settlement settlement = new Settlement();
                Report report = Report.of(console().out(), format, COLUMNS)) {
            long wanted = deferred.isEmpty() ? all ? Long.MAX_VALUE : max : deferred.size();
            while (count < wanted && !console().interruption().requested()) {
                long asked = Math.min(wanted - count, Receiving.BATCH_MAX);
                List<ServiceBusReceivedMessage> batch =
                        deferred.isEmpty() ? receiving.batch(asked, patience) : deferred(receiving);
                batch.forEach(message -> report.add(MessageDocument.of(message)));
                if (locked && !settle.equals("none")) {
                    // A message that could not be printed must not be settled.
                    report.flush();
                    settlement.settle(batch, message -> settle(receiving.receiver(), message));
                }
                count += batch.size();
                if (batch.isEmpty() || !locked && batch.size() < asked) {
                    break;
                }
            }
        } catch (RuntimeException e) {
            if (Receiving.needsSession(e)) {
                throw new Failure(
                        Failure.FAULT,
                        "'" + address + "' requires sessions. Choose one with --session ID, or the next with"
                                + " --next-session.",
                        e);
            }
            throw e;
        }
        if (count == 0 && !deferred.isEmpty()) {
            throw new Failure(
                    Failure.NOT_FOUND,
                    "There are no deferred messages with these numbers in '" + address + "', or one of them is locked."
                            + " To see all: jitney peek " + address.forShell() + " --all");
        } else if (count == 0) {
            console().note("No message arrived from '" + address + "' within " + wait + "." + interrupted());
        }
    }

    private Receiving open(NamespaceClients clients, EntityAddress address) {
        return session == null && !nextSession
                ? Receiving.of(clients, address, mode())
                : Receiving.ofSession(clients, address, mode(), session);
    }

    private List<ServiceBusReceivedMessage> deferred(Receiving receiving) {
        List<ServiceBusReceivedMessage> messages = new ArrayList<>();
        receiving.receiver().receiveDeferredMessageBatch(deferred).forEach(messages::add);
        return messages;
    }

    private void settle(ServiceBusReceiverClient receiver, ServiceBusReceivedMessage message) {
        switch (settle) {
            case "complete" -> receiver.complete(message);
            case "abandon" -> receiver.abandon(message);
            case "defer" -> receiver.defer(message);
            default -> {
                DeadLetterOptions options = new DeadLetterOptions();
                if (reason != null) {
                    options.setDeadLetterReason(reason);
                }
                if (description != null) {
                    options.setDeadLetterErrorDescription(description);
                }
                receiver.deadLetter(message, options);
            }
        }
    }
}
