package dev.jitney.paired;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.jitney.paired.internal.failure.Failures;
import dev.jitney.paired.internal.transport.BatchedSends;
import dev.jitney.paired.internal.transport.NamespaceTransport;
import dev.jitney.paired.internal.transport.Outlet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The sender of the diverted messages of one {@link MessageSender}. It chooses a backlog queue and keeps it until the queue
 * fails (PAIR-21, PAIR-16). Thread-safe.
 */
final class BacklogSender implements AutoCloseable {
    private final BacklogRotation rotation;
    private final NamespaceTransport secondary;
    private final PairingClock clock;

    private @Nullable Choice choice;
    private boolean closed;

    BacklogSender(BacklogRotation rotation, NamespaceTransport secondary, PairingClock clock) {
        this.rotation = rotation;
        this.secondary = secondary;
        this.clock = clock;
    }

    /** Creates a batch with the size limit of a backlog queue. */
    Mono<Outlet.Batch> createBatch(int sizeBytesMax) {
        return Mono.defer(() -> choose().outlet().createBatch(sizeBytesMax));
    }

    /** Sends messages. Fails with the last queue's failure, or with {@link SendAvailabilityBacklogException} if no queue is left. */
    Mono<Void> send(List<ServiceBusMessage> altered) {
        return Mono.defer(() -> send(altered, clock.now()));
    }

    private Mono<Void> send(List<ServiceBusMessage> altered, Instant begun) {
        Choice chosen = choose();
        AtomicInteger done = new AtomicInteger();
        // One batch of the caller may need several here, since altered messages are larger.
        return BatchedSends.send(altered, done, chosen.outlet()).onErrorResume(thrown -> {
            Throwable failure = Failures.bare(thrown);
            if (Failures.isAboutTheMessage(failure) || isClosed()) {
                return Mono.error(failure);
            }
            leave(chosen, failure);
            if (rotation.isEmpty()) {
                return Mono.error(new SendAvailabilityBacklogException(
                        "Expected a backlog queue to send to, but the last of " + rotation.count() + " has failed: "
                                + failure.getMessage(),
                        failure));
            }
            Duration timeout = secondary.operationTimeout();
            Duration left = timeout.minus(Duration.between(begun, clock.now()));
            return left.compareTo(timeout.dividedBy(2)) > 0
                    ? send(altered.subList(done.get(), altered.size()), begun)
                    : Mono.error(failure);
        });
    }

    private Choice choose() {
        Choice former;
        Choice chosen;
        synchronized (this) {
            if (closed) {
                throw new IllegalStateException("Expected an open sender, but it is closed.");
            }
            former = choice;
            if (former != null && rotation.isUsable(former.queue())) {
                return former;
            }
            String queue = rotation.choose();
            chosen = new Choice(queue, secondary.outlet(queue));
            choice = chosen;
        }
        // Close it outside the lock: a send on it may fail at once and call choose again.
        if (former != null) {
            former.outlet().close();
        }
        return chosen;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private void leave(Choice failed, Throwable failure) {
        rotation.remove(failed.queue(), failure);
        synchronized (this) {
            if (choice != failed) {
                return;
            }
            choice = null;
        }
        failed.outlet().close();
    }

    @Override
    public void close() {
        Choice last;
        synchronized (this) {
            closed = true;
            last = choice;
            choice = null;
        }
        if (last != null) {
            last.outlet().close();
        }
    }

    private record Choice(String queue, Outlet outlet) {}
}
