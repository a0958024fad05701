package dev.jitney.core;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.MessageContent;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as its row says, written once. What changes later is a {@link MessageChange}.
 *
 * @param sequenceNumber number within the fragment
 * @param enqueuedSequenceNumber the first number it ever had (SEQ-5)
 * @param enqueuedTimeMs when it was stored in the entity, milliseconds since the epoch
 * @param expiresAtMs expiry, or {@link dev.jitney.model.MessageView#NEVER}; of a scheduled message still the time to
 *     live, because its expiry counts from activation (TTL-12)
 * @param scheduledEnqueueTimeMs when it is or was scheduled for, or 0
 * @param deliveryCount failed deliveries at the time of writing; above 0 only in a dead-letter queue
 * @param sessionId group-id, or null
 * @param deadLetterSource where it was dead-lettered before it was forwarded on, or null
 * @param propertyOverrides application properties set since it was sent, in order
 * @param content what the sender put into it
 * @param sharedBody where the content is kept if not in the row itself, or null
 * @param hops how many transfers have brought it here (FWD-9)
 * @param wasScheduled whether it waited for its time before it became active (STATE-9)
 */
public record StoredMessage(
        long sequenceNumber,
        long enqueuedSequenceNumber,
        long enqueuedTimeMs,
        long expiresAtMs,
        long scheduledEnqueueTimeMs,
        int deliveryCount,
        @Nullable String sessionId,
        @Nullable String deadLetterSource,
        Map<String, EncodedValue> propertyOverrides,
        MessageContent content,
        @Nullable SharedBody sharedBody,
        int hops,
        boolean wasScheduled) {

    /** A message that was not scheduled. */
    public StoredMessage(
            long sequenceNumber,
            long enqueuedSequenceNumber,
            long enqueuedTimeMs,
            long expiresAtMs,
            long scheduledEnqueueTimeMs,
            int deliveryCount,
            @Nullable String sessionId,
            @Nullable String deadLetterSource,
            Map<String, EncodedValue> propertyOverrides,
            MessageContent content,
            @Nullable SharedBody sharedBody,
            int hops) {
        this(
                sequenceNumber,
                enqueuedSequenceNumber,
                enqueuedTimeMs,
                expiresAtMs,
                scheduledEnqueueTimeMs,
                deliveryCount,
                sessionId,
                deadLetterSource,
                propertyOverrides,
                content,
                sharedBody,
                hops,
                false);
    }

    /** A message with its content in its own row. */
    public StoredMessage(
            long sequenceNumber,
            long enqueuedSequenceNumber,
            long enqueuedTimeMs,
            long expiresAtMs,
            long scheduledEnqueueTimeMs,
            int deliveryCount,
            @Nullable String sessionId,
            @Nullable String deadLetterSource,
            Map<String, EncodedValue> propertyOverrides,
            MessageContent content) {
        this(
                sequenceNumber,
                enqueuedSequenceNumber,
                enqueuedTimeMs,
                expiresAtMs,
                scheduledEnqueueTimeMs,
                deliveryCount,
                sessionId,
                deadLetterSource,
                propertyOverrides,
                content,
                null,
                0);
    }

    /** The same message as it is dead-lettered: everything but these stays (STATE-10). */
    public StoredMessage deadLettered(int deliveries, Map<String, EncodedValue> overrides, int hopsThen) {
        return new StoredMessage(
                sequenceNumber,
                enqueuedSequenceNumber,
                enqueuedTimeMs,
                expiresAtMs,
                scheduledEnqueueTimeMs,
                deliveries,
                sessionId,
                deadLetterSource,
                overrides,
                content,
                sharedBody,
                hopsThen,
                wasScheduled);
    }

    /** What the message counts towards the size of its entity (QUOTA-2); a shared body counts with its topic. */
    public int sizeBytes() {
        return ownContentBytes() + MessageChange.sizeOf(propertyOverrides);
    }

    /** Bytes of content in the message's own row. */
    public int ownContentBytes() {
        return sharedBody == null ? content.sizeBytes() : 0;
    }
}
