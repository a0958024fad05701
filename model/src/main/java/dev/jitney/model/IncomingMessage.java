package dev.jitney.model;

import org.jspecify.annotations.Nullable;

/**
 * A message that arrives at the broker: the fields that the core needs, and the unread content.
 *
 * @param messageId message id as text, or null if the sender did not set one
 * @param partitionKey annotation {@code x-opt-partition-key}, or null
 * @param viaPartitionKey annotation {@code x-opt-via-partition-key}, or null; null also in a message that another entity forwards
 * @param replyToSessionId reply-to-group-id, or null; null also in a message that another entity forwards
 * @param timeToLiveMs time to live as sent, in milliseconds; {@link MessageView#NEVER} if not set; 0 or less is refused
 *     (TTL-2)
 * @param ping whether the content type marks the message as a ping of a paired namespace (PAIR-32)
 * @param encodedSizeBytes size of the transfer payload of this message, which counts against quotas (QUOTA-5)
 * @param headerSizeBytes size of properties and application properties (QUOTA-6)
 * @param largestPropertySizeBytes size of the largest application property (QUOTA-6)
 * @param content the content as the sender encoded it
 * @param envelope session and scheduled time as sent, and the history of the message if another entity has forwarded it
 */
public record IncomingMessage(
        @Nullable String messageId,
        @Nullable String partitionKey,
        @Nullable String viaPartitionKey,
        @Nullable String replyToSessionId,
        long timeToLiveMs,
        boolean ping,
        int encodedSizeBytes,
        int headerSizeBytes,
        int largestPropertySizeBytes,
        MessageContent content,
        MessageEnvelope envelope) {

    /** The bytes of the objects of a message besides its encoding, rounded: a small message takes mostly these. */
    public static final int OBJECT_BYTES = 300;

    /** Returns the bytes that the message takes while it waits: its encoding and its objects. */
    public long memoryBytes() {
        return (long) encodedSizeBytes + OBJECT_BYTES;
    }

    /** Returns a builder of a message with that content and the size of the content, and all other parts unset. */
    public static Builder of(MessageContent content) {
        return new Builder(content);
    }

    /** Returns a builder that starts from this message. */
    public Builder toBuilder() {
        return new Builder(content)
                .messageId(messageId)
                .partitionKey(partitionKey)
                .viaPartitionKey(viaPartitionKey)
                .replyToSessionId(replyToSessionId)
                .timeToLiveMs(timeToLiveMs)
                .ping(ping)
                .sizes(encodedSizeBytes, headerSizeBytes, largestPropertySizeBytes)
                .envelope(envelope);
    }

    /** Returns the same message with another envelope. */
    public IncomingMessage with(MessageEnvelope other) {
        return toBuilder().envelope(other).build();
    }

    /** Returns the group-id, or null. */
    public @Nullable String sessionId() {
        return envelope.sessionId();
    }

    /** Returns annotation {@code x-opt-scheduled-enqueue-time} in milliseconds since the epoch, or 0. */
    public long scheduledEnqueueTimeMs() {
        return envelope.scheduledEnqueueTimeMs();
    }

    /** Returns the number of transfers between entities so far (FWD-9). */
    public int hops() {
        return envelope.hops();
    }

    /** A builder of a message; not thread-safe. */
    public static final class Builder {
        private final MessageContent content;
        private @Nullable String messageId;
        private @Nullable String partitionKey;
        private @Nullable String viaPartitionKey;
        private @Nullable String replyToSessionId;
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

        public Builder viaPartitionKey(@Nullable String value) {
            viaPartitionKey = value;
            return this;
        }

        public Builder replyToSessionId(@Nullable String value) {
            replyToSessionId = value;
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
         * Sets the sizes that count against quotas, in bytes.
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

        /** Sets the session and the scheduled time in the envelope, and resets its other parts. */
        public Builder sent(@Nullable String sessionId, long scheduledEnqueueTimeMs) {
            return envelope(MessageEnvelope.sent(sessionId, scheduledEnqueueTimeMs));
        }

        public IncomingMessage build() {
            return new IncomingMessage(
                    messageId,
                    partitionKey,
                    viaPartitionKey,
                    replyToSessionId,
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
