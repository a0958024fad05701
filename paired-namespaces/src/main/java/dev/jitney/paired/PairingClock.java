package dev.jitney.paired;

import java.time.Duration;
import java.time.Instant;

/**
 * The time that a factory lives by: failover intervals, pings, pauses and the grace of a partner. Tests hand in one that
 * they turn by hand. For any thread.
 */
public interface PairingClock {
    Instant now();

    /**
     * Runs a task once, on a thread of the clock's choice; the task does not block.
     *
     * @param delay zero or more
     */
    Timer schedule(Duration delay, Runnable task);

    /** A task that has not run yet, or that has. */
    interface Timer {
        /** The task will not begin after this; one under way ends by itself. */
        void cancel();
    }
}
