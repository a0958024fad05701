package dev.jitney.cli.message;

import com.azure.core.exception.ResourceNotFoundException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Progress;
import dev.jitney.cli.output.Report;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The commands {@code jitney dlq list|purge}, and {@code jitney dlq resubmit} as any server can do it. */
public final class DeadLetterCommands {
    private DeadLetterCommands() {}

    public static CommandLine dlq(Console console) {
        return new CommandLine(CommandSpec.create()
                .name("dlq")
                .addSubcommand("list", new CommandLine(new ListAll(console)))
                .addSubcommand("purge", new CommandLine(new PurgeDeadLetters(console)))
                .mixinStandardHelpOptions(true)
                .usageMessage(new CommandLine.Model.UsageMessageSpec()
                        .autoWidth(true)
                        .description("Lists, counts, resubmits and deletes dead-lettered messages.")
                        .footerHeading("%nExamples:%n")
                        .footer(
                                "  jitney dlq list orders",
                                "  jitney dlq groups orders",
                                "  jitney dlq resubmit orders --max 100",
                                "  jitney dlq purge events/subscriptions/billing --yes")));
    }

    @Command(name = "list", description = "Shows dead-lettered messages with the reason, without changing them.")
    static final class ListAll extends MessageCommand {
        @Option(
                names = "--max",
                paramLabel = "N",
                description = "Maximum number of messages (default: ${DEFAULT-VALUE}).")
        private int max = 100;

        @Option(names = "--all", description = "Show all messages.")
        private boolean all;

        @Option(names = "--from-transfer", description = "Use messages that could not be forwarded.")
        private boolean transfer;

        ListAll(Console console) {
            super(console);
        }

        @Override
        protected void run(NamespaceClients clients, EntityAddress address, OutputFormat format) {
            EntityAddress place = deadLetters(address, transfer);
            try (Browser browser = new Browser(clients, place);
                    Report report = Report.of(console().out(), format, DEAD_LETTER_COLUMNS)) {
                browser.forEach(0, all ? Long.MAX_VALUE : max, message -> report.add(MessageDocument.of(message)));
                if (report.count() == 0) {
                    console().note("There are no dead-lettered messages in '" + place + "'.");
                }
            }
        }
    }

    @Command(name = "purge", description = "Deletes dead-lettered messages.")
    static final class PurgeDeadLetters extends PurgeCommand {
        @Option(names = "--from-transfer", description = "Use messages that could not be forwarded.")
        private boolean transfer;

        PurgeDeadLetters(Console console) {
            super(console);
        }

        @Override
        EntityAddress target(EntityAddress address) {
            return deadLetters(address, transfer);
        }
    }

    @Command(
            name = "resubmit",
            description = "Sends dead-lettered messages to their entity again.",
            footer = {
                "  jitney dlq resubmit orders",
                "  jitney dlq resubmit events/subscriptions/billing --to billing-again",
                "  jitney dlq resubmit orders --where \"DeadLetterReason = 'Timeout'\"",
                "  jitney dlq resubmit orders --job --canary 5",
                "",
                "The copy keeps body, properties and ids, but not the dead-letter reason and",
                "description. A message leaves the dead-letter queue only after its copy was",
                "accepted. If the program stops between the two steps, the message exists twice.",
                "Duplicate detection drops a message id that it still stores, so such an entity",
                "needs --new-ids or --keep-ids. Messages that are dead-lettered during the",
                "command stay in the dead-letter queue.",
                "",
                "With --where, --dry-run or --job a Jitney server does it, in one commit for each",
                "message, as with jitney message resubmit. A subscription gets its own messages",
                "back then."
            })
    public static class Resubmit extends MessageCommand {
        private static final Duration PATIENCE = Duration.ofSeconds(10);

        @Option(
                names = "--max",
                paramLabel = "N",
                description = "Maximum number of messages (default: all that are there now).")
        private long max = Long.MAX_VALUE;

        @Option(names = "--from-transfer", description = "Use messages that could not be forwarded.")
        private boolean transfer;

        @Option(
                names = "--to",
                paramLabel = "ENTITY",
                description = "Queue or topic to send to (default: the entity itself). Required for a subscription,"
                        + " because its topic would send the messages to all other subscriptions too.")
        private @Nullable String to;

        @Option(names = "--new-ids", description = "Give the copies new message ids.")
        private boolean newIds;

        @Option(
                names = "--keep-ids",
                description = "Keep message ids although the entity detects duplicates. Use it once the detection"
                        + " window has passed.")
        private boolean keepIds;

        protected Resubmit(Console console) {
            super(console);
        }

        /** Returns the maximum number of messages, or {@link Long#MAX_VALUE}. */
        protected final long max() {
            return max;
        }

        /** Returns whether the copies get new message ids. */
        protected final boolean newIds() {
            return newIds;
        }

        /** Returns whether an option names a destination, or keeps ids although the destination detects duplicates. */
        protected final boolean hasOptionsOfCopies() {
            return to != null || keepIds;
        }

        /** Returns the dead-letter queue that the options select. */
        protected final EntityAddress source(EntityAddress address) {
            return deadLetters(address, transfer);
        }

        @Override
        protected void check(EntityAddress address) {
            if (max < 1) {
                throw Failure.badOption("--max: Expected a number from 1, but got " + max + ".");
            }
            destination(address);
        }

        private EntityAddress destination(EntityAddress address) {
            if (to == null && address.subscription() != null) {
                throw Failure.badOption("--to: Expected a queue or topic, but got none. With --to " + address.entity()
                        + " every subscription whose rules match receives the messages again.");
            }
            return to == null ? EntityAddress.parse(address.entity()) : destination("--to", to);
        }

        @Override
        protected void run(NamespaceClients clients, EntityAddress address, OutputFormat format) {
            EntityAddress source = source(address);
            EntityAddress destination = destination(address);
            if (!newIds && !keepIds && detectsDuplicates(clients, destination)) {
                throw Failure.badOption(
                        "'" + destination + "' detects duplicates and would drop message ids that it still"
                                + " stores. Use --new-ids, or --keep-ids if all messages are older than its window.");
            }
            // Only those that are there now: a message that fails again at once would otherwise repeat forever.
            long count;
            try (Browser browser = new Browser(clients, source)) {
                count = browser.forEach(0, max, message -> {});
            }
            long done;
            Progress progress = new Progress(console(), "messages resubmitted", count);
            try (progress;
                    Receiving receiving = Receiving.of(clients, source, ServiceBusReceiveMode.PEEK_LOCK);
                    ServiceBusSenderClient sender = clients.messages()
                            .sender()
                            .queueName(destination.entity())
                            .buildClient();
                    Settlement settlement = new Settlement()) {
                move(receiving, sender, settlement, progress, count);
            } finally {
                done = progress.done();
            }
            if (format == OutputFormat.JSON) {
                Map<String, Object> summary = new LinkedHashMap<>();
                summary.put("entity", source.toString());
                summary.put("to", destination.toString());
                summary.put("resubmitted", done);
                Report.single(console().out(), format, summary);
            }
            console()
                    .note("Resubmitted " + messages(done) + " of '" + source + "' to '" + destination + "'."
                            + (done < count && interrupted().isEmpty()
                                    ? " " + messages(count - done) + " could not be received, because other"
                                            + " receivers hold the locks."
                                    : "")
                            + interrupted());
        }

        /** Returns false also if the right Manage is missing and the answer is unknown. */
        private static boolean detectsDuplicates(NamespaceClients clients, EntityAddress destination) {
            try {
                return clients.admin().getQueue(destination.entity()).isDuplicateDetectionRequired();
            } catch (NullPointerException | ResourceNotFoundException e) {
                return topicDetectsDuplicates(clients, destination);
            } catch (RuntimeException e) {
                return false;
            }
        }

        private static boolean topicDetectsDuplicates(NamespaceClients clients, EntityAddress destination) {
            try {
                return clients.admin().getTopic(destination.entity()).isDuplicateDetectionRequired();
            } catch (RuntimeException e) {
                return false;
            }
        }

        private void move(
                Receiving receiving,
                ServiceBusSenderClient sender,
                Settlement settlement,
                Progress progress,
                long count) {
            while (progress.done() < count && !console().interruption().requested()) {
                List<ServiceBusReceivedMessage> batch = receiving.batch(count - progress.done(), PATIENCE);
                if (batch.isEmpty()) {
                    return;
                }
                MessageBatches copies = new MessageBatches(sender);
                for (ServiceBusReceivedMessage message : batch) {
                    ServiceBusMessage copy = MessageCopy.of(message);
                    copies.add(newIds ? copy.setMessageId(UUID.randomUUID().toString()) : copy);
                }
                copies.flush();
                settlement.settle(batch, receiving.receiver()::complete);
                progress.add(batch.size());
            }
        }
    }
}
