package dev.jitney.paired.internal.transport;

import com.azure.messaging.servicebus.ServiceBusMessage;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/** Sends of many messages in as few batches as possible, one after the other. */
public final class BatchedSends {
    private BatchedSends() {}

    /**
     * Sends messages in their order.
     *
     * @param done counts the sent messages, also when a later one fails
     */
    public static Mono<Void> send(List<ServiceBusMessage> messages, AtomicInteger done, Outlet outlet) {
        return Mono.defer(() -> messages.size() - done.get() == 1
                ? outlet.send(messages.get(done.get()), null).then(Mono.fromRunnable(done::incrementAndGet))
                : inBatches(messages, done, outlet));
    }

    private static Mono<Void> inBatches(List<ServiceBusMessage> messages, AtomicInteger done, Outlet outlet) {
        if (done.get() == messages.size()) {
            return Mono.empty();
        }
        return outlet.createBatch(0).flatMap(batch -> {
            int next = done.get();
            while (next < messages.size() && batch.tryAdd(messages.get(next))) {
                next++;
            }
            // A message that fits into no batch is sent alone, so that the broker or the SDK reports its size.
            boolean alone = next == done.get();
            int sent = alone ? next + 1 : next;
            Mono<Void> part = alone ? outlet.send(messages.get(next), null) : outlet.send(batch, null);
            return part.then(Mono.defer(() -> {
                done.set(sent);
                return inBatches(messages, done, outlet);
            }));
        });
    }
}
