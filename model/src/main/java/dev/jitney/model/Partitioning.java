package dev.jitney.model;

import org.jspecify.annotations.Nullable;

/**
 * How a namespace partitions its queues and topics: settings (semantics appendix B) and what follows from them.
 *
 * @param onByDefault whether entities of STANDARD and BASIC whose descriptions say nothing are partitioned (PART-5)
 * @param premiumPartitions fragments of a PREMIUM entity: 1, which means that none is partitioned, 2 or 4 (PART-7, PART-20)
 */
public record Partitioning(boolean onByDefault, int premiumPartitions) {
    /** Fragments of a partitioned entity outside PREMIUM (PART-18). */
    public static final int STANDARD_FRAGMENTS = 16;

    /** What holds where nothing is set. */
    public static final Partitioning DEFAULT = new Partitioning(false, 2);

    private static final long MEGABYTE = 1L << 20;

    public Partitioning {
        if (!isPremiumPartitions(premiumPartitions)) {
            throw new IllegalArgumentException(
                    "Expected 1, 2 or 4 partitions of PREMIUM entities, but got " + premiumPartitions + ".");
        }
    }

    /** Whether PREMIUM entities can have so many partitions. */
    public static boolean isPremiumPartitions(int number) {
        return number == 1 || number == 2 || number == 4;
    }

    /**
     * Whether an entity is partitioned (PART-5 to PART-7). PREMIUM does not ask: false is overridden without a word.
     *
     * @param asked EnablePartitioning as given, null if it was not
     */
    public boolean enabled(@Nullable Boolean asked, TierProfile tier) {
        if (tier == TierProfile.PREMIUM) {
            return premiumPartitions > 1;
        }
        return asked == null ? onByDefault : asked;
    }

    /** Why an entity cannot be had as asked for; null if it can (HTTP reference 5.3). */
    public @Nullable Rejection refuse(@Nullable Boolean asked, TierProfile tier) {
        return tier == TierProfile.PREMIUM && premiumPartitions == 1 && Boolean.TRUE.equals(asked)
                ? new Rejection(
                        ErrorCode.ARGUMENT,
                        "Expected EnablePartitioning to be false, but got true: this PREMIUM namespace is set to one"
                                + " partition per entity.")
                : null;
    }

    /** How many fragments an entity has, 1 if it is not partitioned (PART-18, PART-20). */
    public int fragments(boolean partitioned, TierProfile tier) {
        if (!partitioned) {
            return 1;
        }
        return tier == TierProfile.PREMIUM ? premiumPartitions : STANDARD_FRAGMENTS;
    }

    /**
     * The size an entity can grow to, in megabytes, as management shows it (PART-18, PART-21): outside PREMIUM each fragment
     * has the configured size, in PREMIUM all of them together (PART-20).
     *
     * @param megabytes MaxSizeInMegabytes as configured
     */
    public long effectiveMegabytes(long megabytes, boolean partitioned, TierProfile tier) {
        return tier == TierProfile.PREMIUM ? megabytes : megabytes * fragments(partitioned, tier);
    }

    /** How many bytes one fragment may hold (QUOTA-4). */
    public long fragmentBytesMax(long megabytes, boolean partitioned, TierProfile tier) {
        long bytes = megabytes * MEGABYTE;
        return tier == TierProfile.PREMIUM ? bytes / fragments(partitioned, tier) : bytes;
    }

    /**
     * Whether a namespace may have one more partitioned queue or topic (PART-63); null if it may.
     *
     * @param existing how many it has
     * @param max {@link Limits#maxPartitionedEntities}
     */
    public static @Nullable Rejection refuseOneMore(int existing, long max) {
        return existing < max
                ? null
                : new Rejection(
                        ErrorCode.QUOTA_EXCEEDED,
                        "Expected at most " + max + " partitioned queues and topics in the namespace, but it has "
                                + existing + ".");
    }
}
