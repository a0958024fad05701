package dev.jitney.gateway.amqp.management;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.IncomingMessageDecoder;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.OutgoingMessageEncoder;
import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionHold;
import dev.jitney.model.AccessRight;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityKind;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.MessageIds;
import dev.jitney.runtime.Transaction.Work;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The operations on the messages of a queue, topic or subscription. Each operation turns its arguments into a command,
 * and the reply into the entries of the response (wire reference 6.2 to 6.8, 6.10).
 */
final class MessageOperations {
    private static final Set<EntityKind> ALL = EnumSet.allOf(EntityKind.class);

    /** The entities that messages are received from. A topic has only a transfer dead-letter queue (DLQ-33). */
    private static final Set<EntityKind> SOURCES = EnumSet.of(EntityKind.QUEUE, EntityKind.SUBSCRIPTION);

    /** The entities that messages are sent to. */
    private static final Set<EntityKind> TARGETS = EnumSet.of(EntityKind.QUEUE, EntityKind.TOPIC);

    /**
     * The expected limit of messages in a peek, used to estimate the overhead of the answer; there are hardly ever
     * more.
     */
    private static final int MESSAGES_EXPECTED = 256;

    private static final String BATCH_DELETE = "batch-delete-messages";
    private static final String COUNT = "message-count";

    /** The limit of numbers in one request: many times the number that clients send. */
    private static final int NUMBERS_MAX = 4_096;

    private static final int SETTLE_MODE_DELETE = 0;
    private static final int SETTLE_MODE_LOCK = 1;

    private final Entity entity;
    private final SubQueue subQueue;
    private final SessionScope sessions;
    private final int peekBytesMax;
    private final long answerBytesMax;
    private final NamedLinks transfers;
    private final AuditTrail audit;
    private final IncomingMessageDecoder decoder = new IncomingMessageDecoder(MessageIds::fresh);
    private final OutgoingMessageEncoder encoder;
    private final Map<String, Operation> operations;

    /**
     * @param peekBytesMax size in bytes at which a peek ends
     * @param answerBytesMax limit for the bytes of messages in one answer
     * @param audit records which messages were deleted
     */
    MessageOperations(
            Entity entity,
            SubQueue subQueue,
            SessionScope sessions,
            NamedLinks transfers,
            int peekBytesMax,
            long answerBytesMax,
            AuditTrail audit) {
        this.audit = audit;
        this.peekBytesMax = peekBytesMax;
        this.answerBytesMax = answerBytesMax;
        this.entity = entity;
        this.encoder = new OutgoingMessageEncoder(entity.isPartitioned());
        this.subQueue = subQueue;
        this.sessions = sessions;
        this.transfers = transfers;
        operations = operations(subQueue == SubQueue.TRANSFER_DEAD_LETTER ? ALL : SOURCES);
    }

    /** @param sources the entities that have the sub-queue */
    private Map<String, Operation> operations(Set<EntityKind> sources) {
        return Map.ofEntries(
                entry("peek-message", AccessRight.LISTEN, ALL, this::peek),
                entry("renew-lock", AccessRight.LISTEN, sources, this::renewLocks),
                entry("schedule-message", AccessRight.SEND, TARGETS, this::schedule),
                entry("cancel-scheduled-message", AccessRight.SEND, TARGETS, this::cancelScheduled),
                entry("receive-by-sequence-number", AccessRight.LISTEN, sources, this::receiveDeferred),
                entry("update-disposition", AccessRight.LISTEN, sources, this::updateDisposition),
                entry(BATCH_DELETE, AccessRight.LISTEN, sources, this::batchDelete));
    }

    private static Map.Entry<String, Operation> entry(
            String name, AccessRight right, Set<EntityKind> kinds, Operation.Preparation preparation) {
        return Map.entry(Operation.PREFIX + name, new Operation(EnumSet.of(right), kinds, preparation));
    }

    /** Returns the operations by name. */
    Map<String, Operation> byName() {
        return operations;
    }

    private Call peek(Arguments arguments) throws MessageFormatException {
        int count = arguments.count("message-count");
        Command command = new Command.PeekMessages(
                subQueue, arguments.integer("from-sequence-number"), count, sessions.named(arguments));
        boolean bodies = !arguments.flag("omit-message-body");
        Call peek = call(command, reply -> {
            List<MessageView> messages = ((Reply.Messages) reply).messages();
            return messages.isEmpty() ? Result.NOTHING : Result.of("messages", encodeAll(messages, bodies));
        });
        // The command looks up scheduled messages separately, and the last message may exceed the limit.
        long contentBytes = Math.min(2L * peekBytesMax + messageBytesMax(), 2L * count * messageBytesMax());
        return LargeCall.of(peek, contentBytes, Math.min(count, MESSAGES_EXPECTED));
    }

    /** Returns the limit for the size of a message with the fields that are added to it. */
    private long messageBytesMax() {
        return Math.min(entity.maxMessageSizeBytes(), answerBytesMax);
    }

    private Call renewLocks(Arguments arguments) throws MessageFormatException {
        if (sessions.exist()) {
            throw refused("Expected a renewal of the session lock, because the messages of '" + entity.path()
                    + "' are locked with their session. Renew the session lock instead.");
        }
        return call(
                new Command.RenewLocks(arguments.lockTokens()),
                reply -> Result.of("expirations", Instants.of(((Reply.LocksRenewed) reply).lockedUntilMs())));
    }

    private Call schedule(Arguments arguments) throws MessageFormatException {
        if (subQueue != SubQueue.MAIN) {
            throw refused("Messages cannot be sent to a dead-letter queue. Send to the entity itself.");
        }
        List<IncomingMessage> messages = new ArrayList<>();
        long memoryBytes = 0;
        for (Object element : arguments.list("messages")) {
            if (!(element instanceof Map<?, ?> entry) || !(entry.get("message") instanceof byte[] encoded)) {
                throw arguments.wrongType("messages", "maps with a binary 'message'");
            }
            IncomingMessage message = decoder.decode(new AmqpReader(encoded, 0, encoded.length), 0)
                    .get(0);
            if (message.scheduledEnqueueTimeMs() == 0) {
                throw MessageFormatException.argument(
                        "Expected annotation x-opt-scheduled-enqueue-time in every message of argument 'messages',"
                                + " but message " + messages.size() + " has none.");
            }
            messages.add(message);
            memoryBytes += message.memoryBytes();
            if (memoryBytes > answerBytesMax) { // like a batch that is sent
                throw new MessageFormatException(new Rejection(
                        ErrorCode.MESSAGE_SIZE_EXCEEDED,
                        "Expected messages that take at most " + answerBytesMax
                                + " bytes of memory, but those after the first " + (messages.size() - 1)
                                + " exceed that. Schedule fewer at a time, or start the server with a larger heap."));
            }
        }
        if (messages.isEmpty()) {
            throw MessageFormatException.argument(
                    "Expected at least one element in argument 'messages', but got none.");
        }
        // A client that schedules through a link that sends via this entity means the link's destination (wire
        // reference 6.1, TX-4).
        String linkName = arguments.associatedLinkName();
        Entity destination = linkName == null ? null : transfers.destination(linkName);
        return new CommandCall(
                Work.on(destination == null ? entity : destination, new Command.SendMessages(messages))
                        .via(entity)
                        .schedule(true),
                reply -> Result.of("sequence-numbers", ((Reply.Sent) reply).sequenceNumbers()));
    }

    private Call cancelScheduled(Arguments arguments) throws MessageFormatException {
        return done(new Command.CancelScheduledMessages(sequenceNumbers(arguments)));
    }

    private static List<Long> sequenceNumbers(Arguments arguments) throws MessageFormatException {
        List<Long> sequenceNumbers = arguments.integers("sequence-numbers");
        if (sequenceNumbers.size() > NUMBERS_MAX) {
            throw Arguments.outOfRange("Expected at most " + NUMBERS_MAX
                    + " numbers in argument 'sequence-numbers', but got " + sequenceNumbers.size() + ".");
        }
        return sequenceNumbers;
    }

    private Call receiveDeferred(Arguments arguments) throws MessageFormatException {
        List<Long> sequenceNumbers = sequenceNumbers(arguments);
        long settleMode = arguments.integer("receiver-settle-mode");
        if (settleMode != SETTLE_MODE_DELETE && settleMode != SETTLE_MODE_LOCK) {
            throw Arguments.outOfRange(
                    "Expected 0 or 1 in argument 'receiver-settle-mode', but got " + settleMode + ".");
        }
        ReceiveMode mode = settleMode == SETTLE_MODE_DELETE ? ReceiveMode.RECEIVE_AND_DELETE : ReceiveMode.PEEK_LOCK;
        SessionHold session = sessions.exist() ? sessions.held(arguments) : null;
        // A single message may always be received, even if it exceeds a size limit that was lowered later.
        long contentBytes = Math.min(sequenceNumbers.size() * messageBytesMax(), answerBytesMax);
        Call receive = call(
                new Command.ReceiveDeferredMessages(subQueue, sequenceNumbers, mode, session, contentBytes),
                reply -> Result.of("messages", encodeAll(((Reply.Messages) reply).messages(), true)));
        return LargeCall.of(receive, contentBytes, sequenceNumbers.size());
    }

    private Call updateDisposition(Arguments arguments) throws MessageFormatException {
        String status = arguments.text("disposition-status");
        List<UUID> tokens = arguments.lockTokens();
        Rejection lost = sessions.lost(arguments);
        Call settlement = done(
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
        return lost == null ? settlement : new ReplacedRejection(settlement, ErrorCode.MESSAGE_LOCK_LOST, lost);
    }

    private Call batchDelete(Arguments arguments) throws MessageFormatException {
        Command command = new Command.BatchDeleteMessages(
                subQueue,
                arguments.count(COUNT),
                arguments.timestamp("enqueued-time-utc"),
                arguments.optionalText(SessionScope.SESSION_ID));
        Call delete = call(command, reply -> {
            int count = ((Reply.Deleted) reply).count();
            return count == 0 ? Result.NOTHING : Result.of(COUNT, count);
        });
        return audit.audited(delete, Operation.PREFIX + BATCH_DELETE, EnumSet.of(AccessRight.LISTEN), "", result -> {
            Object count = result.body().get(COUNT);
            return count == null ? null : count + " messages";
        });
    }

    private Call call(Command command, Function<Reply, Result> result) {
        return new CommandCall(Work.on(entity, command), result);
    }

    private Call done(Command command) {
        return call(command, reply -> Result.EMPTY);
    }

    private List<Map<String, Object>> encodeAll(List<MessageView> messages, boolean bodies) {
        List<Map<String, Object>> entries = new ArrayList<>(messages.size());
        for (MessageView message : messages) {
            UUID lockToken = message.lockToken();
            ByteBuffer encoded = bodies ? encoder.encode(message) : encoder.encodeHead(message);
            entries.add(
                    lockToken == null
                            ? Map.of("message", encoded)
                            : Map.of("message", encoded, "lock-token", lockToken));
        }
        return entries;
    }

    /** Returns null for an empty text: one client sends empty texts for "none". */
    private static @Nullable String textOrNull(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    private static MessageFormatException refused(String description) {
        return new MessageFormatException(new Rejection(ErrorCode.INVALID_OPERATION, description));
    }
}
