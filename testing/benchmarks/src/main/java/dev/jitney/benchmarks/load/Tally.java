package dev.jitney.benchmarks.load;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The counters that all links of a run share. Thread-safe. */
final class Tally {
    static final long LOWEST_NANOS = 1_000;
    static final long HIGHEST_NANOS = 300_000_000_000L;

    final AtomicLong started = new AtomicLong();
    final LongAdder accepted = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder received = new LongAdder();
    final LongAdder completed = new LongAdder();
    final LongAdder lost = new LongAdder();
    final AtomicReference<@Nullable String> trouble = new AtomicReference<>();

    private final Histogram toAccepted = new ConcurrentHistogram(LOWEST_NANOS, HIGHEST_NANOS, 3);
    private final Histogram toReceived = new ConcurrentHistogram(LOWEST_NANOS, HIGHEST_NANOS, 3);
    private final @Nullable LatencyOverTime acceptedOverTime;
    private final @Nullable LatencyOverTime receivedOverTime;
    private volatile boolean measuring;

    /**
     * @param acceptedOverTime also gets the latencies to the answer, or null
     * @param receivedOverTime also gets the latencies to the receiver, or null
     */
    Tally(@Nullable LatencyOverTime acceptedOverTime, @Nullable LatencyOverTime receivedOverTime) {
        this.acceptedOverTime = acceptedOverTime;
        this.receivedOverTime = receivedOverTime;
    }

    /** Starts to record latencies. */
    void measure() {
        measuring = true;
    }

    void acceptedAfter(long nanos) {
        accepted.increment();
        if (measuring) {
            toAccepted.recordValue(bounded(nanos));
            if (acceptedOverTime != null) {
                acceptedOverTime.record(bounded(nanos));
            }
        }
    }

    void receivedAfter(long nanos) {
        received.increment();
        if (measuring) {
            toReceived.recordValue(bounded(nanos));
            if (receivedOverTime != null) {
                receivedOverTime.record(bounded(nanos));
            }
        }
    }

    /** Returns the latencies from the send to the broker's answer. Read them after the run. */
    Histogram toAccepted() {
        return toAccepted;
    }

    /** Returns the latencies from the send to the arrival at a receiver. Read them after the run. */
    Histogram toReceived() {
        return toReceived;
    }

    /** Keeps the first problem. */
    void trouble(String what) {
        trouble.compareAndSet(null, what);
    }

    private static long bounded(long nanos) {
        return Math.max(LOWEST_NANOS, Math.min(nanos, HIGHEST_NANOS));
    }
}
