package dev.jitney.runtime;

/**
 * A clock that stands at its floor until another clock has passed it.
 *
 * @param clock   a steady clock
 * @param floorMs the earliest time, in milliseconds since the epoch
 */
record FlooredClock(Clock clock, long floorMs) implements Clock {
    @Override
    public long nowMs() {
        return Math.max(floorMs, clock.nowMs());
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
