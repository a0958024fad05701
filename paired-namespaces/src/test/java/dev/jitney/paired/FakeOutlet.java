package dev.jitney.paired;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import dev.jitney.paired.internal.transport.Outlet;
import java.lang.reflect.Constructor;
import java.nio.ByteBuffer;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An outlet of a {@link FakeNamespace}. */
final class FakeOutlet implements Outlet {
    private final FakeNamespace namespace;
    private final String path;
    private boolean closed;

    FakeOutlet(FakeNamespace namespace, String path) {
        this.namespace = namespace;
        this.path = path;
        namespace.opened(1);
    }

    private Mono<Void> call(String operation, Runnable happens) {
        return Mono.defer(() -> {
            if (isClosed()) {
                return Mono.error(
                        new IllegalStateException("Cannot perform '" + operation + "' on a disposed sender."));
            }
            return namespace.call(operation, path, happens);
        });
    }

    @Override
    public Mono<Void> send(ServiceBusMessage message, ServiceBusTransactionContext transaction) {
        return call(
                FakeNamespace.isPing(message.getRawAmqpMessage()) ? "ping" : "send",
                () -> namespace.store(path, message.getRawAmqpMessage()));
    }

    @Override
    public Mono<Void> send(List<ServiceBusMessage> messages, ServiceBusTransactionContext transaction) {
        return Mono.defer(() -> {
            if (messages.stream().mapToInt(FakeNamespace.Sizes::of).sum() > messageBytesMax()) {
                return Mono.error(SdkErrors.tooLarge());
            }
            FakeQueue queue = namespace.queue(path);
            if (queue != null
                    && queue.oneSessionABatch
                    && messages.stream()
                                    .map(ServiceBusMessage::getSessionId)
                                    .distinct()
                                    .count()
                            > 1) {
                return Mono.error(SdkErrors.argument());
            }
            return call("send", () -> messages.forEach(message -> namespace.store(path, message.getRawAmqpMessage())));
        });
    }

    @Override
    public Mono<Void> send(Batch batch, ServiceBusTransactionContext transaction) {
        return send(((FakeBatch) batch).messages, transaction);
    }

    private int messageBytesMax() {
        FakeQueue queue = namespace.queue(path);
        return queue == null ? 0 : queue.messageBytesMax;
    }

    @Override
    public Mono<Batch> createBatch(int sizeBytesMax) {
        return call("batch", () -> {})
                .then(Mono.fromSupplier(() -> new FakeBatch(sizeBytesMax == 0 ? messageBytesMax() : sizeBytesMax)));
    }

    @Override
    public Flux<Long> schedule(List<ServiceBusMessage> messages, OffsetDateTime time) {
        return call("schedule", () -> {})
                .thenMany(Flux.range(1, messages.size()).map(Integer::longValue));
    }

    @Override
    public Mono<Void> cancel(List<Long> sequenceNumbers) {
        return call("cancel", () -> {});
    }

    @Override
    public Mono<ServiceBusTransactionContext> createTransaction() {
        return call("transaction", () -> {}).then(Mono.fromSupplier(FakeOutlet::context));
    }

    /** Fails, because only the SDK can create transactions. */
    private static ServiceBusTransactionContext context() {
        try {
            Constructor<ServiceBusTransactionContext> maker =
                    ServiceBusTransactionContext.class.getDeclaredConstructor(ByteBuffer.class);
            maker.setAccessible(true);
            return maker.newInstance(ByteBuffer.wrap(new byte[] {1}));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public Mono<Void> commit(ServiceBusTransactionContext transaction) {
        return call("commit", () -> {});
    }

    @Override
    public Mono<Void> rollback(ServiceBusTransactionContext transaction) {
        return call("rollback", () -> {});
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        namespace.opened(-1);
    }

    private static final class FakeBatch implements Batch {
        private final int sizeBytesMax;
        private final List<ServiceBusMessage> messages = new ArrayList<>();
        private int sizeBytes;

        FakeBatch(int sizeBytesMax) {
            this.sizeBytesMax = sizeBytesMax;
        }

        @Override
        public boolean tryAdd(ServiceBusMessage message) {
            int bytes = FakeNamespace.Sizes.of(message);
            if (sizeBytes + bytes > sizeBytesMax) {
                return false;
            }
            sizeBytes += bytes;
            messages.add(message);
            return true;
        }

        @Override
        public int count() {
            return messages.size();
        }

        @Override
        public int sizeBytes() {
            return sizeBytes;
        }

        @Override
        public int sizeBytesMax() {
            return sizeBytesMax;
        }
    }
}
