package dev.jitney.cluster.ratis;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** A histogram of durations. Any thread may call it. */
final class Durations {
    private static final double[] BOUNDS_SECONDS = {
        0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5
    };

    private final AtomicLongArray buckets = new AtomicLongArray(BOUNDS_SECONDS.length + 1);
    private final LongAdder nanos = new LongAdder();

    void add(long durationNanos) {
        double seconds = durationNanos / 1e9;
        int at = Arrays.binarySearch(BOUNDS_SECONDS, seconds);
        buckets.incrementAndGet(at >= 0 ? at : -at - 1);
        nanos.add(durationNanos);
    }

    AgreementFigures.Histogram snapshot() {
        long[] counts = new long[buckets.length()];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = buckets.get(i);
        }
        return new AgreementFigures.Histogram(
                BOUNDS_SECONDS.clone(), counts, (double) nanos.sum() / TimeUnit.SECONDS.toNanos(1));
    }
}
