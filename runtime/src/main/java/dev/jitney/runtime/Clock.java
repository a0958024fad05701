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

    /**
     * Returns this clock for a broker that continues the work of another one. Its {@link #steady} clock starts at a time or
     * later, so that time does not run backward for messages (CL-13). All calls of {@link #steady} return the same clock.
     *
     * @param floorMs the latest time of the broker before, in milliseconds since the epoch
     */
    default Clock notBefore(long floorMs) {
        return new ContinuedClock(this, steadyFrom(floorMs));
    }

    /**
     * Returns a new {@link #steady} clock that starts at a time or later.
     *
     * @param floorMs in milliseconds since the epoch
     */
    default Clock steadyFrom(long floorMs) {
        return new FlooredClock(steady(), floorMs);
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
                return steadyFrom(Long.MIN_VALUE);
            }

            @Override
            public Clock steadyFrom(long floorMs) {
                return new SteadyClock(this::nowMs, System::nanoTime, floorMs);
            }
        };
    }
}
