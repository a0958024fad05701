package dev.jitney.model;

import org.jspecify.annotations.Nullable;

/**
 * A message on its way in: what the core must know of it, and its content unread.
 *
 * @param messageId message id as text, or null if the sender gave none
 * @param partitionKey annotation {@code x-opt-partition-key}, or null
 * @param timeToLiveMs time to live as sent, in milliseconds; {@link MessageView#NEVER} if not set, 0 or
 *     less is refused (TTL-2)
 * @param ping whether the content type marks it as a ping of a paired namespace (PAIR-32)
 * @param encodedSizeBytes size of the transfer payload of this message, which quotas speak of (QUOTA-5)
 * @param headerSizeBytes bytes of properties and application properties (QUOTA-6)
 * @param largestPropertySizeBytes bytes of the largest application property (QUOTA-6)
 * @param content the rest
 * @param envelope its session and the time it is scheduled for, as sent, and what it brings along from entities that have
 *     handed it on
 */
public record IncomingMessage(
        @Nullable String messageId,
        @Nullable String partitionKey,
        long timeToLiveMs,
        boolean ping,
        int encodedSizeBytes,
        int headerSizeBytes,
        int largestPropertySizeBytes,
        MessageContent content,
        MessageEnvelope envelope) {

    /** A message with that content, of its size, and nothing else set. */
    public static Builder of(MessageContent content) {
        return new Builder(content);
    }

    /** A builder that starts from this message. */
    public Builder toBuilder() {
        return new Builder(content)
                .messageId(messageId)
                .partitionKey(partitionKey)
                .timeToLiveMs(timeToLiveMs)
                .ping(ping)
                .sizes(encodedSizeBytes, headerSizeBytes, largestPropertySizeBytes)
                .envelope(envelope);
    }

    /** The same message with that envelope. */
    public IncomingMessage with(MessageEnvelope other) {
        return toBuilder().envelope(other).build();
    }

    /** Group-id, or null. */
    public @Nullable String sessionId() {
        return envelope.sessionId();
    }

    /** Annotation {@code x-opt-scheduled-enqueue-time} in milliseconds since the epoch, or 0. */
    public long scheduledEnqueueTimeMs() {
        return envelope.scheduledEnqueueTimeMs();
    }

    /** How many transfers it has made (FWD-9). */
    public int hops() {
        return envelope.hops();
    }

    /** Collects the parts of a message; not thread-safe. */
    public static final class Builder {
        private final MessageContent content;
        private @Nullable String messageId;
        private @Nullable String partitionKey;
        private long timeToLiveMs = MessageView.NEVER;
        private boolean ping;
        private int encodedSizeBytes;
        private int headerSizeBytes;
        private int largestPropertySizeBytes;
        private MessageEnvelope envelope = MessageEnvelope.NEW;

        private Builder(MessageContent content) {
            this.content = content;
            this.encodedSizeBytes = content.sizeBytes();
        }

        public Builder messageId(@Nullable String value) {
            messageId = value;
            return this;
        }

        public Builder partitionKey(@Nullable String value) {
            partitionKey = value;
            return this;
        }

        public Builder timeToLiveMs(long value) {
            timeToLiveMs = value;
            return this;
        }

        public Builder ping(boolean value) {
            ping = value;
            return this;
        }

        /**
         * Bytes that quotas speak of.
         *
         * @param encoded size of the transfer payload of this message
         * @param header size of properties and application properties
         * @param largestProperty size of the largest application property
         */
        public Builder sizes(int encoded, int header, int largestProperty) {
            encodedSizeBytes = encoded;
            headerSizeBytes = header;
            largestPropertySizeBytes = largestProperty;
            return this;
        }

        public Builder envelope(MessageEnvelope value) {
            envelope = value;
            return this;
        }

        /** Sets the session and the time in the envelope, and nothing else in it. */
        public Builder sent(@Nullable String sessionId, long scheduledEnqueueTimeMs) {
            return envelope(MessageEnvelope.sent(sessionId, scheduledEnqueueTimeMs));
        }

        public IncomingMessage build() {
            return new IncomingMessage(
                    messageId,
                    partitionKey,
                    timeToLiveMs,
                    ping,
                    encodedSizeBytes,
                    headerSizeBytes,
                    largestPropertySizeBytes,
                    content,
                    envelope);
        }
    }
}
