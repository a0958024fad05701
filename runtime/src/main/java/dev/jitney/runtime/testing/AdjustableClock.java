package dev.jitney.runtime.testing;

import dev.jitney.runtime.Clock;
import java.util.concurrent.TimeUnit;

/**
 * The clock of a broker in tests. {@link #nowMs} is the machine's time, by which tokens and certificates are judged. {@link #steady} is
 * the time of messages: locks, time to live, schedules, idleness and duplicate detection. It can be moved forward, stand still, or run
 * faster. It never runs backward. Any thread may call it.
 */
public final class AdjustableClock implements Clock {
    /** The highest speed: an hour in 3.6 seconds. */
    public static final double SPEED_MAX = 1_000;

    private static final double LOOK_AGAIN_MS = 1_000;

    private final Clock messages = new MessageTime();

    /** The message time at {@link #sinceNanos}, milliseconds since the epoch. */
    private double atMs;

    private long sinceNanos;
    private double speed = 1;

    /** Creates a clock whose message time is the machine's time, and runs. */
    public AdjustableClock() {
        atMs = System.currentTimeMillis();
        sinceNanos = System.nanoTime();
    }

    @Override
    public long nowMs() {
        return System.currentTimeMillis();
    }

    @Override
    public Clock steady() {
        return messages;
    }

    /** Returns the speed of message time: 0 if it stands still, 1 if it runs with the machine's clock. */
    public synchronized double speed() {
        return speed;
    }

    /** Returns by how much message time is ahead of the machine's time, in milliseconds; negative if it is behind. */
    public long aheadMs() {
        return messages.nowMs() - nowMs();
    }

    /**
     * Moves message time forward and sets its speed, for {@link BrokerTesting#changeTime}, which also wakes the shards.
     *
     * @param advanceMs 0 or more, in milliseconds
     * @param times 0 to {@link #SPEED_MAX}
     * @throws IllegalArgumentException if a value is out of range; then nothing changes
     */
    public synchronized void change(long advanceMs, double times) {
        if (advanceMs < 0) {
            throw new IllegalArgumentException("Expected a time of 0 or more, but got " + advanceMs + " ms.");
        }
        if (!(times >= 0 && times <= SPEED_MAX)) {
            throw new IllegalArgumentException(
                    "Expected a speed of 0 to " + (long) SPEED_MAX + " times, but got " + times + ".");
        }
        settle();
        atMs += advanceMs;
        speed = times;
    }

    private void settle() {
        long nanos = System.nanoTime();
        atMs += passedMs(nanos);
        sinceNanos = nanos;
    }

    private double passedMs(long nanos) {
        return (nanos - sinceNanos) * speed / TimeUnit.MILLISECONDS.toNanos(1);
    }

    private final class MessageTime implements Clock {
        @Override
        public long nowMs() {
            synchronized (AdjustableClock.this) {
                return (long) (atMs + passedMs(System.nanoTime()));
            }
        }

        /** A fast clock reaches an instant before a thread that sleeps for the difference wakes up. */
        @Override
        public long lookAgainMs() {
            return (long) Math.max(1, LOOK_AGAIN_MS / Math.max(1, speed()));
        }
    }
}
