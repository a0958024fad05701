package dev.jitney.core.filter.property;

import dev.jitney.model.MessageView;

/**
 * The system properties that the broker sets or decides, which are therefore not in a message's content.
 *
 * @param sequenceNumber number within the entity whose message is judged; 0 while there is none
 * @param enqueuedSequenceNumber the first number the message ever had; 0 while there is none
 * @param enqueuedTimeMs when it was stored, milliseconds since the epoch
 * @param expiresAtMs when it expires, milliseconds since the epoch; {@link MessageView#NEVER} if it does not
 * @param timeToLiveMs time to live in milliseconds; {@link MessageView#NEVER} for ever
 * @param scheduledEnqueueTimeMs when it was scheduled for, milliseconds since the epoch, or 0
 * @param deliveryCount failed deliveries so far
 * @param sizeBytes size of the message
 */
public record BrokerValues(
        long sequenceNumber,
        long enqueuedSequenceNumber,
        long enqueuedTimeMs,
        long expiresAtMs,
        long timeToLiveMs,
        long scheduledEnqueueTimeMs,
        int deliveryCount,
        long sizeBytes) {

    /** The values of a stored message. */
    public static BrokerValues of(MessageView message) {
        return new BrokerValues(
                message.sequenceNumber(),
                message.enqueuedSequenceNumber(),
                message.enqueuedTimeMs(),
                message.expiresAtMs(),
                message.expiresAtMs() == MessageView.NEVER
                        ? MessageView.NEVER
                        : message.expiresAtMs() - message.enqueuedTimeMs(),
                message.scheduledEnqueueTimeMs(),
                message.deliveryCount(),
                message.content().sizeBytes());
    }
}
