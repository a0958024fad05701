package dev.jitney.paired.internal.transport;

import com.azure.core.amqp.models.AmqpAnnotatedMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;

/**
 * A message as the SDK has received it.
 *
 * @param lockedUntil by this machine's clock
 */
record SdkDelivered(ServiceBusReceivedMessage message, Instant lockedUntil) implements Inlet.Delivered {
    /** The shortest lock that a queue can be told to give (QueueDescription.LockDuration). */
    private static final Duration LOCK_MIN = Duration.ofSeconds(5);

    /**
     * Takes over what has just arrived. The broker says by its own clock how long the lock holds. Where this machine's
     * clock is ahead of that by more than a lock, every message would seem to come too late: so each counts as locked for
     * a while after it came.
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
