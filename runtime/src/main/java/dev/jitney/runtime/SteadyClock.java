package dev.jitney.runtime;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * The time of shards, which never runs backward and never stands still.
 *
 * <p>The time follows the machine's clock while that moves forward, including jumps. When the machine's clock is set
 * back, the time advances at nine tenths of normal speed until the machine's clock has caught up. If the time stood
 * still instead, no lock would expire, no scheduled message would be enqueued and no message would expire for as long
 * as the clock had been ahead, which may be years. Any thread may call it.
 */
final class SteadyClock implements Clock {
    private static final long NANOS_PER_MS = 1_000_000;
    /** The duration of one millisecond of this clock while it waits for the machine's clock to catch up. */
    private static final long SLOW_NANOS_PER_MS = NANOS_PER_MS * 10 / 9;

    private final LongSupplier machineMs;
    private final LongSupplier monotonicNs;
    private final AtomicReference<Reading> last;

    /** @param ms the latest time returned; {@code nanos} is the monotonic time of that reading */
    private record Reading(long ms, long nanos) {}

    /**
     * Starts with the machine's time, or with the floor if that is later.
     *
     * @param machineMs   milliseconds since the epoch, which may be set forward and back
     * @param monotonicNs nanoseconds since an arbitrary origin, never set
     * @param floorMs     the earliest time to start with, in milliseconds since the epoch
     */
    SteadyClock(LongSupplier machineMs, LongSupplier monotonicNs, long floorMs) {
        this.machineMs = machineMs;
        this.monotonicNs = monotonicNs;
        long startMs = Math.max(floorMs, machineMs.getAsLong());
        last = new AtomicReference<>(new Reading(startMs, monotonicNs.getAsLong()));
    }

    @Override
    public long nowMs() {
        Reading before = last.get();
        long nanos = monotonicNs.getAsLong();
        long machine = machineMs.getAsLong();
        long slowMs = Math.max(0, nanos - before.nanos) / SLOW_NANOS_PER_MS;
        if (machine > before.ms + slowMs) {
            last.compareAndSet(before, new Reading(machine, nanos));
        } else if (slowMs > 0) {
            // The remainder below a millisecond counts toward the next one.
            last.compareAndSet(before, new Reading(before.ms + slowMs, before.nanos + slowMs * SLOW_NANOS_PER_MS));
        }
        return last.get().ms;
    }
}
