package dev.jitney.runtime;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * The time of shards, which never runs back and never stands still.
 *
 * <p>It is the machine's clock as long as that goes forward, also in leaps. When the machine's clock is set back, time goes on at
 * nine tenths of its pace until the machine has caught up. If it stood still, no lock would end, nothing scheduled would come and
 * nothing expire for as long as the clock had been ahead, which may be years. Any thread may ask.
 */
final class SteadyClock implements Clock {
    private static final long NANOS_PER_MS = 1_000_000;
    /** What a millisecond takes while time waits for the machine's clock. */
    private static final long SLOW_NANOS_PER_MS = NANOS_PER_MS * 10 / 9;

    private final LongSupplier machineMs;
    private final LongSupplier monotonicNs;
    private final AtomicReference<Reading> last;

    /** @param ms the latest time told; {@code nanos} when that was, on the clock that nobody sets */
    private record Reading(long ms, long nanos) {}

    /**
     * Starts with the machine's time.
     *
     * @param machineMs milliseconds since the epoch, set forward and back by whoever may
     * @param monotonicNs nanoseconds since any moment, which nobody sets
     */
    SteadyClock(LongSupplier machineMs, LongSupplier monotonicNs) {
        this.machineMs = machineMs;
        this.monotonicNs = monotonicNs;
        last = new AtomicReference<>(new Reading(machineMs.getAsLong(), monotonicNs.getAsLong()));
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
            // What is left of a millisecond counts for the next one.
            last.compareAndSet(before, new Reading(before.ms + slowMs, before.nanos + slowMs * SLOW_NANOS_PER_MS));
        }
        return last.get().ms;
    }
}
