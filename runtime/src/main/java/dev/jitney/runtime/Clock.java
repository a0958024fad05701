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

    /** The machine's clock. */
    static Clock system() {
        return System::currentTimeMillis;
    }
}
