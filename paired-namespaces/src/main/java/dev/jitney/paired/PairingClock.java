package dev.jitney.paired;

import java.time.Duration;
import java.time.Instant;

/**
 * The clock of a factory for failover intervals, pings, pauses and the grace of a partner. Tests use a manual clock.
 * Thread-safe.
 */
public interface PairingClock {
    Instant now();

    /**
     * Runs a task once, on a thread of the clock's choice. The task must not block.
     *
     * @param delay zero or more
     */
    Timer schedule(Duration delay, Runnable task);

    /** A scheduled task. */
    interface Timer {
        /** Cancels the task. A task that is already running continues. */
        void cancel();
    }
}
