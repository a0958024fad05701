package dev.jitney.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The facts that the broker keeps about a message besides its content: numbers, times, session and history. A message has
 * one envelope on arrival, in the store, on transfer to another entity and at delivery. Parts that are not known yet have
 * the defaults of {@link #NEW}.
 *
 * @param sequenceNumber number within the entity, from 1 (SEQ-1); 0 before the message has one
 * @param enqueuedSequenceNumber the first number of the message in any entity (SEQ-5); 0 before it has one
 * @param enqueuedTimeMs time when the message was stored in the entity, milliseconds since the epoch (SEQ-6)
 * @param expiresAtMs time when the message expires, milliseconds since the epoch, or {@link MessageView#NEVER} (TTL-3);
 *     for a scheduled message in the store its time to live as sent, because its expiry counts from activation (TTL-12), with the
 *     limits of that moment (TTL-16)
 * @param scheduledEnqueueTimeMs time for which the message is or was scheduled, milliseconds since the epoch, or 0
 * @param deliveryCount stored number of failed deliveries (STATE-5)
 * @param sessionId group-id, or null
 * @param deadLetterSource the entity from whose dead-letter queue the message was forwarded (DLQ-38), or null
 * @param propertyOverrides application properties that settlements and the broker set after the message was sent, in
 *     order
 * @param hops completed transfers between entities, 0 to {@link #HOPS_MAX}; during a transfer one more (FWD-9)
 * @param wasScheduled whether the message was scheduled before it became active (STATE-9)
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
        boolean wasScheduled) {

    /** The maximum number of transfers of a message; the next one fails (FWD-9). */
    public static final int HOPS_MAX = 4;

    /** The envelope of a message about which nothing is known yet. */
    public static final MessageEnvelope NEW = new Builder().build();

    /** Returns a builder that starts from {@link #NEW}. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns a builder that starts from this envelope. */
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
        b.wasScheduled = wasScheduled;
        return b;
    }

    /** Returns the envelope of a message as a client sends it: {@link #NEW} itself for most messages. */
    public static MessageEnvelope sent(@Nullable String sessionId, long scheduledEnqueueTimeMs) {
        return sessionId == null && scheduledEnqueueTimeMs == 0
                ? NEW
                : new Builder()
                        .sessionId(sessionId)
                        .scheduledEnqueueTimeMs(scheduledEnqueueTimeMs)
                        .build();
    }

    /**
     * Returns whether another entity has forwarded the message (FWD-9 to FWD-11). Messages sent by clients have no
     * history.
     */
    public boolean isHandedOn() {
        return hops > 0 || enqueuedSequenceNumber > 0 || deadLetterSource != null;
    }

    /** Returns the same envelope with another sequence number. */
    public MessageEnvelope withSequenceNumber(long value) {
        return toBuilder().sequenceNumber(value).build();
    }

    /**
     * Returns the envelope as a receiver sees it: this envelope itself if nothing differs.
     *
     * @param expiryMs time when the message expires
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

    /** Returns the envelope of a message that another entity has forwarded. */
    public MessageEnvelope handedOn(int hopsMade, long firstNumber, @Nullable String source) {
        return toBuilder()
                .hops(hopsMade)
                .enqueuedSequenceNumber(firstNumber)
                .deadLetterSource(source)
                .build();
    }

    /** A builder of an envelope; not thread-safe. */
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
                    wasScheduled);
        }
    }
}
