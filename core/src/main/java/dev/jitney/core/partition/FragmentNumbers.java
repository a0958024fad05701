package dev.jitney.core.partition;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import org.jspecify.annotations.Nullable;

/**
 * Sequence numbers of partitioned entities (SEQ-2): the upper 16 bits are the fragment, the lower 48 bits count within
 * it. An entity that is not partitioned counts with all 64 bits.
 */
public final class FragmentNumbers {
    /** The maximum number of fragments. */
    public static final int FRAGMENTS_MAX = 1 << 16;

    /** The largest count within a fragment. */
    public static final long COUNT_MAX = (1L << 48) - 1;

    /** The numbers reserved for existing messages: scheduled ones get another number when they are due. */
    private static final long COUNTS_KEPT = 1L << 32;

    private FragmentNumbers() {}

    /** Returns the number of a message: {@code of(1, 1)} is 281474976710657. */
    public static long of(int fragment, long count) {
        if (fragment < 0 || fragment >= FRAGMENTS_MAX) {
            throw new IllegalArgumentException("Expected a fragment from 0 to 65535, but got " + fragment + ".");
        }
        if (count < 0 || count > COUNT_MAX) {
            throw new IllegalArgumentException("Expected a count from 0 to " + COUNT_MAX + ", but got " + count + ".");
        }
        return (long) fragment << 48 | count;
    }

    /** Returns the fragment of a number, 0 to 65,535. */
    public static int fragment(long sequenceNumber) {
        return (int) (sequenceNumber >>> 48);
    }

    /** Returns the count within the fragment. */
    public static long count(long sequenceNumber) {
        return sequenceNumber & COUNT_MAX;
    }

    /**
     * Returns whether new messages must be refused because their numbers would belong to another fragment. The count does
     * not wrap (SEQ-3), because windows, outboxes and expiry rely on ascending numbers. At a million messages per second,
     * the numbers last for nine years.
     */
    public static boolean areUsedUp(long lastSequenceNumber) {
        return count(lastSequenceNumber) > COUNT_MAX - COUNTS_KEPT;
    }

    /**
     * Checks that a number can belong to this entity (PART-64). Returns null if it can; {@link #fragment} is then its
     * fragment.
     *
     * @param fragments number of fragments of the entity, more than 1
     */
    public static @Nullable Rejection refuse(long sequenceNumber, int fragments) {
        return fragment(sequenceNumber) < fragments
                ? null
                : new Rejection(
                        ErrorCode.MESSAGE_NOT_FOUND,
                        "The message with sequence number " + sequenceNumber + " could not be found. The entity has the"
                                + " partitions 0 to " + (fragments - 1) + ", but the number belongs to partition "
                                + fragment(sequenceNumber) + ".");
    }
}
