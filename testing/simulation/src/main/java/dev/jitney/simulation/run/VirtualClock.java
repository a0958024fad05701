package dev.jitney.simulation.run;

import dev.jitney.runtime.Clock;

/** A clock that goes when it is told to, forth and back. */
final class VirtualClock implements Clock {
    private long nowMs = 1_700_000_000_000L;

    @Override
    public long nowMs() {
        return nowMs;
    }

    @Override
    public long pauseNanos() {
        return nowMs * 1_000_000;
    }

    void pass(long ms) {
        nowMs += ms;
    }

    @Override
    public String toString() {
        return "now " + nowMs;
    }
}
