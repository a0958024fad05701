package dev.jitney.runtime;

/** The broker's only source of time (MSG-11). */
@FunctionalInterface
public interface Clock {

    /** Milliseconds since the epoch. */
    long nowMs();

    /**
     * How long somebody who waits for a time may sleep before looking at the clock again, because it may have been set.
     */
    default long lookAgainMs() {
        return 1_000;
    }

    /** Nanoseconds from anywhere, for pauses that are over when they are over, whatever the clock says meanwhile. */
    default long pauseNanos() {
        return System.nanoTime();
    }

    /**
     * The same time for those who cannot go back, such as shards: locks, schedules and expiry go on when the clock is set back.
     * What others have judged by their clocks, such as the expiry of tokens, is compared with {@link #nowMs} itself.
     */
    default Clock steady() {
        return this;
    }

    /** The machine's clock. */
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
