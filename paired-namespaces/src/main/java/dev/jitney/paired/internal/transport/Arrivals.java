package dev.jitney.paired.internal.transport;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/** The messages that a link has delivered and that wait to be taken: never more than requested. Thread-safe. */
final class Arrivals extends BaseSubscriber<ServiceBusReceivedMessage> {
    private final int countMax;
    private final Supplier<Instant> now;
    private final Deque<Inlet.Delivered> waiting = new ArrayDeque<>();
    private @Nullable CompletableFuture<Boolean> first;
    private @Nullable Throwable failure;

    /**
     * @param now the clock that determines whether locks are still valid
     */
    Arrivals(int countMax, Supplier<Instant> now) {
        this.countMax = countMax;
        this.now = now;
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
        subscription.request(countMax);
    }

    @Override
    protected void hookOnNext(ServiceBusReceivedMessage message) {
        Inlet.Delivered arrived = SdkDelivered.at(now.get(), message);
        CompletableFuture<Boolean> told;
        synchronized (this) {
            waiting.add(arrived);
            told = first;
            first = null;
        }
        if (told != null) {
            told.complete(true);
        }
    }

    @Override
    protected void hookOnError(Throwable error) {
        end(error);
    }

    @Override
    protected void hookOnComplete() {
        end(new CancellationException("The receiver was closed."));
    }

    @Override
    protected void hookOnCancel() {
        end(new CancellationException("The receiver was closed."));
    }

    private void end(Throwable error) {
        CompletableFuture<Boolean> told;
        synchronized (this) {
            failure = error;
            told = first;
            first = null;
        }
        if (told != null) {
            told.completeExceptionally(error);
        }
    }

    /** Returns true as soon as there is a message. Fails when the link has ended; waiting messages are then dropped. */
    synchronized CompletableFuture<Boolean> first() {
        if (failure != null) {
            return CompletableFuture.failedFuture(failure);
        }
        if (!waiting.isEmpty()) {
            return CompletableFuture.completedFuture(true);
        }
        if (first == null) {
            first = new CompletableFuture<>();
        }
        return first;
    }

    synchronized boolean isFull() {
        return waiting.size() >= countMax;
    }

    /** Returns up to this many messages in order of arrival, and requests as many new ones. */
    List<Inlet.Delivered> take(int count) {
        List<Inlet.Delivered> taken = new ArrayList<>();
        synchronized (this) {
            while (taken.size() < count && !waiting.isEmpty()) {
                taken.add(waiting.remove());
            }
        }
        if (!taken.isEmpty()) {
            request(taken.size());
        }
        return taken;
    }
}
