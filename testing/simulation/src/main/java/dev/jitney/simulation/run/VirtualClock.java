package dev.jitney.simulation.run;

import dev.jitney.runtime.Clock;

/** A clock that goes when it is told to, forth and back. */
final class VirtualClock implements Clock {
    private long nowMs = 1_700_000_000_000L;

    /** How much time has passed, whatever the clock was set to. */
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
