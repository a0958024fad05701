package dev.jitney.cli.operator;

import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.message.EntityAddress;
import dev.jitney.cli.output.Confirmation;
import dev.jitney.cli.output.Console;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The commands {@code jitney message delete|dead-letter|resubmit|move|copy|deliver-now|reschedule|unlock}. */
final class MessageActs {
    private static final String TO = "Queue or topic to send to.";
    private static final String NEW_IDS =
            "Give the messages new message ids, so that duplicate detection does not drop them.";

    private MessageActs() {}

    @Command(
            name = "delete",
            description = "Deletes chosen messages permanently, in any state except locked.",
            footer = {
                "  jitney message delete orders 17 18",
                "  jitney message delete orders --where \"customer = 'test'\" --dry-run",
                "  jitney message delete orders/dlq --where \"DeadLetterReason = 'Invalid'\" --yes",
                "",
                "A receiver may be processing a locked message, so it is refused. Unlock it",
                "first, or wait for its receiver. To delete all messages of an entity: jitney purge"
            })
    static final class Delete extends ActCommand {
        @Mixin
        private Confirmation confirmation = new Confirmation();

        Delete(Console console) {
            super(console);
        }

        @Override
        String act() {
            return "delete";
        }

        @Override
        String participle() {
            return "deleted";
        }

        @Override
        void checkConfirmation(EntityAddress address) {
            confirmation.check(console(), "delete messages of '" + address + "'");
        }

        @Override
        boolean confirmed(NamespaceClients clients, EntityAddress address, long count) {
            return confirmation.ask(
                    console(),
                    "Delete " + (count == OperatorApi.UNKNOWN ? "the selected messages" : messages(count)) + " of '"
                            + address + "' in " + clients.namespace() + "?");
        }
    }

    @Command(
            name = "dead-letter",
            description = "Moves chosen active and deferred messages to the dead-letter queue.",
            footer = {
                "  jitney message dead-letter orders 17 --reason Invalid --description \"no city\"",
                "  jitney message dead-letter orders --where \"amount < 0\" --reason Invalid"
            })
    static final class DeadLetter extends ActCommand {
        @Option(names = "--reason", paramLabel = "TEXT", description = "Dead-letter reason.")
        private @Nullable String reason;

        @Option(names = "--description", paramLabel = "TEXT", description = "Dead-letter error description.")
        private @Nullable String description;

        DeadLetter(Console console) {
            super(console);
        }

        @Override
        String act() {
            return "deadLetter";
        }

        @Override
        String participle() {
            return "dead-lettered";
        }

        @Override
        List<String> states() {
            return List.of("active", "locked", "deferred");
        }

        @Override
        Map<String, @Nullable Object> members() {
            return given("reason", reason, "description", description);
        }
    }

    @Command(
            name = "resubmit",
            description = "Sends chosen dead letters again, and removes them in the same commit.",
            footer = {
                "  jitney message resubmit orders 17 18",
                "  jitney message resubmit orders --where \"DeadLetterReason = 'Timeout'\"",
                "  jitney message resubmit events/subscriptions/billing --all --max 100",
                "",
                "ENTITY means its dead-letter queue here; --transfer-dlq selects the messages",
                "that could not be forwarded. A message returns to its own entity, so a",
                "subscription gets its own messages back. It carries x-jitney-resubmitted, the",
                "number of resubmissions, and x-jitney-resubmitted-from. Messages that are",
                "dead-lettered during the command stay in the dead-letter queue."
            })
    static final class Resubmit extends ActCommand {
        @Option(
                names = "--to-source",
                description =
                        "Send each message to the entity that dead-lettered it first, if it was forwarded here, and"
                                + " the messages of a subscription to its topic.")
        private boolean toSource;

        @Option(names = "--new-ids", description = NEW_IDS)
        private boolean newIds;

        Resubmit(Console console) {
            super(console);
        }

        /** Creates the act of a command with the same options. */
        Resubmit(Console console, Choice choice, JobOptions jobs, boolean newIds) {
            super(console, choice, jobs);
            this.newIds = newIds;
        }

        @Override
        protected EntityAddress address(EntityAddress typed) {
            EntityAddress address = super.address(typed);
            return deadLetters(address, address.subQueue() == SubQueue.TRANSFER_DEAD_LETTER_QUEUE);
        }

        @Override
        String act() {
            return "resubmit";
        }

        @Override
        String participle() {
            return "resubmitted";
        }

        @Override
        Map<String, @Nullable Object> members() {
            return given("target", toSource ? "source" : "entity", "newMessageId", newIds);
        }
    }

    /** The base of the commands that send messages to another entity. */
    abstract static class ToDestination extends ActCommand {
        @Option(names = "--to", paramLabel = "ENTITY", required = true, description = TO)
        private String to = "";

        @Option(names = "--new-ids", description = NEW_IDS)
        private boolean newIds;

        ToDestination(Console console) {
            super(console);
        }

        @Override
        Map<String, @Nullable Object> members() {
            return given("to", destination("--to", to).toString(), "newMessageId", newIds);
        }
    }

    @Command(
            name = "move",
            description = "Sends chosen messages to another queue or topic, and removes them in the same commit.",
            footer = {
                "  jitney message move orders 17 --to orders-by-hand",
                "  jitney message move orders/dlq --where \"region = 'eu'\" --to orders-eu"
            })
    static final class Move extends ToDestination {
        Move(Console console) {
            super(console);
        }

        @Override
        String act() {
            return "move";
        }

        @Override
        String participle() {
            return "moved";
        }
    }

    @Command(
            name = "copy",
            description = "Sends copies of chosen messages, in any state, to a queue or topic. The originals stay.",
            footer = {
                "  jitney message copy orders 17 --to orders-test",
                "  jitney message copy orders --where \"customer = 'c-12'\" --to test --new-ids"
            })
    static final class Copy extends ToDestination {
        Copy(Console console) {
            super(console);
        }

        @Override
        String act() {
            return "copy";
        }

        @Override
        String participle() {
            return "copied";
        }
    }

    @Command(
            name = "deliver-now",
            description = "Delivers chosen scheduled messages now. They get new sequence numbers.",
            footer = {
                "  jitney message deliver-now reminders 17",
                "  jitney message deliver-now reminders --where \"customer = 'c-12'\"",
                "",
                "With --where and --all only scheduled messages are selected."
            })
    static final class DeliverNow extends ActCommand {
        DeliverNow(Console console) {
            super(console);
        }

        @Override
        String act() {
            return "deliverNow";
        }

        @Override
        String participle() {
            return "delivered";
        }

        @Override
        List<String> states() {
            return List.of("scheduled");
        }
    }

    @Command(
            name = "reschedule",
            description = "Gives chosen scheduled messages another time. They get new sequence numbers.",
            footer = {
                "  jitney message reschedule reminders 17 --at 2h",
                "  jitney message reschedule reminders --all --at 2027-01-31T12:00:00Z",
                "",
                "With --where and --all only scheduled messages are selected."
            })
    static final class Reschedule extends ActCommand {
        @Option(
                names = "--at",
                paramLabel = "WHEN",
                required = true,
                description = "The new time: a duration from now, or a time such as 2026-01-31T12:00:00Z.")
        private String at = "";

        private @Nullable String time;

        Reschedule(Console console) {
            super(console);
        }

        @Override
        String act() {
            return "reschedule";
        }

        @Override
        String participle() {
            return "rescheduled";
        }

        @Override
        List<String> states() {
            return List.of("scheduled");
        }

        @Override
        Map<String, @Nullable Object> members() {
            if (time == null) {
                time = moment("--at", at).toInstant().toString(); // once, so that all messages get the same time
            }
            return Map.of("scheduledEnqueueTime", time);
        }
    }

    @Command(
            name = "unlock",
            description =
                    "Ends the locks of chosen messages without counting a delivery. Their receivers lose the locks.",
            footer = {
                "  jitney message list orders --state locked",
                "  jitney message unlock orders 17",
                "  jitney message unlock orders --all",
                "",
                "With --where and --all only locked messages are selected."
            })
    static final class Unlock extends ActCommand {
        Unlock(Console console) {
            super(console);
        }

        @Override
        String act() {
            return "unlock";
        }

        @Override
        String participle() {
            return "unlocked";
        }

        @Override
        List<String> states() {
            return List.of("locked");
        }
    }
}
