package dev.jitney.paired;

import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.jitney.paired.internal.message.DivertedMessages;
import dev.jitney.paired.internal.message.NotDivertedException;
import dev.jitney.paired.internal.transport.Inlet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Carries messages of one backlog queue to their destinations (18.6, DISPATCH).
 *
 * <p>A destination that does not take a message is left out until the cycle ends (PAIR-44). Its messages stay locked
 * meanwhile, so that the queue gives those of other destinations which stand behind them; at the end they are abandoned.
 * Of the messages left so, only so many are kept in memory; the locks of more just run out. One dispatch at a time.
 */
final class SyphonCycle {
    private static final Logger LOG = LoggerFactory.getLogger(SyphonCycle.class);

    private static final int LEFT_MAX = 1_000;
    private static final int PATHS_AT_ONCE = 16;
    private static final int MESSAGES_AT_ONCE = 16;
    /** Sending takes time too: a lock that ends earlier has its message sent twice. */
    private static final Duration LOCK_MARGIN = Duration.ofSeconds(1);

    private final String queue;
    private final SyphonOutlets primary;
    private final FailureClassifier classifier;
    private final PairingClock clock;
    private final Syphon.Counters counters;

    private final Set<String> leftOut = ConcurrentHashMap.newKeySet();
    /** Until when the youngest lock was to last of those that turned out to be void. */
    private final AtomicReference<Instant> voidLocks = new AtomicReference<>(Instant.MIN);

    private final List<Inlet.Delivered> left = new ArrayList<>();

    SyphonCycle(
            String queue,
            SyphonOutlets primary,
            FailureClassifier classifier,
            PairingClock clock,
            Syphon.Counters counters) {
        this.queue = queue;
        this.primary = primary;
        this.classifier = classifier;
        this.clock = clock;
        this.counters = counters;
    }

    /** Whether a destination is left out at the moment. */
    boolean leavesOut() {
        return !leftOut.isEmpty();
    }

    /** Ends when each message is settled, or left. Does not fail. */
    Mono<Void> dispatch(List<Inlet.Delivered> messages, Inlet from) {
        Map<String, List<Home>> byPath = new LinkedHashMap<>();
        List<Mono<Void>> broken = new ArrayList<>();
        for (Inlet.Delivered message : messages) {
            try {
                DivertedMessages.Restored restored = DivertedMessages.restore(message.content());
                byPath.computeIfAbsent(restored.path(), path -> new ArrayList<>())
                        .add(new Home(message, restored.message()));
            } catch (NotDivertedException | IllegalStateException | IllegalArgumentException e) {
                broken.add(deadLetter(message, from, "NotADivertedMessage", String.valueOf(e.getMessage())));
            }
        }
        return Flux.concat(
                        Flux.merge(broken),
                        Flux.fromIterable(byPath.entrySet())
                                .flatMap(path -> carry(path.getKey(), path.getValue(), from), PATHS_AT_ONCE))
                .then();
    }

    private Mono<Void> carry(String path, List<Home> messages, Inlet from) {
        return Flux.fromIterable(messages)
                .flatMap(message -> carry(path, message, from), MESSAGES_AT_ONCE)
                .then();
    }

    private Mono<Void> carry(String path, Home home, Inlet from) {
        return Mono.defer(() -> {
            if (leftOut.contains(key(path))) {
                leave(home.delivered());
                return Mono.empty();
            }
            if (!isLocked(home.delivered())) {
                // Whoever gets it next carries it.
                counters.left.increment();
                return Mono.empty();
            }
            return primary.send(path, home.message())
                    .thenReturn(true)
                    .onErrorResume(thrown ->
                            notTaken(path, home, from, Failures.bare(thrown)).thenReturn(false))
                    .flatMap(sent -> sent ? complete(home, from) : Mono.empty());
        });
    }

    private boolean isLocked(Inlet.Delivered message) {
        return clock.now().isBefore(message.lockedUntil().minus(LOCK_MARGIN))
                && message.lockedUntil().isAfter(voidLocks.get());
    }

    private Mono<Void> complete(Home home, Inlet from) {
        counters.delivered.increment();
        return from.complete(home.delivered()).onErrorResume(failure -> {
            if (ServiceBusFailureReason.MESSAGE_LOCK_LOST.equals(Failures.reason(failure))) {
                // A broker that was started anew has forgotten all locks: what it had delivered earlier it delivers
                // again.
                voidLocks.accumulateAndGet(
                        home.delivered().lockedUntil(), (one, other) -> one.isAfter(other) ? one : other);
            }
            LOG.warn(
                    "Message {} of {} has arrived, but could not be completed and may arrive again: {}",
                    home.delivered().sequenceNumber(),
                    queue,
                    failure.toString());
            return Mono.empty();
        });
    }

    private Mono<Void> notTaken(String path, Home home, Inlet from, Throwable failure) {
        if (classifier.givesUpMessage(failure)) {
            return deadLetter(home.delivered(), from, "SyphonSendFailed", path + ": " + failure.getMessage());
        }
        if (leftOut.add(key(path))) {
            LOG.warn("{} takes no messages from {}, they are left for later: {}", path, queue, failure.toString());
        }
        leave(home.delivered());
        return Mono.empty();
    }

    private void leave(Inlet.Delivered message) {
        counters.left.increment();
        synchronized (left) {
            if (left.size() < LEFT_MAX) {
                left.add(message);
            }
        }
    }

    private Mono<Void> deadLetter(Inlet.Delivered message, Inlet from, String reason, String description) {
        return from.deadLetter(message, reason, description)
                .doOnSuccess(done -> {
                    counters.deadLettered.increment();
                    LOG.warn(
                            "Message {} of {} was dead-lettered: {}: {}",
                            message.sequenceNumber(),
                            queue,
                            reason,
                            description);
                })
                .onErrorResume(failure -> {
                    LOG.warn(
                            "Message {} of {} could not be dead-lettered: {}",
                            message.sequenceNumber(),
                            queue,
                            failure.toString());
                    return Mono.empty();
                });
    }

    /** Abandons what was left; every destination gets another chance. Does not fail. */
    Mono<Void> end(Inlet from) {
        List<Inlet.Delivered> abandoned;
        synchronized (left) {
            abandoned = List.copyOf(left);
        }
        forget();
        return Flux.fromIterable(abandoned)
                .flatMap(message -> from.abandon(message).onErrorResume(lockRunsOut -> Mono.empty()), MESSAGES_AT_ONCE)
                .then();
    }

    /** As {@link #end}, but for a receiver that failed: locks run out. */
    void forget() {
        leftOut.clear();
        synchronized (left) {
            left.clear();
        }
    }

    private static String key(String path) {
        return path.toLowerCase(Locale.ROOT);
    }

    private record Home(Inlet.Delivered delivered, ServiceBusMessage message) {}
}
