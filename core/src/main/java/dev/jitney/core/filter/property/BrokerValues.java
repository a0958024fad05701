package dev.jitney.core.filter.property;

import dev.jitney.model.MessageView;

/**
 * The system properties that the broker sets, which are therefore not in a message's content.
 *
 * @param sequenceNumber number within the entity that evaluates the message; 0 if there is none yet
 * @param enqueuedSequenceNumber the first number of the message in any entity; 0 if there is none yet
 * @param enqueuedTimeMs time when the message was stored, milliseconds since the epoch
 * @param expiresAtMs time when the message expires, milliseconds since the epoch; {@link MessageView#NEVER} without an
 *     expiry
 * @param timeToLiveMs time to live in milliseconds; {@link MessageView#NEVER} without a limit
 * @param scheduledEnqueueTimeMs time for which the message was scheduled, milliseconds since the epoch, or 0
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

    /** Returns the values of a stored message. */
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
