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
 * The transfer of messages from one backlog queue to their destinations (18.6, DISPATCH), in one batch for each destination where
 * possible.
 *
 * <p>Messages for an unavailable destination ({@link Destinations}) are not abandoned (PAIR-44), because the queue would deliver
 * them again immediately, before the messages behind them. They stay locked. Some are kept in memory and sent when the
 * destination is available again ({@link HeldMessages}). The locks of the others expire, and then they are delivered again. Only
 * one dispatch runs at a time.
 */
final class SyphonDispatch {
    private static final Logger LOG = LoggerFactory.getLogger(SyphonDispatch.class);

    private static final int PATHS_AT_ONCE = 16;
    private static final int SETTLEMENTS_AT_ONCE = 256;
    /** The time that sending may take. If a lock expires during the send, the message is sent twice. */
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
    /** The latest {@code lockedUntil} of the locks that turned out to be void. */
    private final AtomicReference<Instant> voidLocks = new AtomicReference<>(Instant.MIN);
    /** The number of messages that were neither settled nor sent since the receiver was opened. */
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

    /** Returns the time until a held message can be tried again, or null if none is held. */
    @Nullable
    Duration untilNextTry() {
        Instant now = clock.now();
        Instant next = held.nextTry(destinations, now);
        return next == null ? null : next.isAfter(now) ? Duration.between(now, next) : Duration.ZERO;
    }

    /** Returns the number of unsettled messages of the receiver. */
    int unsettled() {
        return unsettled.get();
    }

    /** Sends the received and the held messages. Ends when each message is settled or left for later. Does not fail. */
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
                    // The next receiver of the message sends it.
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
                // It has failed in the meantime, with another batch.
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
                // A restarted broker has no locks any more: it delivers all messages again that it had delivered before
                // the restart.
                voidLocks.accumulateAndGet(message.lockedUntil(), (one, other) -> one.isAfter(other) ? one : other);
            }
            LOG.warn(
                    "Message {} of {} was delivered, but could not be completed and may be delivered again: {}",
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
                LOG.warn(
                        "{} accepts no messages from {}. The syphon tries them again later: {}",
                        path,
                        queue,
                        failure.toString());
            }
            leave(homes);
            return Mono.empty();
        });
    }

    /** Sends refused messages separately by key, or in halves if all have the same key, until the faulty message is found. */
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

    /** Drops the held messages of a failed or closed receiver. Their locks expire, and they are delivered again. */
    void forget() {
        held.clear();
        unsettled.set(0);
    }

    private static String key(String path) {
        return path.toLowerCase(Locale.ROOT);
    }
}
