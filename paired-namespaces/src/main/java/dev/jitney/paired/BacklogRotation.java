package dev.jitney.paired;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The backlog queues for the senders of one factory. A failed queue is removed for all senders (PAIR-16). When none is left,
 * all come back after a pause (PAIR-17). Thread-safe.
 */
final class BacklogRotation {
    private static final Logger LOG = LoggerFactory.getLogger(BacklogRotation.class);

    private final List<String> queues;
    private final Duration rest;
    private final PairingClock clock;
    private final RandomGenerator random;

    private final List<String> usable;
    private Instant emptySince = Instant.MIN;
    private @Nullable Throwable lastFailure;

    /**
     * @param queues paths in the secondary namespace, at least one
     * @param rest the pause after which all queues come back when none is left
     */
    BacklogRotation(List<String> queues, Duration rest, PairingClock clock, RandomGenerator random) {
        this.queues = List.copyOf(queues);
        this.rest = rest;
        this.clock = clock;
        this.random = random;
        this.usable = new ArrayList<>(queues);
    }

    /** Returns the number of queues, including removed ones. */
    int count() {
        return queues.size();
    }

    /**
     * Returns a random queue among those that have not failed (PAIR-14).
     *
     * @throws SendAvailabilityBacklogException if all have failed (PAIR-17)
     */
    synchronized String choose() {
        if (usable.isEmpty()) {
            if (clock.now().isBefore(emptySince.plus(rest))) {
                throw new SendAvailabilityBacklogException(
                        "Expected a backlog queue to send to, but all " + queues.size()
                                + " have failed. The next attempt is at " + emptySince.plus(rest) + ".",
                        lastFailure);
            }
            usable.addAll(queues);
        }
        return usable.get(random.nextInt(usable.size()));
    }

    synchronized boolean isUsable(String queue) {
        return usable.contains(queue);
    }

    synchronized boolean isEmpty() {
        return usable.isEmpty();
    }

    /** Removes a queue after a failed send. */
    synchronized void remove(String queue, Throwable failure) {
        if (usable.remove(queue)) {
            lastFailure = failure;
            LOG.warn(
                    "A send to backlog queue {} failed, so it is no longer used; {} queues remain: {}",
                    queue,
                    usable.size(),
                    failure.toString());
            if (usable.isEmpty()) {
                emptySince = clock.now();
            }
        }
    }
}
