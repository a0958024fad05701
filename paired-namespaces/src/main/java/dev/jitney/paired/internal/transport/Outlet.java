package dev.jitney.paired.internal.transport;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A sender to one queue or topic. Failures are the SDK's exceptions. Thread-safe. */
public interface Outlet extends AutoCloseable {
    Mono<Void> send(ServiceBusMessage message, @Nullable ServiceBusTransactionContext transaction);

    /** Sends messages together, all or none. */
    Mono<Void> send(List<ServiceBusMessage> messages, @Nullable ServiceBusTransactionContext transaction);

    /** Sends a batch from {@link #createBatch} of an outlet of this type. */
    Mono<Void> send(Batch batch, @Nullable ServiceBusTransactionContext transaction);

    /**
     * @param sizeBytesMax the maximum size, or 0 for the maximum of the entity
     */
    Mono<Batch> createBatch(int sizeBytesMax);

    /** Schedules messages. Returns the sequence numbers in the order of the messages. */
    Flux<Long> schedule(List<ServiceBusMessage> messages, OffsetDateTime time);

    Mono<Void> cancel(List<Long> sequenceNumbers);

    Mono<ServiceBusTransactionContext> createTransaction();

    Mono<Void> commit(ServiceBusTransactionContext transaction);

    Mono<Void> rollback(ServiceBusTransactionContext transaction);

    /** Closes the outlet. Sends in progress end or fail. Does not fail. */
    @Override
    void close();

    /** A batch with a size limit. Not thread-safe. */
    interface Batch {
        boolean tryAdd(ServiceBusMessage message);

        int count();

        int sizeBytes();

        int sizeBytesMax();
    }
}
