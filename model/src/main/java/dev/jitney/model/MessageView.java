package dev.jitney.model;

import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message as a receiver or a peek sees it: the sender's content and what the broker adds.
 *
 * @param envelope what the broker keeps about the message; its delivery count is what the wire carries, and its overrides win
 *     over the properties of the content, in their order for names the content does not have
 * @param state active, deferred or scheduled
 * @param lockToken token of the peek-lock, or null if it was peeked or received for good
 * @param lockedUntilMs when that lock ends, milliseconds since the epoch; 0 without a lock
 * @param content what the sender put into it
 */
public record MessageView(
        MessageEnvelope envelope,
        MessageState state,
        @Nullable UUID lockToken,
        long lockedUntilMs,
        MessageContent content) {

    /** An expiry or a time to live without end. */
    public static final long NEVER = Long.MAX_VALUE;

    /** The same message without a lock, as it is received for good. */
    public MessageView unlocked() {
        return new MessageView(envelope, state, null, 0, content);
    }

    /** The same message under the same lock, which ends at another time, milliseconds since the epoch (LOCK-5). */
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
