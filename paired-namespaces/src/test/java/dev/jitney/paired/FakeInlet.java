package dev.jitney.paired;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import dev.jitney.paired.internal.transport.Inlet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BiConsumer;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** An inlet of a {@link FakeNamespace}. */
final class FakeInlet implements Inlet {
    private final FakeNamespace namespace;
    private final String queue;
    private Poll poll;
    private boolean closed;

    FakeInlet(FakeNamespace namespace, String queue) {
        this.namespace = namespace;
        this.queue = queue;
    }

    boolean isOf(String path) {
        return queue.equalsIgnoreCase(path);
    }

    synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public Mono<List<Delivered>> receive(int countMax, Duration wait) {
        return namespace
                .call("receive", queue, () -> {
                    if (namespace.queue(queue) == null) {
                        throw SdkErrors.notFound();
                    }
                })
                .then(Mono.create(sink -> {
                    Poll started = new Poll(countMax, sink);
                    synchronized (this) {
                        if (closed) {
                            sink.error(new CancellationException("The receiver was closed."));
                            return;
                        }
                        started.timer = namespace.clock.schedule(wait, () -> endEmpty(started));
                        poll = started;
                    }
                    sink.onDispose(() -> forget(started));
                    look();
                }));
    }

    private void endEmpty(Poll ended) {
        synchronized (this) {
            if (poll != ended) {
                return;
            }
            poll = null;
        }
        namespace.meter(queue, 1);
        ended.sink.success(List.of());
    }

    private synchronized void forget(Poll ended) {
        ended.timer.cancel();
        if (poll == ended) {
            poll = null;
        }
    }

    /** Returns whether the waiting receive can end now. */
    void look() {
        Poll waiting;
        List<Delivered> taken;
        synchronized (namespace) {
            synchronized (this) {
                waiting = poll;
                FakeQueue from = namespace.queue(queue);
                if (waiting == null || from == null) {
                    return;
                }
                taken = from.lock(waiting.countMax, namespace.clock.now());
                if (taken.isEmpty()) {
                    return;
                }
                waiting.timer.cancel();
                poll = null;
                namespace.clock.schedule(from.lockDuration, () -> namespace.wake(queue));
            }
        }
        namespace.meter(queue, taken.size());
        waiting.sink.success(taken);
    }

    @Override
    public Mono<Void> complete(Delivered message) {
        return settle("complete", message, (from, stored) -> from.messages.remove(stored));
    }

    @Override
    public Mono<Void> abandon(Delivered message) {
        return settle("abandon", message, (from, stored) -> stored.lockedUntil = Instant.MIN);
    }

    @Override
    public Mono<Void> deadLetter(Delivered message, String reason, String description) {
        return settle("deadLetter", message, (from, stored) -> {
            from.messages.remove(stored);
            from.deadLetters.add(new FakeQueue.DeadLetter(stored.content, reason, description));
        });
    }

    private Mono<Void> settle(String operation, Delivered message, BiConsumer<FakeQueue, FakeQueue.Stored> change) {
        FakeQueue.Delivery delivery = (FakeQueue.Delivery) message;
        return namespace.call(operation, queue, () -> {
            synchronized (namespace) {
                FakeQueue from = namespace.queue(queue);
                if (!delivery.holdsLock(namespace.clock.now()) || !from.messages.contains(delivery.stored())) {
                    throw SdkErrors.of(false, AmqpErrorCondition.MESSAGE_LOCK_LOST);
                }
                change.accept(from, delivery.stored());
            }
            namespace.wake(queue);
        });
    }

    @Override
    public void close() {
        Poll ended;
        synchronized (this) {
            closed = true;
            ended = poll;
            poll = null;
            if (ended != null) {
                ended.timer.cancel();
            }
        }
        if (ended != null) {
            ended.sink.error(new CancellationException("The receiver was closed."));
        }
    }

    private static final class Poll {
        final int countMax;
        final MonoSink<List<Delivered>> sink;
        PairingClock.Timer timer;

        Poll(int countMax, MonoSink<List<Delivered>> sink) {
            this.countMax = countMax;
            this.sink = sink;
        }
    }
}
