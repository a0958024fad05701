package dev.jitney.cluster.ratis;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what this node has agreed on with the others since its server was started (CL-82). Any thread may call it.
 *
 * <p>A commit lasts from the proposal of a batch until it is in the logs of a majority, synced to disk on each, and applied on the
 * leader. The agreement is the first part of it, until the log has the batch on a majority. The leader syncs its own log
 * during that time.
 */
public final class AgreementFigures {
    private final Durations commits = new Durations();
    private final Durations agreements = new Durations();
    private final Durations syncs = new Durations();
    private final LongAdder leaseWaits = new LongAdder();

    /**
     * Durations by their length.
     *
     * @param upperBounds upper bounds of durations in seconds, ascending and inclusive
     * @param counts      the number of durations; one more than bounds
     * @param sumSeconds  the sum of all durations in seconds
     */
    // The arrays are made for one reader.
    @SuppressWarnings("ArrayRecordComponent")
    public record Histogram(double[] upperBounds, long[] counts, double sumSeconds) {}

    /**
     * The figures at one moment.
     *
     * @param commits    the commits of batches on the leader
     * @param agreements of each entry on the leader, the time until a majority had synced it
     * @param syncs      the syncs of the log on this node, whether it leads or not
     * @param leaseWaits how often an output waited until the lease was confirmed (CL-9)
     */
    public record Snapshot(Histogram commits, Histogram agreements, Histogram syncs, long leaseWaits) {}

    void committed(long durationNanos) {
        commits.add(durationNanos);
    }

    void agreed(long durationNanos) {
        agreements.add(durationNanos);
    }

    void synced(long durationNanos) {
        syncs.add(durationNanos);
    }

    void waitsForLease() {
        leaseWaits.increment();
    }

    /** Returns the figures now. */
    public Snapshot snapshot() {
        return new Snapshot(commits.snapshot(), agreements.snapshot(), syncs.snapshot(), leaseWaits.sum());
    }
}
