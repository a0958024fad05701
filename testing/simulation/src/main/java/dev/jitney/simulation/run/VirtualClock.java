package dev.jitney.simulation.run;

import dev.jitney.runtime.Clock;

/** A clock that the simulator moves forward and back. */
final class VirtualClock implements Clock {
    private long nowMs = 1_700_000_000_000L;

    /** The milliseconds that have passed, without any backward steps of the clock. */
    private long passedMs;

    @Override
    public long nowMs() {
        return nowMs;
    }

    @Override
    public long pauseNanos() {
        return passedMs * 1_000_000;
    }

    void pass(long ms) {
        nowMs += ms;
        passedMs += Math.max(0, ms);
    }

    @Override
    public String toString() {
        return "now " + nowMs;
    }
}
