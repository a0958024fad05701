package dev.jitney.simulation.cluster;

import dev.jitney.runtime.Clock;

/** The clock of a node. It differs from the clocks of other nodes, and an operator may set it. */
final class NodeClock implements Clock {
    private static final long NANOS_PER_MS = 1_000_000;

    private final Clock time;
    private long aheadMs;

    /** @param time the true time, which never runs back */
    NodeClock(Clock time) {
        this.time = time;
    }

    /** Sets the difference to the true time in milliseconds. */
    void set(long ms) {
        aheadMs = ms;
    }

    @Override
    public long nowMs() {
        return time.nowMs() + aheadMs;
    }

    @Override
    public long pauseNanos() {
        return time.pauseNanos();
    }

    @Override
    public Clock steady() {
        return new Steady(Long.MIN_VALUE);
    }

    @Override
    public Clock steadyFrom(long floorMs) {
        return new Steady(floorMs);
    }

    /** A clock that never runs back. While the clock of the node is behind it, it advances at nine tenths of the speed. */
    private final class Steady implements Clock {
        private long lastMs;
        private long lastNanos;

        Steady(long floorMs) {
            lastMs = Math.max(floorMs, NodeClock.this.nowMs());
            lastNanos = pauseNanos();
        }

        @Override
        public long nowMs() {
            long slowMs = (pauseNanos() - lastNanos) / (NANOS_PER_MS * 10 / 9);
            if (NodeClock.this.nowMs() > lastMs + slowMs) {
                lastMs = NodeClock.this.nowMs();
                lastNanos = pauseNanos();
            } else {
                lastMs += slowMs;
                lastNanos += slowMs * (NANOS_PER_MS * 10 / 9);
            }
            return lastMs;
        }

        @Override
        public long pauseNanos() {
            return time.pauseNanos();
        }
    }
}
