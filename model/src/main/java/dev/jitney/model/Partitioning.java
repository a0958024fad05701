package dev.jitney.model;

import org.jspecify.annotations.Nullable;

/**
 * The settings that decide on the partitioning of queues and topics in a namespace (semantics appendix B).
 *
 * @param onByDefault whether entities of STANDARD and BASIC are partitioned if their description does not set
 *     EnablePartitioning (PART-5)
 * @param premiumPartitions fragments of a PREMIUM entity: 1, which means that no entity is partitioned, 2 or 4 (PART-7,
 *     PART-20)
 */
public record Partitioning(boolean onByDefault, int premiumPartitions) {
    /** Fragments of a partitioned entity outside PREMIUM (PART-18). */
    public static final int STANDARD_FRAGMENTS = 16;

    /** The settings of a namespace that sets nothing. */
    public static final Partitioning DEFAULT = new Partitioning(false, 2);

    private static final long MEGABYTE = 1L << 20;

    public Partitioning {
        if (!isPremiumPartitions(premiumPartitions)) {
            throw new IllegalArgumentException(
                    "Expected 1, 2 or 4 partitions of PREMIUM entities, but got " + premiumPartitions + ".");
        }
    }

    /** Returns whether this number of partitions is allowed for PREMIUM entities. */
    public static boolean isPremiumPartitions(int number) {
        return number == 1 || number == 2 || number == 4;
    }

    /**
     * Returns whether an entity is partitioned (PART-5 to PART-7). PREMIUM ignores the value false and does not report
     * that.
     *
     * @param asked EnablePartitioning as given, or null if not set
     */
    public boolean enabled(@Nullable Boolean asked, TierProfile tier) {
        if (tier == TierProfile.PREMIUM) {
            return premiumPartitions > 1;
        }
        return asked == null ? onByDefault : asked;
    }

    /** Checks EnablePartitioning of a new entity. Returns null if the value is allowed (HTTP reference 5.3). */
    public @Nullable Rejection refuse(@Nullable Boolean asked, TierProfile tier) {
        return tier == TierProfile.PREMIUM && premiumPartitions == 1 && Boolean.TRUE.equals(asked)
                ? new Rejection(
                        ErrorCode.ARGUMENT,
                        "Expected EnablePartitioning to be false, but got true. This PREMIUM namespace is set to one"
                                + " partition per entity.")
                : null;
    }

    /** Returns the number of fragments of an entity: 1 if it is not partitioned (PART-18, PART-20). */
    public int fragments(boolean partitioned, TierProfile tier) {
        if (!partitioned) {
            return 1;
        }
        return tier == TierProfile.PREMIUM ? premiumPartitions : STANDARD_FRAGMENTS;
    }

    /**
     * Returns the maximum size of an entity in megabytes, as management shows it (PART-18, PART-21). Outside PREMIUM each
     * fragment has the configured size; in PREMIUM all fragments share it (PART-20).
     *
     * @param megabytes MaxSizeInMegabytes as configured
     */
    public long effectiveMegabytes(long megabytes, boolean partitioned, TierProfile tier) {
        return tier == TierProfile.PREMIUM ? megabytes : megabytes * fragments(partitioned, tier);
    }

    /** Returns the maximum size of one fragment in bytes (QUOTA-4). */
    public long fragmentBytesMax(long megabytes, boolean partitioned, TierProfile tier) {
        long bytes = megabytes * MEGABYTE;
        return tier == TierProfile.PREMIUM ? bytes / fragments(partitioned, tier) : bytes;
    }

    /**
     * Checks whether a namespace can have one more partitioned queue or topic (PART-63). Returns null if it can.
     *
     * @param existing the number of partitioned entities in the namespace
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
