package dev.jitney.paired.internal.transport;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A way to send to one queue or topic. Failures are the SDK's own. For any thread. */
public interface Outlet extends AutoCloseable {
    Mono<Void> send(ServiceBusMessage message, @Nullable ServiceBusTransactionContext transaction);

    /** All at once, all or nothing. */
    Mono<Void> send(List<ServiceBusMessage> messages, @Nullable ServiceBusTransactionContext transaction);

    /** A batch that {@link #createBatch} of an outlet of this kind made. */
    Mono<Void> send(Batch batch, @Nullable ServiceBusTransactionContext transaction);

    /**
     * @param sizeBytesMax at most this much, or 0 for as much as the entity takes
     */
    Mono<Batch> createBatch(int sizeBytesMax);

    /** The sequence numbers, in the order of the messages. */
    Flux<Long> schedule(List<ServiceBusMessage> messages, OffsetDateTime time);

    Mono<Void> cancel(List<Long> sequenceNumbers);

    Mono<ServiceBusTransactionContext> createTransaction();

    Mono<Void> commit(ServiceBusTransactionContext transaction);

    Mono<Void> rollback(ServiceBusTransactionContext transaction);

    /** Sends under way finish or fail. Does not fail. */
    @Override
    void close();

    /** Knows what still fits. Not for several threads. */
    interface Batch {
        boolean tryAdd(ServiceBusMessage message);

        int count();

        int sizeBytes();

        int sizeBytesMax();
    }
}
