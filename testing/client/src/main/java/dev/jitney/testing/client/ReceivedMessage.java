package dev.jitney.testing.client;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A decoded message with the parts that tests need.
 *
 * @param messageId as received, a string in Jitney's own messages
 * @param correlationId as received
 * @param sequenceNumber the broker's number, 0 if there is none
 * @param enqueuedMs the time at which it was enqueued in milliseconds since the epoch, 0 if there is none
 * @param deliveryCount failed deliveries so far
 * @param state 0 active, 1 deferred, 2 scheduled (the annotation x-opt-message-state)
 * @param applicationProperties by name
 * @param data content of the data sections, empty if there are none
 * @param value content of the amqp-value section, or null
 */
public record ReceivedMessage(
        @Nullable Object messageId,
        @Nullable Object correlationId,
        long sequenceNumber,
        long enqueuedMs,
        long deliveryCount,
        int state,
        Map<String, Object> applicationProperties,
        byte[] data,
        @Nullable Object value) {}
