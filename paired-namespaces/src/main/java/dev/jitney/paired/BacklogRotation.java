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
 * The backlog queues that senders of one factory choose from. A queue that fails leaves for all of them (PAIR-16); when
 * none is left all come back after a while (PAIR-17). For any thread.
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
     * @param rest after which all queues come back when none is left
     */
    BacklogRotation(List<String> queues, Duration rest, PairingClock clock, RandomGenerator random) {
        this.queues = List.copyOf(queues);
        this.rest = rest;
        this.clock = clock;
        this.random = random;
        this.usable = new ArrayList<>(queues);
    }

    /** How many queues there are, whether they rest or not. */
    int count() {
        return queues.size();
    }

    /**
     * Any of the queues that have not failed (PAIR-14).
     *
     * @throws SendAvailabilityBacklogException if all have (PAIR-17)
     */
    synchronized String choose() {
        if (usable.isEmpty()) {
            if (clock.now().isBefore(emptySince.plus(rest))) {
                throw new SendAvailabilityBacklogException(
                        "Expected a backlog queue to send to, but all " + queues.size()
                                + " have failed. They are tried again at " + emptySince.plus(rest) + ".",
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

    /** Takes out a queue to which a send has failed. */
    synchronized void remove(String queue, Throwable failure) {
        if (usable.remove(queue)) {
            lastFailure = failure;
            LOG.warn(
                    "Backlog queue {} is left out after a failure, {} remain: {}",
                    queue,
                    usable.size(),
                    failure.toString());
            if (usable.isEmpty()) {
                emptySince = clock.now();
            }
        }
    }
}
