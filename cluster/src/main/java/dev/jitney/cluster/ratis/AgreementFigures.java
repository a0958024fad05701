package dev.jitney.cluster.ratis;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what this node has agreed on with the others as the leader, since its server was started (CL-82). Any thread may call
 * it.
 *
 * <p>The duration of a commit is the time from the proposal of a batch until it is in the logs of a majority, synced to disk on
 * each, and applied on the leader. Ratis does not report the parts of it.
 */
public final class AgreementFigures {
    private static final double[] BOUNDS_SECONDS = {
        0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5
    };

    private final AtomicLongArray buckets = new AtomicLongArray(BOUNDS_SECONDS.length + 1);
    private final LongAdder nanos = new LongAdder();
    private final LongAdder leaseWaits = new LongAdder();

    /**
     * The figures at one moment.
     *
     * @param upperBounds upper bounds of durations in seconds, ascending and inclusive
     * @param commits     the number of commits by duration; one more than bounds
     * @param sumSeconds  the sum of all durations in seconds
     * @param leaseWaits  how often an output waited until the lease was confirmed (CL-9)
     */
    // The arrays are made for one reader.
    @SuppressWarnings("ArrayRecordComponent")
    public record Snapshot(double[] upperBounds, long[] commits, double sumSeconds, long leaseWaits) {}

    void committed(long durationNanos) {
        double seconds = durationNanos / 1e9;
        int at = Arrays.binarySearch(BOUNDS_SECONDS, seconds);
        buckets.incrementAndGet(at >= 0 ? at : -at - 1);
        nanos.add(durationNanos);
    }

    void waitsForLease() {
        leaseWaits.increment();
    }

    /** Returns the figures now. */
    public Snapshot snapshot() {
        long[] commits = new long[buckets.length()];
        for (int i = 0; i < commits.length; i++) {
            commits[i] = buckets.get(i);
        }
        return new Snapshot(
                BOUNDS_SECONDS.clone(), commits, (double) nanos.sum() / TimeUnit.SECONDS.toNanos(1), leaseWaits.sum());
    }
}
