package dev.jitney.paired.internal.transport;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusErrorSource;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusMessageBatch;
import com.azure.messaging.servicebus.ServiceBusSenderAsyncClient;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import com.azure.messaging.servicebus.models.CreateMessageBatchOptions;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A sender on one client of the SDK. */
final class SdkOutlet implements Outlet {
    private final ServiceBusSenderAsyncClient client;

    SdkOutlet(ServiceBusSenderAsyncClient client) {
        this.client = client;
    }

    @Override
    public Mono<Void> send(ServiceBusMessage message, @Nullable ServiceBusTransactionContext transaction) {
        return send(List.of(message), transaction);
    }

    /**
     * Sends the messages as a batch that this class fills. The SDK's own method drops a message that is smaller than the limit
     * by itself but larger with the overhead of a batch, and reports success.
     */
    @Override
    public Mono<Void> send(List<ServiceBusMessage> messages, @Nullable ServiceBusTransactionContext transaction) {
        return createBatch(0).flatMap(batch -> {
            for (ServiceBusMessage message : messages) {
                if (!batch.tryAdd(message)) {
                    return Mono.error(tooLarge(batch, messages.size()));
                }
            }
            return send(batch, transaction);
        });
    }

    private static ServiceBusException tooLarge(Batch batch, int count) {
        return new ServiceBusException(
                new AmqpException(
                        false,
                        AmqpErrorCondition.LINK_PAYLOAD_SIZE_EXCEEDED,
                        "Expected " + (count == 1 ? "a message" : count + " messages") + " of up to "
                                + batch.sizeBytesMax() + " bytes as a batch, but got more. Send fewer or smaller"
                                + " messages.",
                        null),
                ServiceBusErrorSource.SEND);
    }

    @Override
    public Mono<Void> send(Batch batch, @Nullable ServiceBusTransactionContext transaction) {
        ServiceBusMessageBatch content = ((SdkBatch) batch).content();
        return Mono.defer(
                () -> transaction == null ? client.sendMessages(content) : client.sendMessages(content, transaction));
    }

    @Override
    public Mono<Batch> createBatch(int sizeBytesMax) {
        CreateMessageBatchOptions options = new CreateMessageBatchOptions();
        if (sizeBytesMax > 0) {
            options.setMaximumSizeInBytes(sizeBytesMax);
        }
        return Mono.defer(() -> client.createMessageBatch(options)).map(SdkBatch::new);
    }

    @Override
    public Flux<Long> schedule(List<ServiceBusMessage> messages, OffsetDateTime time) {
        return Flux.defer(() -> client.scheduleMessages(messages, time));
    }

    @Override
    public Mono<Void> cancel(List<Long> sequenceNumbers) {
        return Mono.defer(() -> client.cancelScheduledMessages(sequenceNumbers));
    }

    @Override
    public Mono<ServiceBusTransactionContext> createTransaction() {
        return Mono.defer(client::createTransaction);
    }

    @Override
    public Mono<Void> commit(ServiceBusTransactionContext transaction) {
        return Mono.defer(() -> client.commitTransaction(transaction));
    }

    @Override
    public Mono<Void> rollback(ServiceBusTransactionContext transaction) {
        return Mono.defer(() -> client.rollbackTransaction(transaction));
    }

    @Override
    public void close() {
        client.close();
    }

    private record SdkBatch(ServiceBusMessageBatch content) implements Batch {
        @Override
        public boolean tryAdd(ServiceBusMessage message) {
            return content.tryAddMessage(message);
        }

        @Override
        public int count() {
            return content.getCount();
        }

        @Override
        public int sizeBytes() {
            return content.getSizeInBytes();
        }

        @Override
        public int sizeBytesMax() {
            return content.getMaxSizeInBytes();
        }
    }
}
