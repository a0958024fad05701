package dev.jitney.model;

import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message as a receiver or a peek sees it: the sender's content and the additions of the broker.
 *
 * @param envelope the facts that the broker keeps about the message. Its delivery count is the one on the wire. Its
 *     overrides replace properties of the content with the same name; the other overrides follow in their order.
 * @param state active, deferred or scheduled
 * @param lockToken token of the peek-lock, or null if the message was peeked or received in the mode receive-and-delete
 * @param lockedUntilMs time when that lock ends, milliseconds since the epoch; 0 without a lock
 * @param content the content as the sender encoded it
 */
public record MessageView(
        MessageEnvelope envelope,
        MessageState state,
        @Nullable UUID lockToken,
        long lockedUntilMs,
        MessageContent content) {

    /** The value of an expiry or a time to live without end. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Returns the same message without a lock, as received in the mode receive-and-delete. */
    public MessageView unlocked() {
        return new MessageView(envelope, state, null, 0, content);
    }

    /** Returns the same message with a lock that ends at another time, in milliseconds since the epoch (LOCK-5). */
    public MessageView lockedUntil(long untilMs) {
        return new MessageView(envelope, state, lockToken, untilMs, content);
    }

    public long sequenceNumber() {
        return envelope.sequenceNumber();
    }

    public long enqueuedSequenceNumber() {
        return envelope.enqueuedSequenceNumber();
    }

    public long enqueuedTimeMs() {
        return envelope.enqueuedTimeMs();
    }

    public long expiresAtMs() {
        return envelope.expiresAtMs();
    }

    public long scheduledEnqueueTimeMs() {
        return envelope.scheduledEnqueueTimeMs();
    }

    public int deliveryCount() {
        return envelope.deliveryCount();
    }

    public @Nullable String deadLetterSource() {
        return envelope.deadLetterSource();
    }

    public Map<String, EncodedValue> propertyOverrides() {
        return envelope.propertyOverrides();
    }
}
