package dev.jitney.runtime;

/** The broker's only source of time (MSG-11). */
@FunctionalInterface
public interface Clock {

    /** Returns the milliseconds since the epoch. */
    long nowMs();

    /**
     * Returns the longest time in milliseconds that a thread waiting for an instant may sleep before it reads the
     * clock again. The clock may have been set meanwhile.
     */
    default long lookAgainMs() {
        return 1_000;
    }

    /** Returns nanoseconds since an arbitrary origin, for pauses that do not depend on changes of the clock. */
    default long pauseNanos() {
        return System.nanoTime();
    }

    /**
     * Returns this clock for components whose time cannot run backward, such as shards. Lock expiry, schedules and
     * message expiry still happen when the clock is set back. Instants from other clocks, such as the expiry of
     * tokens, are compared with {@link #nowMs} directly.
     */
    default Clock steady() {
        return this;
    }

    /** Returns the machine's clock. */
    static Clock system() {
        return new Clock() {
            @Override
            public long nowMs() {
                return System.currentTimeMillis();
            }

            @Override
            public Clock steady() {
                return new SteadyClock(this::nowMs, System::nanoTime);
            }
        };
    }
}
