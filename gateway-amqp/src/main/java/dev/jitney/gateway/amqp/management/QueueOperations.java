package dev.jitney.gateway.amqp.management;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.IncomingMessageDecoder;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.OutgoingMessageEncoder;
import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.AccessRight;
import dev.jitney.model.ClientText;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.MessageIds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What can be asked of a queue's management node: each operation turns its arguments into a command, and the reply to
 * that into the entries of the response (wire reference 6.2 to 6.10).
 */
final class QueueOperations {
    private static final String PREFIX = "com.microsoft:";
    private static final int SETTLE_MODE_DELETE = 0;
    private static final int SETTLE_MODE_LOCK = 1;
    private static final Instant LATEST = Instant.ofEpochMilli(253_402_300_799_999L); // 9999-12-31, .NET's last instant

    private final Entity entity;
    private final SubQueue subQueue;
    private final IncomingMessageDecoder decoder = new IncomingMessageDecoder(MessageIds::fresh);
    private final OutgoingMessageEncoder encoder = new OutgoingMessageEncoder();
    private final Map<String, Operation> operations = Map.ofEntries(
            Map.entry(PREFIX + "peek-message", new Operation(AccessRight.LISTEN, this::peek)),
            Map.entry(PREFIX + "renew-lock", new Operation(AccessRight.LISTEN, this::renewLocks)),
            Map.entry(PREFIX + "schedule-message", new Operation(AccessRight.SEND, this::schedule)),
            Map.entry(PREFIX + "cancel-scheduled-message", new Operation(AccessRight.SEND, this::cancelScheduled)),
            Map.entry(PREFIX + "receive-by-sequence-number", new Operation(AccessRight.LISTEN, this::receiveDeferred)),
            Map.entry(PREFIX + "update-disposition", new Operation(AccessRight.LISTEN, this::updateDisposition)),
            Map.entry(PREFIX + "batch-delete-messages", new Operation(AccessRight.LISTEN, this::batchDelete)),
            Map.entry(PREFIX + "renew-session-lock", new Operation(AccessRight.LISTEN, this::refuseSession)),
            Map.entry(PREFIX + "get-session-state", new Operation(AccessRight.LISTEN, this::refuseSession)),
            Map.entry(PREFIX + "set-session-state", new Operation(AccessRight.LISTEN, this::refuseSession)),
            Map.entry(PREFIX + "get-message-sessions", new Operation(AccessRight.LISTEN, this::refuseSessions)),
            Map.entry(PREFIX + "add-rule", new Operation(AccessRight.LISTEN, this::refuseRules)),
            Map.entry(PREFIX + "remove-rule", new Operation(AccessRight.LISTEN, this::refuseRules)),
            Map.entry(PREFIX + "enumerate-rules", new Operation(AccessRight.LISTEN, this::refuseRules)));

    QueueOperations(Entity entity, SubQueue subQueue) {
        this.entity = entity;
        this.subQueue = subQueue;
    }

    /** The operation of that name, or null. */
    @Nullable
    Operation find(String name) {
        return operations.get(name);
    }

    /**
     * One kind of request.
     *
     * @param right what the caller has to be allowed (ENT-4)
     */
    record Operation(AccessRight right, Preparation preparation) {}

    /** Reads the arguments. */
    @FunctionalInterface
    interface Preparation {
        Call prepare(Arguments arguments) throws MessageFormatException;
    }

    /** A command and how to tell its reply to the client. */
    record Call(Command command, Function<Reply, Result> result) {}

    private Call peek(Arguments arguments) throws MessageFormatException {
        Command command = new Command.PeekMessages(
                subQueue,
                arguments.integer("from-sequence-number"),
                arguments.count("message-count"),
                arguments.optionalText("session-id"));
        return new Call(command, reply -> {
            List<MessageView> messages = ((Reply.Messages) reply).messages();
            return messages.isEmpty() ? Result.NOTHING : Result.of("messages", encodeAll(messages));
        });
    }

    private Call renewLocks(Arguments arguments) throws MessageFormatException {
        return new Call(
                new Command.RenewLocks(arguments.lockTokens()),
                reply -> Result.of("expirations", instants(((Reply.LocksRenewed) reply).lockedUntilMs())));
    }

    private Call schedule(Arguments arguments) throws MessageFormatException {
        if (subQueue != SubQueue.MAIN) {
            throw refused("Messages cannot be sent to a dead-letter queue.");
        }
        List<IncomingMessage> messages = new ArrayList<>();
        for (Object element : arguments.list("messages")) {
            if (!(element instanceof Map<?, ?> entry) || !(entry.get("message") instanceof byte[] encoded)) {
                throw Arguments.wrongType("messages", "maps with a binary 'message'");
            }
            IncomingMessage message = decoder.decode(new AmqpReader(encoded, 0, encoded.length), 0)
                    .get(0);
            if (message.scheduledEnqueueTimeMs() == 0) {
                throw MessageFormatException.argument(
                        "Expected annotation x-opt-scheduled-enqueue-time in every message of argument 'messages',"
                                + " but message " + messages.size() + " has none.");
            }
            messages.add(message);
        }
        if (messages.isEmpty()) {
            throw MessageFormatException.argument(
                    "Expected at least one element in argument 'messages', but got none.");
        }
        return new Call(
                new Command.SendMessages(messages),
                reply -> Result.of("sequence-numbers", ((Reply.Sent) reply).sequenceNumbers()));
    }

    private Call cancelScheduled(Arguments arguments) throws MessageFormatException {
        return done(new Command.CancelScheduledMessages(arguments.integers("sequence-numbers")));
    }

    private Call receiveDeferred(Arguments arguments) throws MessageFormatException {
        List<Long> sequenceNumbers = arguments.integers("sequence-numbers");
        long settleMode = arguments.integer("receiver-settle-mode");
        if (settleMode != SETTLE_MODE_DELETE && settleMode != SETTLE_MODE_LOCK) {
            throw Arguments.outOfRange(
                    "Expected 0 or 1 in argument 'receiver-settle-mode', but got " + settleMode + ".");
        }
        ReceiveMode mode = settleMode == SETTLE_MODE_DELETE ? ReceiveMode.RECEIVE_AND_DELETE : ReceiveMode.PEEK_LOCK;
        return new Call(
                new Command.ReceiveDeferredMessages(subQueue, sequenceNumbers, mode),
                reply -> Result.of("messages", encodeAll(((Reply.Messages) reply).messages())));
    }

    private Call updateDisposition(Arguments arguments) throws MessageFormatException {
        String status = arguments.text("disposition-status");
        List<UUID> tokens = arguments.lockTokens();
        return done(
                switch (status) {
                    case "completed" -> new Command.CompleteMessages(tokens);
                    case "abandoned" ->
                        new Command.AbandonMessages(tokens, arguments.properties("properties-to-modify"));
                    case "defered" -> new Command.DeferMessages(tokens, arguments.properties("properties-to-modify"));
                    case "suspended" ->
                        new Command.DeadLetterMessages(
                                tokens,
                                textOrNull(arguments.optionalText("deadletter-reason")),
                                textOrNull(arguments.optionalText("deadletter-description")),
                                arguments.properties("properties-to-modify"));
                    case "released", "unlocked" -> new Command.ReleaseMessages(tokens);
                    default ->
                        throw MessageFormatException.argument("Expected completed, abandoned, defered, suspended or"
                                + " released in argument 'disposition-status', but got '"
                                + ClientText.abbreviate(status) + "'.");
                });
    }

    private Call batchDelete(Arguments arguments) throws MessageFormatException {
        Command command = new Command.BatchDeleteMessages(
                subQueue, arguments.count("message-count"), arguments.timestamp("enqueued-time-utc"));
        return new Call(command, reply -> {
            int count = ((Reply.Deleted) reply).count();
            return count == 0 ? Result.NOTHING : Result.of("message-count", count);
        });
    }

    /** Nobody can hold a session of this queue here: either it has none, or the lock is not the caller's. */
    private Call refuseSession(Arguments arguments) throws MessageFormatException {
        arguments.text("session-id");
        if (entity.description().requiresSession()) {
            throw new MessageFormatException(Rejection.of(ErrorCode.SESSION_LOCK_LOST));
        }
        throw refused("Expected an entity with sessions, but '" + entity.path() + "' has none.");
    }

    private Call refuseSessions(Arguments arguments) throws MessageFormatException {
        throw refused("Sessions of '" + entity.path() + "' cannot be listed.");
    }

    private Call refuseRules(Arguments arguments) throws MessageFormatException {
        throw refused("Expected a subscription, but '" + entity.path() + "' is a queue and has no rules.");
    }

    private static Call done(Command command) {
        return new Call(command, reply -> Result.EMPTY);
    }

    private List<Map<String, Object>> encodeAll(List<MessageView> messages) {
        List<Map<String, Object>> entries = new ArrayList<>(messages.size());
        for (MessageView message : messages) {
            UUID lockToken = message.lockToken();
            entries.add(
                    lockToken == null
                            ? Map.of("message", encoder.encode(message))
                            : Map.of("message", encoder.encode(message), "lock-token", lockToken));
        }
        return entries;
    }

    private static Instant[] instants(long[] msSinceEpoch) {
        Instant[] instants = new Instant[msSinceEpoch.length];
        for (int i = 0; i < instants.length; i++) {
            Instant instant = Instant.ofEpochMilli(msSinceEpoch[i]);
            instants[i] = instant.isAfter(LATEST) ? LATEST : instant;
        }
        return instants;
    }

    /** One client sends empty texts for "none". */
    private static @Nullable String textOrNull(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    private static MessageFormatException refused(String description) {
        return new MessageFormatException(new Rejection(ErrorCode.INVALID_OPERATION, description));
    }
}
