package dev.jitney.simulation.run;

import dev.jitney.model.Partitioning;
import dev.jitney.model.TierProfile;
import dev.jitney.simulation.SeededRandom;

/**
 * The choice of partitioned entities of a history: none in most histories; some, with sixteen fragments each; or all,
 * with two or four fragments each, as in PREMIUM (PART-6, PART-7, PART-18, PART-20).
 *
 * @param perMille the share of partitioned queues in thousandths
 */
record Partitions(TierProfile tier, Partitioning partitioning, int perMille) {
    private static final int ALL = 1_000;
    private static final long SALT = 0x7061727469746e73L;

    /**
     * Returns the choice for a seed.
     *
     * @param throttled whether clients are throttled, which has no effect in PREMIUM (THR-5)
     */
    static Partitions of(long seed, boolean throttled) {
        SeededRandom random = new SeededRandom(SeededRandom.mix(seed ^ SALT));
        int kind = throttled ? ALL : random.below(ALL);
        if (kind < 150) {
            return new Partitions(TierProfile.PREMIUM, new Partitioning(false, random.oneOf(2, 4)), ALL);
        }
        return new Partitions(TierProfile.STANDARD, Partitioning.DEFAULT, kind < 300 ? 500 : 0);
    }

    /** Returns whether all entities are partitioned. */
    boolean isEverything() {
        return perMille == ALL;
    }

    /** Returns the number of fragments of a partitioned entity. */
    int fragments() {
        return partitioning.fragments(true, tier);
    }
}
