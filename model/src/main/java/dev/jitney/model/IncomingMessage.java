package dev.jitney.model;

import org.jspecify.annotations.Nullable;

/**
 * A message on its way in: what the core must know of it, and its content unread.
 *
 * @param messageId message id as text, or null if the sender gave none
 * @param sessionId group-id, or null
 * @param partitionKey annotation {@code x-opt-partition-key}, or null
 * @param timeToLiveMs time to live as sent, in milliseconds; {@link MessageView#NEVER} if not set, 0 or
 *     less is refused (TTL-2)
 * @param scheduledEnqueueTimeMs annotation {@code x-opt-scheduled-enqueue-time} in milliseconds since the epoch, or 0
 * @param ping whether the content type marks it as a ping of a paired namespace (PAIR-32)
 * @param encodedSizeBytes size of the transfer payload of this message, which quotas speak of (QUOTA-5)
 * @param headerSizeBytes bytes of properties and application properties (QUOTA-6)
 * @param largestPropertySizeBytes bytes of the largest application property (QUOTA-6)
 * @param content the rest
 * @param forwardingHistory what it brings along from entities that have handed it on, or null if a client sends it
 */
public record IncomingMessage(
        @Nullable String messageId,
        @Nullable String sessionId,
        @Nullable String partitionKey,
        long timeToLiveMs,
        long scheduledEnqueueTimeMs,
        boolean ping,
        int encodedSizeBytes,
        int headerSizeBytes,
        int largestPropertySizeBytes,
        MessageContent content,
        @Nullable ForwardingHistory forwardingHistory) {

    /** A message of a client. */
    public IncomingMessage(
            @Nullable String messageId,
            @Nullable String sessionId,
            @Nullable String partitionKey,
            long timeToLiveMs,
            long scheduledEnqueueTimeMs,
            boolean ping,
            int encodedSizeBytes,
            int headerSizeBytes,
            int largestPropertySizeBytes,
            MessageContent content) {
        this(
                messageId,
                sessionId,
                partitionKey,
                timeToLiveMs,
                scheduledEnqueueTimeMs,
                ping,
                encodedSizeBytes,
                headerSizeBytes,
                largestPropertySizeBytes,
                content,
                null);
    }

    /** The same message with that forwarding history. */
    public IncomingMessage withForwardingHistory(@Nullable ForwardingHistory made) {
        return handedOn(timeToLiveMs, made);
    }

    /** The same message as another entity is to take it. */
    public IncomingMessage handedOn(long timeToLiveThenMs, @Nullable ForwardingHistory made) {
        return new IncomingMessage(
                messageId,
                sessionId,
                partitionKey,
                timeToLiveThenMs,
                scheduledEnqueueTimeMs,
                ping,
                encodedSizeBytes,
                headerSizeBytes,
                largestPropertySizeBytes,
                content,
                made);
    }

    /** How many transfers it has made (FWD-9). */
    public int hops() {
        return forwardingHistory == null ? 0 : forwardingHistory.hops();
    }
}
