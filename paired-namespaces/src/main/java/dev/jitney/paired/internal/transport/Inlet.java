package dev.jitney.paired.internal.transport;

import com.azure.core.amqp.models.AmqpAnnotatedMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import reactor.core.publisher.Mono;

/** A receiver of one queue under peek-lock. Failures are the SDK's exceptions. Only one receive at a time. */
public interface Inlet extends AutoCloseable {
    /**
     * Waits for messages.
     *
     * @param countMax the maximum number of messages
     * @param wait the maximum time to wait for the first one; a message ends the wait, and all messages so far are returned
     */
    Mono<List<Delivered>> receive(int countMax, Duration wait);

    Mono<Void> complete(Delivered message);

    Mono<Void> abandon(Delivered message);

    Mono<Void> deadLetter(Delivered message, String reason, String description);

    /** Closes the receiver and ends a receive. Unsettled messages are delivered again when their locks expire. Does not fail. */
    @Override
    void close();

    /** A locked message. */
    interface Delivered {
        AmqpAnnotatedMessage content();

        Instant lockedUntil();

        /** Returns the sequence number, for logs. */
        long sequenceNumber();
    }
}
