package dev.jitney.model;

import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message as a receiver or a peek sees it: the sender's content and what the broker adds.
 *
 * @param sequenceNumber number within the entity, from 1 (SEQ-1)
 * @param enqueuedSequenceNumber the first number the message ever had (SEQ-5)
 * @param enqueuedTimeMs when it was stored in this entity, milliseconds since the epoch (SEQ-6)
 * @param expiresAtMs when it expires, milliseconds since the epoch; {@link #NEVER} if it does not (TTL-3)
 * @param scheduledEnqueueTimeMs when it was scheduled for, or 0
 * @param deliveryCount stored number of failed deliveries (STATE-5); the wire carries exactly this value
 * @param state active, deferred or scheduled
 * @param lockToken token of the peek-lock, or null if it was peeked or received for good
 * @param lockedUntilMs when that lock ends, milliseconds since the epoch; 0 without a lock
 * @param deadLetterSource the entity that dead-lettered it before it was forwarded on (DLQ-38), or null
 * @param content what the sender put into it
 * @param propertyOverrides application properties that settlements and the broker set later; they win over those of
 *     the content, in this order for names the content does not have
 */
public record MessageView(
        long sequenceNumber,
        long enqueuedSequenceNumber,
        long enqueuedTimeMs,
        long expiresAtMs,
        long scheduledEnqueueTimeMs,
        int deliveryCount,
        MessageState state,
        @Nullable UUID lockToken,
        long lockedUntilMs,
        @Nullable String deadLetterSource,
        MessageContent content,
        Map<String, EncodedValue> propertyOverrides) {

    /** An expiry or a time to live without end. */
    public static final long NEVER = Long.MAX_VALUE;

    /** The same message without a lock, as it is received for good. */
    public MessageView unlocked() {
        return withLock(null, 0);
    }

    /** The same message under the same lock, which ends at another time, milliseconds since the epoch (LOCK-5). */
    public MessageView lockedUntil(long untilMs) {
        return withLock(lockToken, untilMs);
    }

    private MessageView withLock(@Nullable UUID token, long untilMs) {
        return new MessageView(
                sequenceNumber,
                enqueuedSequenceNumber,
                enqueuedTimeMs,
                expiresAtMs,
                scheduledEnqueueTimeMs,
                deliveryCount,
                state,
                token,
                untilMs,
                deadLetterSource,
                content,
                propertyOverrides);
    }
}
