package dev.jitney.paired.internal.transport;

import com.azure.core.amqp.models.AmqpAnnotatedMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;

/**
 * A message received by the SDK.
 *
 * @param lockedUntil on this machine's clock
 */
record SdkDelivered(ServiceBusReceivedMessage message, Instant lockedUntil) implements Inlet.Delivered {
    /** The shortest lock duration of a queue (QueueDescription.LockDuration). */
    private static final Duration LOCK_MIN = Duration.ofSeconds(5);

    /**
     * Wraps a message that has just arrived. The broker reports the lock expiry on its own clock. If this machine's clock were
     * ahead by more than a lock duration, every message would seem to arrive too late. So each message counts as locked for a
     * minimum time after its arrival.
     */
    static SdkDelivered at(Instant arrival, ServiceBusReceivedMessage message) {
        OffsetDateTime told = message.getLockedUntil();
        Instant least = arrival.plus(LOCK_MIN);
        return new SdkDelivered(message, told == null || told.toInstant().isBefore(least) ? least : told.toInstant());
    }

    @Override
    public AmqpAnnotatedMessage content() {
        return message.getRawAmqpMessage();
    }

    @Override
    public long sequenceNumber() {
        return message.getSequenceNumber();
    }
}
