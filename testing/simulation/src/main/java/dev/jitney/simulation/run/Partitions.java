package dev.jitney.simulation.run;

import dev.jitney.model.Partitioning;
import dev.jitney.model.TierProfile;
import dev.jitney.simulation.SeededRandom;

/**
 * Which entities of a history are partitioned: none in most; some, of sixteen fragments each; or all, of two or four, as
 * PREMIUM has it (PART-6, PART-7, PART-18, PART-20).
 *
 * @param perMille how many of the queues
 */
record Partitions(TierProfile tier, Partitioning partitioning, int perMille) {
    private static final int ALL = 1_000;
    private static final long SALT = 0x7061727469746e73L;

    /** @param throttled whether clients are, which has no effect in PREMIUM (THR-5) */
    static Partitions of(long seed, boolean throttled) {
        SeededRandom random = new SeededRandom(SeededRandom.mix(seed ^ SALT));
        int kind = throttled ? ALL : random.below(ALL);
        if (kind < 150) {
            return new Partitions(TierProfile.PREMIUM, new Partitioning(false, random.oneOf(2, 4)), ALL);
        }
        return new Partitions(TierProfile.STANDARD, Partitioning.DEFAULT, kind < 300 ? 500 : 0);
    }

    /** Whether nothing is ordinary. */
    boolean isEverything() {
        return perMille == ALL;
    }

    /** How many fragments a partitioned entity has. */
    int fragments() {
        return partitioning.fragments(true, tier);
    }
}
