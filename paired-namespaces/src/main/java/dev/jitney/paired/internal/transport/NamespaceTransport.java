package dev.jitney.paired.internal.transport;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A namespace for senders, syphon and pairing. Thread-safe; connects on first use. */
public interface NamespaceTransport extends AutoCloseable {
    /** Returns the identity of this namespace: host and port, in lower case (PAIR-3). */
    String address();

    /** Returns the first part of the backlog queues' names: the first label of the host (PAIR-23). */
    String namespaceName();

    /** Returns the maximum time of one try of an operation. */
    Duration operationTimeout();

    /** Returns an outlet for sends with the application's retries. */
    Outlet outlet(String path);

    /**
     * Returns an outlet for sends while this namespace is the primary of a pair.
     *
     * @param asked the retries of the pairing, or null to use those of the application, or else those of {@link
     *        PrimaryRetries}
     */
    Outlet outletOfPrimary(String path, @Nullable AmqpRetryOptions asked);

    /**
     * Returns an outlet for pings and the syphon, which do their own retries. It tries once and uses separate connections, so
     * that sends of applications neither wait for it nor fail with it.
     *
     * @param timeout of the one try
     */
    Outlet outletWithoutRetries(String path, Duration timeout);

    /**
     * Returns an inlet for the messages of one queue, under peek-lock.
     *
     * @param prefetch the maximum number of messages waiting in the client
     * @param now the clock that determines whether locks are still valid
     */
    Inlet inlet(String queue, int prefetch, Supplier<Instant> now);

    /** Returns whether a queue exists. Fails with the SDK's exceptions. */
    Mono<Boolean> queueExists(String name);

    /** Creates a queue. Succeeds if it exists already (PAIR-25). */
    Mono<Void> createQueue(String name, CreateQueueOptions description);

    /** Closes all open clients. Does not fail. */
    @Override
    void close();
}
