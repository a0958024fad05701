package dev.jitney.paired.internal.transport;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** One namespace as senders, syphon and pairing use it. For any thread; nothing connects before it is used. */
public interface NamespaceTransport extends AutoCloseable {
    /** What distinguishes this namespace from others: host and port, in lower case (PAIR-3). */
    String address();

    /** By which backlog queues are named: the first label of the host (PAIR-23). */
    String namespaceName();

    /** How long one try of an operation takes at most. */
    Duration operationTimeout();

    /** For sends with the retries that the application asked for. */
    Outlet outlet(String path);

    /**
     * For sends while this namespace is the primary of a pair.
     *
     * @param asked the retries that the pairing asks for, or null: then those that the application asked for, or else
     *        those of {@link PrimaryRetries}
     */
    Outlet outletOfPrimary(String path, @Nullable AmqpRetryOptions asked);

    /**
     * For pings and the syphon, which try again by themselves: one try, on connections of their own, so that what
     * applications send neither waits for them nor shares their fate.
     *
     * @param timeout for that one try
     */
    Outlet outletWithoutRetries(String path, Duration timeout);

    /**
     * For the messages of one queue, under peek-lock.
     *
     * @param prefetch how many messages may wait in the client
     * @param now the time, by which it is judged how long locks hold
     */
    Inlet inlet(String queue, int prefetch, Supplier<Instant> now);

    /** Whether there is a queue of that name; what fails, fails with the SDK's exception. */
    Mono<Boolean> queueExists(String name);

    /** Creates a queue; one that exists meanwhile is as good (PAIR-25). */
    Mono<Void> createQueue(String name, CreateQueueOptions description);

    /** Closes what is still open. Does not fail. */
    @Override
    void close();
}
