package dev.jitney.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The facts that the broker keeps about a message beside its content: numbers, times, session and history. A message on its
 * way in, in the store, on its way to another entity and in the hands of a receiver has one each; parts that are not
 * known yet have the defaults of {@link #NEW}.
 *
 * @param sequenceNumber number within the entity, from 1 (SEQ-1); 0 before the message has one
 * @param enqueuedSequenceNumber the first number the message ever had (SEQ-5); 0 before it has one
 * @param enqueuedTimeMs when it was stored in the entity, milliseconds since the epoch (SEQ-6)
 * @param expiresAtMs when it expires, milliseconds since the epoch, or {@link MessageView#NEVER} (TTL-3); of a scheduled
 *     message in the store still the time to live, because its expiry counts from activation (TTL-12)
 * @param scheduledEnqueueTimeMs when it is or was scheduled for, milliseconds since the epoch, or 0
 * @param deliveryCount stored number of failed deliveries (STATE-5)
 * @param sessionId group-id, or null
 * @param deadLetterSource the entity whose dead-letter queue it was forwarded from (DLQ-38), or null
 * @param propertyOverrides application properties that settlements and the broker set after the message was sent, in order
 * @param hops transfers that have brought it here, 0 to {@link #HOPS_MAX}; one more while it is on its way (FWD-9)
 * @param firstEnqueuedTimeMs when the first entity stored the message, milliseconds since the epoch; 0 if that is this entity
 * @param wasScheduled whether it waited for its time before it became active (STATE-9)
 */
public record MessageEnvelope(
        long sequenceNumber,
        long enqueuedSequenceNumber,
        long enqueuedTimeMs,
        long expiresAtMs,
        long scheduledEnqueueTimeMs,
        int deliveryCount,
        @Nullable String sessionId,
        @Nullable String deadLetterSource,
        Map<String, EncodedValue> propertyOverrides,
        int hops,
        long firstEnqueuedTimeMs,
        boolean wasScheduled) {

    /** Transfers a message may make; the next one is not made (FWD-9). */
    public static final int HOPS_MAX = 4;

    /** The envelope of a message of which nothing is known yet. */
    public static final MessageEnvelope NEW = new Builder().build();

    /** A builder that starts from {@link #NEW}. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts from this envelope. */
    public Builder toBuilder() {
        Builder b = new Builder();
        b.sequenceNumber = sequenceNumber;
        b.enqueuedSequenceNumber = enqueuedSequenceNumber;
        b.enqueuedTimeMs = enqueuedTimeMs;
        b.expiresAtMs = expiresAtMs;
        b.scheduledEnqueueTimeMs = scheduledEnqueueTimeMs;
        b.deliveryCount = deliveryCount;
        b.sessionId = sessionId;
        b.deadLetterSource = deadLetterSource;
        b.propertyOverrides = propertyOverrides;
        b.hops = hops;
        b.firstEnqueuedTimeMs = firstEnqueuedTimeMs;
        b.wasScheduled = wasScheduled;
        return b;
    }

    /** The envelope of a message as a client sends it: {@link #NEW} itself for most messages. */
    public static MessageEnvelope sent(@Nullable String sessionId, long scheduledEnqueueTimeMs) {
        return sessionId == null && scheduledEnqueueTimeMs == 0
                ? NEW
                : new Builder()
                        .sessionId(sessionId)
                        .scheduledEnqueueTimeMs(scheduledEnqueueTimeMs)
                        .build();
    }

    /** Whether another entity has handed the message on (FWD-9 to FWD-11); messages of clients have no past. */
    public boolean isHandedOn() {
        return hops > 0 || enqueuedSequenceNumber > 0 || deadLetterSource != null;
    }

    /** The same under another number. */
    public MessageEnvelope withSequenceNumber(long value) {
        return toBuilder().sequenceNumber(value).build();
    }

    /**
     * The same as a receiver sees it; itself if that is no different.
     *
     * @param expiryMs when it expires
     * @param deliveries failed deliveries
     * @param overrides application properties set since the message was sent
     */
    public MessageEnvelope shown(long expiryMs, int deliveries, Map<String, EncodedValue> overrides) {
        return expiryMs == expiresAtMs && deliveries == deliveryCount && overrides == propertyOverrides
                ? this
                : toBuilder()
                        .expiresAtMs(expiryMs)
                        .deliveryCount(deliveries)
                        .propertyOverrides(overrides)
                        .build();
    }

    /** The same as another entity has handed it on. */
    public MessageEnvelope handedOn(int hopsMade, long firstNumber, @Nullable String source) {
        return toBuilder()
                .hops(hopsMade)
                .enqueuedSequenceNumber(firstNumber)
                .deadLetterSource(source)
                .build();
    }

    /** Collects the parts of an envelope; not thread-safe. */
    public static final class Builder {
        private long sequenceNumber;
        private long enqueuedSequenceNumber;
        private long enqueuedTimeMs;
        private long expiresAtMs = MessageView.NEVER;
        private long scheduledEnqueueTimeMs;
        private int deliveryCount;
        private @Nullable String sessionId;
        private @Nullable String deadLetterSource;
        private Map<String, EncodedValue> propertyOverrides = Map.of();
        private int hops;
        private long firstEnqueuedTimeMs;
        private boolean wasScheduled;

        private Builder() {}

        public Builder sequenceNumber(long value) {
            sequenceNumber = value;
            return this;
        }

        public Builder enqueuedSequenceNumber(long value) {
            enqueuedSequenceNumber = value;
            return this;
        }

        public Builder enqueuedTimeMs(long value) {
            enqueuedTimeMs = value;
            return this;
        }

        public Builder expiresAtMs(long value) {
            expiresAtMs = value;
            return this;
        }

        public Builder scheduledEnqueueTimeMs(long value) {
            scheduledEnqueueTimeMs = value;
            return this;
        }

        public Builder deliveryCount(int value) {
            deliveryCount = value;
            return this;
        }

        public Builder sessionId(@Nullable String value) {
            sessionId = value;
            return this;
        }

        public Builder deadLetterSource(@Nullable String value) {
            deadLetterSource = value;
            return this;
        }

        public Builder propertyOverrides(Map<String, EncodedValue> value) {
            propertyOverrides = value;
            return this;
        }

        public Builder hops(int value) {
            hops = value;
            return this;
        }

        public Builder firstEnqueuedTimeMs(long value) {
            firstEnqueuedTimeMs = value;
            return this;
        }

        public Builder wasScheduled(boolean value) {
            wasScheduled = value;
            return this;
        }

        public MessageEnvelope build() {
            return new MessageEnvelope(
                    sequenceNumber,
                    enqueuedSequenceNumber,
                    enqueuedTimeMs,
                    expiresAtMs,
                    scheduledEnqueueTimeMs,
                    deliveryCount,
                    sessionId,
                    deadLetterSource,
                    propertyOverrides,
                    hops,
                    firstEnqueuedTimeMs,
                    wasScheduled);
        }
    }
}
