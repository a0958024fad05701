package dev.jitney.runtime;

/**
 * The machine's clock for a broker that continues the work of another one.
 *
 * @param clock  the machine's clock
 * @param steady the only steady clock, which continues the time of the broker before (CL-13)
 */
record ContinuedClock(Clock clock, Clock steady) implements Clock {
    @Override
    public long nowMs() {
        return clock.nowMs();
    }

    @Override
    public long lookAgainMs() {
        return clock.lookAgainMs();
    }

    @Override
    public long pauseNanos() {
        return clock.pauseNanos();
    }
}
