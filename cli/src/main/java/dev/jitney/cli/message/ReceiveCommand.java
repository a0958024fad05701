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

/** {@code jitney receive}: prints first and settles then, so that a message is printed at least once. */
@Command(
        name = "receive",
        description =
                "Receives messages of a queue or subscription, prints them, and completes them once they are printed.",
        footer = {
            "  jitney receive orders",
            "  jitney receive orders --all --wait 10s --output json > orders.jsonl",
            "  jitney receive orders --settle dead-letter --reason Invalid --description \"no address\"",
            "  jitney receive orders --sequence-number 42        a deferred message",
            "  jitney receive events/subscriptions/billing       what a subscription got of a topic",
            "",
            "A message is printed at least once: if the program ends between printing and settling, it comes again",
            "when its lock ends. With --mode receive-and-delete it may instead be lost."
        })
public final class ReceiveCommand extends MessageCommand {
    @Mixin
    private SubQueueOptions subQueues = new SubQueueOptions();

    @Option(names = "--max", paramLabel = "N", description = "At most so many (default: ${DEFAULT-VALUE}).")
    private long max = 1;

    @Option(names = "--all", description = "Until no more come within the time of --wait.")
    private boolean all;

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            description = "How long to wait for the first message, or the next (default: ${DEFAULT-VALUE}).")
    private String wait = "5s";

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "peek-lock or receive-and-delete (default: ${DEFAULT-VALUE}).")
    private String mode = "peek-lock";

    @Option(
            names = "--settle",
            paramLabel = "HOW",
            description = "complete, abandon, dead-letter, defer, or none to leave it locked until the lock ends"
                    + " (default: ${DEFAULT-VALUE}).")
    private String settle = "complete";

    @Option(names = "--reason", paramLabel = "TEXT", description = "Reason for --settle dead-letter.")
    private @Nullable String reason;

    @Option(names = "--description", paramLabel = "TEXT", description = "Description for --settle dead-letter.")
    private @Nullable String description;

    @Option(names = "--session", paramLabel = "ID", description = "From this session.")
    private @Nullable String session;

    @Option(names = "--next-session", description = "From the next session that has messages and no receiver.")
    private boolean nextSession;

    @Option(
            names = "--sequence-number",
            paramLabel = "N",
            split = ",",
            description = "Deferred messages of these numbers, and no others.")
    private List<Long> deferred = new ArrayList<>();

    public ReceiveCommand(Console console) {
        super(console);
    }

    @Override
    EntityAddress address(EntityAddress typed) {
        return subQueues.of(typed);
    }

    @Override
    void check(EntityAddress address) {
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
            throw Failure.badOption("--reason and --description belong to --settle dead-letter.");
        }
        if (session != null && nextSession) {
            throw Failure.badOption("--session and --next-session: Expected one of them.");
        }
        if (all && settle.equals("abandon")) {
            throw Failure.badOption("--all: With --settle abandon the same messages come again at once; use --max.");
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
    void run(NamespaceClients clients, EntityAddress address, OutputFormat format) {
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
                    // What nobody could read must not be settled.
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
                        "'" + address + "' has sessions; say which with --session ID, or take the next with"
                                + " --next-session.",
                        e);
            }
            throw e;
        }
        if (count == 0 && !deferred.isEmpty()) {
            throw new Failure(
                    Failure.NOT_FOUND,
                    "There is no deferred message of these numbers in '" + address + "', or somebody has locked one."
                            + " To see all: jitney peek " + address.forShell() + " --all");
        } else if (count == 0) {
            console().note("No message came from '" + address + "' within " + wait + "." + interrupted());
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
