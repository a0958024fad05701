package dev.jitney.paired;

import com.azure.messaging.servicebus.ServiceBusFailureReason;
import dev.jitney.paired.internal.failure.Failures;
import dev.jitney.paired.internal.message.DivertedMessages;
import dev.jitney.paired.internal.message.NotDivertedException;
import dev.jitney.paired.internal.syphon.BacklogMessage;
import dev.jitney.paired.internal.syphon.Destinations;
import dev.jitney.paired.internal.syphon.HeldMessages;
import dev.jitney.paired.internal.syphon.SyphonCounters;
import dev.jitney.paired.internal.syphon.SyphonOutlets;
import dev.jitney.paired.internal.transport.Inlet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Carries messages of one backlog queue to their destinations (18.6, DISPATCH), in one batch for each destination where
 * that is possible.
 *
 * <p>Messages for a destination that is away ({@link Destinations}) are not abandoned (PAIR-44): the queue would deliver
 * them again at once, before the messages of others behind them. They stay locked. Some are kept in memory and sent when
 * the destination takes messages again ({@link HeldMessages}); the locks of others end, and then they are delivered again. One
 * dispatch at a time.
 */
final class SyphonDispatch {
    private static final Logger LOG = LoggerFactory.getLogger(SyphonDispatch.class);

    private static final int PATHS_AT_ONCE = 16;
    private static final int SETTLEMENTS_AT_ONCE = 256;
    /** Sending takes time too: a lock that ends earlier has its message sent twice. */
    private static final Duration LOCK_MARGIN = Duration.ofSeconds(1);

    private final String queue;
    private final SyphonOutlets primary;
    private final Destinations destinations;
    private final FailureClassifier classifier;
    private final PairingClock clock;
    private final SyphonCounters counters;

    private final HeldMessages held = new HeldMessages();
    /** Destinations that refuse batches of messages with different session ids or partition keys. */
    private final Set<String> oneKeyABatch = ConcurrentHashMap.newKeySet();
    /** Until when the youngest lock was to last of those that turned out to be void. */
    private final AtomicReference<Instant> voidLocks = new AtomicReference<>(Instant.MIN);
    /** How many messages were neither settled nor sent since the receiver was opened. */
    private final AtomicInteger unsettled = new AtomicInteger();

    SyphonDispatch(
            String queue,
            SyphonOutlets primary,
            Destinations destinations,
            FailureClassifier classifier,
            PairingClock clock,
            SyphonCounters counters) {
        this.queue = queue;
        this.primary = primary;
        this.destinations = destinations;
        this.classifier = classifier;
        this.clock = clock;
        this.counters = counters;
    }

    /** How long until a held message can be tried again; null if none is held. */
    @Nullable
    Duration untilNextTry() {
        Instant now = clock.now();
        Instant next = held.nextTry(destinations, now);
        return next == null ? null : next.isAfter(now) ? Duration.between(now, next) : Duration.ZERO;
    }

    /** How many messages the receiver has delivered that are still unsettled. */
    int unsettled() {
        return unsettled.get();
    }

    /** Sends what arrived and what is held. Ends when each message is settled, or left. Does not fail. */
    Mono<Void> dispatch(List<Inlet.Delivered> messages, Inlet from) {
        List<BacklogMessage> homes = new ArrayList<>(heldAndDue());
        List<Mono<Void>> broken = new ArrayList<>();
        for (Inlet.Delivered message : messages) {
            try {
                DivertedMessages.Restored restored = DivertedMessages.restore(message.content());
                homes.add(new BacklogMessage(restored.path(), message, restored.message()));
            } catch (NotDivertedException | IllegalStateException | IllegalArgumentException e) {
                broken.add(deadLetter(message, from, "NotADivertedMessage", String.valueOf(e.getMessage())));
            }
        }
        Map<String, List<BacklogMessage>> byPath = new LinkedHashMap<>();
        homes.forEach(home ->
                byPath.computeIfAbsent(home.path(), path -> new ArrayList<>()).add(home));
        return Flux.concat(
                        Flux.merge(broken),
                        Flux.fromIterable(byPath.entrySet())
                                .flatMap(path -> carry(path.getKey(), path.getValue(), from), PATHS_AT_ONCE))
                .then();
    }

    private List<BacklogMessage> heldAndDue() {
        Instant now = clock.now();
        return held.take(home -> isLocked(home.delivered()), home -> {
            Instant next = destinations.nextTry(home.path());
            return next == null || !next.isAfter(now);
        });
    }

    private Mono<Void> carry(String path, List<BacklogMessage> homes, Inlet from) {
        return Mono.defer(() -> {
            List<BacklogMessage> locked = new ArrayList<>(homes.size());
            for (BacklogMessage home : homes) {
                if (isLocked(home.delivered())) {
                    locked.add(home);
                } else {
                    // Whoever gets it next carries it.
                    counters.left.increment();
                }
            }
            if (locked.isEmpty()) {
                return Mono.empty();
            }
            if (!destinations.enter(path)) {
                leave(locked);
                return Mono.empty();
            }
            return oneKeyABatch.contains(key(path)) ? eachKey(path, locked, from) : send(path, locked, from);
        });
    }

    private Mono<Void> eachKey(String path, List<BacklogMessage> homes, Inlet from) {
        return Flux.fromIterable(byKey(homes))
                .concatMap(batch -> send(path, batch, from))
                .then();
    }

    private static Collection<List<BacklogMessage>> byKey(List<BacklogMessage> homes) {
        Map<String, List<BacklogMessage>> byKey = new LinkedHashMap<>();
        homes.forEach(home ->
                byKey.computeIfAbsent(home.batchKey(), key -> new ArrayList<>()).add(home));
        return byKey.values();
    }

    private Mono<Void> send(String path, List<BacklogMessage> homes, Inlet from) {
        return Mono.defer(() -> {
            if (destinations.isLeftAlone(path)) {
                // It has failed since, with another batch.
                leave(homes);
                return Mono.empty();
            }
            AtomicInteger done = new AtomicInteger();
            return primary.send(
                            path, homes.stream().map(BacklogMessage::message).toList(), done)
                    .doOnSuccess(sent -> destinations.took(path))
                    .then(Mono.defer(() -> complete(homes, from)))
                    .onErrorResume(thrown -> {
                        List<BacklogMessage> rest = homes.subList(done.get(), homes.size());
                        return complete(homes.subList(0, done.get()), from)
                                .then(notTaken(path, rest, from, Failures.bare(thrown)));
                    });
        });
    }

    private boolean isLocked(Inlet.Delivered message) {
        return clock.now().isBefore(message.lockedUntil().minus(LOCK_MARGIN))
                && message.lockedUntil().isAfter(voidLocks.get());
    }

    private Mono<Void> complete(List<BacklogMessage> homes, Inlet from) {
        counters.delivered.add(homes.size());
        return Flux.fromIterable(homes)
                .flatMap(home -> complete(home.delivered(), from), SETTLEMENTS_AT_ONCE)
                .then();
    }

    private Mono<Void> complete(Inlet.Delivered message, Inlet from) {
        return from.complete(message).onErrorResume(failure -> {
            if (ServiceBusFailureReason.MESSAGE_LOCK_LOST.equals(Failures.reason(failure))) {
                // A broker that was started anew has forgotten all locks: what it had delivered earlier it delivers
                // again.
                voidLocks.accumulateAndGet(message.lockedUntil(), (one, other) -> one.isAfter(other) ? one : other);
            }
            LOG.warn(
                    "Message {} of {} has arrived, but could not be completed and may arrive again: {}",
                    message.sequenceNumber(),
                    queue,
                    failure.toString());
            return Mono.empty();
        });
    }

    private Mono<Void> notTaken(String path, List<BacklogMessage> homes, Inlet from, Throwable failure) {
        return Mono.defer(() -> {
            if (homes.size() > 1 && Failures.isAboutTheMessage(failure)) {
                return apart(path, homes, from, failure);
            }
            if (classifier.givesUpMessage(failure)) {
                destinations.took(path);
                return Flux.fromIterable(homes)
                        .concatMap(home -> deadLetter(
                                home.delivered(), from, "SyphonSendFailed", path + ": " + failure.getMessage()))
                        .then();
            }
            if (destinations.failed(path)) {
                LOG.warn("{} takes no messages from {}, they are left for later: {}", path, queue, failure.toString());
            }
            leave(homes);
            return Mono.empty();
        });
    }

    /** Sends what was refused together by key, and if it is all of one key in halves, until it is known which it is. */
    private Mono<Void> apart(String path, List<BacklogMessage> homes, Inlet from, Throwable failure) {
        boolean tooLarge = ServiceBusFailureReason.MESSAGE_SIZE_EXCEEDED.equals(Failures.reason(failure));
        if (!tooLarge && byKey(homes).size() > 1) {
            oneKeyABatch.add(key(path));
            return eachKey(path, homes, from);
        }
        int half = homes.size() / 2;
        return send(path, homes.subList(0, half), from).then(send(path, homes.subList(half, homes.size()), from));
    }

    private void leave(List<BacklogMessage> homes) {
        counters.left.add(homes.size());
        unsettled.addAndGet(homes.size());
        homes.forEach(held::add);
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

    /** For a receiver that failed or is closed: locks end, and what was left is delivered again. */
    void forget() {
        held.clear();
        unsettled.set(0);
    }

    private static String key(String path) {
        return path.toLowerCase(Locale.ROOT);
    }
}
