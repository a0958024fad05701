package dev.jitney.core.partition;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the key of messages for one partitioned entity (semantics 17.3): the SessionId, else the PartitionKey,
 * else, only with duplicate detection, the MessageId.
 *
 * @param fragments number of fragments of the entity, more than 1
 * @param requiresSession whether the entity is session-aware; a topic is if one of its subscriptions is (PART-49)
 * @param requiresDuplicateDetection whether MessageId is a key (PART-35, PART-37)
 * @param lengthMax maximum length of a key in characters (PART-25, QUOTA-6)
 */
public record KeyRules(int fragments, boolean requiresSession, boolean requiresDuplicateDetection, int lengthMax) {

    public KeyRules {
        if (fragments < 2) {
            throw new IllegalArgumentException(
                    "Expected a partitioned entity of at least 2 fragments, but got " + fragments + ".");
        }
    }

    /**
     * The key of messages that are sent together.
     *
     * @param key null if no message has a key, or all are pings
     * @param refusal the reason why they cannot be sent together, or null
     */
    public record Key(@Nullable String key, @Nullable Rejection refusal) {
        static final Key NONE = new Key(null, null);

        static Key refused(String sentence) {
            return new Key(null, new Rejection(ErrorCode.INVALID_OPERATION, sentence));
        }
    }

    /**
     * Returns the key of a batch. Either all its messages have the same key, or none has one (MSG-8). Pings do not
     * matter, because they are not stored.
     */
    public Key keyOf(List<IncomingMessage> messages) {
        Key first = null;
        for (IncomingMessage message : messages) {
            if (message.ping()) {
                continue;
            }
            Key next = keyOf(message);
            if (next.refusal != null) {
                return next;
            }
            if (first == null) {
                first = next;
            } else if (!same(first.key, next.key)) {
                return Key.refused(
                        "Expected all messages of a batch for a partitioned entity to have the same SessionId or"
                                + " PartitionKey, or none of them to have one, but they differ."
                                + (requiresDuplicateDetection
                                        ? " The MessageId is the key of messages that have neither, because the"
                                                + " entity detects"
                                                + " duplicates. Set the same PartitionKey on all of them."
                                        : ""));
            }
        }
        return first == null ? Key.NONE : first;
    }

    /**
     * Returns whether the message has a SessionId and a different PartitionKey. An empty SessionId is a valid session id,
     * but some clients send it for none, so it is not compared (SESS-22).
     */
    public static boolean contradict(IncomingMessage message) {
        String session = message.sessionId();
        String partition = message.partitionKey();
        return session != null && !session.isEmpty() && partition != null && !session.equals(partition);
    }

    private Key keyOf(IncomingMessage message) {
        String session = message.sessionId();
        String partition = message.partitionKey();
        if (contradict(message)) { // PART-32, PART-50
            return Key.refused("Expected PartitionKey and SessionId to be equal, but they differ.");
        }
        String key = session != null ? session : partition;
        if (key == null && requiresDuplicateDetection) {
            key = message.messageId();
            if (key == null || key.isEmpty()) { // DUP-7
                return Key.refused(
                        "Expected a SessionId, PartitionKey or MessageId, because the entity is partitioned and detects"
                                + " duplicates, but the message has none of them.");
            }
        }
        if (key == null) {
            return Key.NONE;
        }
        return key.length() <= lengthMax
                ? new Key(key, null)
                : new Key(
                        null,
                        new Rejection(
                                ErrorCode.ARGUMENT,
                                "Expected a SessionId, PartitionKey and MessageId of at most " + lengthMax
                                        + " characters, but got " + key.length() + "."));
    }

    private static boolean same(@Nullable String a, @Nullable String b) {
        return a == null ? b == null : a.equals(b);
    }
}
