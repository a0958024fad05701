package dev.jitney.runtime.shard;

import dev.jitney.runtime.ShardFigures;
import java.util.concurrent.atomic.AtomicLongArray;

/** A histogram: counts values by size class. One thread records, any thread may read. */
final class Distribution {
    private final double[] upperBounds;
    private final double scale;

    /** One class per bound, one for larger values, and last the sum in recorded units. */
    private final AtomicLongArray counts;

    /**
     * @param scale one recorded unit in the unit of the bounds, for example 1e-9 for nanoseconds in seconds
     * @param upperBounds ascending, each inclusive
     */
    Distribution(double scale, double... upperBounds) {
        this.scale = scale;
        this.upperBounds = upperBounds;
        this.counts = new AtomicLongArray(upperBounds.length + 2);
    }

    void record(long units) {
        double value = units * scale;
        int at = 0;
        while (at < upperBounds.length && value > upperBounds[at]) {
            at++;
        }
        add(at, 1);
        add(upperBounds.length + 1, units);
    }

    /** Adds to a counter. Only one thread writes, so an ordered store is enough. */
    private void add(int at, long delta) {
        counts.lazySet(at, counts.get(at) + delta);
    }

    ShardFigures.Histogram figures() {
        long[] out = new long[upperBounds.length + 1];
        for (int i = 0; i < out.length; i++) {
            out[i] = counts.get(i);
        }
        return new ShardFigures.Histogram(upperBounds.clone(), out, counts.get(out.length) * scale);
    }
}
