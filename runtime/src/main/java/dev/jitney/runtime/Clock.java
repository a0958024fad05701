package dev.jitney.runtime;

/** The broker's only source of time (MSG-11). */
@FunctionalInterface
public interface Clock {

    /** Milliseconds since the epoch. */
    long nowMs();

    /** The machine's clock. */
    static Clock system() {
        return System::currentTimeMillis;
    }
}
