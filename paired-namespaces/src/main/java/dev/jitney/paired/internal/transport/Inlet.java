package dev.jitney.paired.internal.transport;

import com.azure.core.amqp.models.AmqpAnnotatedMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import reactor.core.publisher.Mono;

/** A way to receive from one queue under peek-lock. Failures are the SDK's own. One receive at a time. */
public interface Inlet extends AutoCloseable {
    /**
     * Waits for messages.
     *
     * @param countMax at most this many
     * @param wait at most this long for the first one; a message ends it at once, with what has come by then
     * @return one to {@code countMax} messages, or none after the wait
     */
    Mono<List<Delivered>> receive(int countMax, Duration wait);

    Mono<Void> complete(Delivered message);

    Mono<Void> abandon(Delivered message);

    Mono<Void> deadLetter(Delivered message, String reason, String description);

    /** Messages that are not settled fall back when their locks end. Ends a receive. Does not fail. */
    @Override
    void close();

    /** A message under lock. */
    interface Delivered {
        AmqpAnnotatedMessage content();

        Instant lockedUntil();

        /** For logs. */
        long sequenceNumber();
    }
}
