package dev.jitney.core.partition;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import org.jspecify.annotations.Nullable;

/**
 * Sequence numbers of partitioned entities (SEQ-2): the upper 16 bits tell the fragment, the lower 48 count within it.
 * An ordinary entity has no fragments to tell apart and counts in all 64 bits.
 */
public final class FragmentNumbers {
    /** Most fragments that numbers can tell apart. */
    public static final int FRAGMENTS_MAX = 1 << 16;

    /** The largest count within a fragment. */
    public static final long COUNT_MAX = (1L << 48) - 1;

    /** Numbers left for messages that are there already: scheduled ones get another one when they are due. */
    private static final long COUNTS_KEPT = 1L << 32;

    private FragmentNumbers() {}

    /** The number of a message: {@code of(1, 1)} is 281474976710657. */
    public static long of(int fragment, long count) {
        if (fragment < 0 || fragment >= FRAGMENTS_MAX) {
            throw new IllegalArgumentException("Expected a fragment from 0 to 65535, but got " + fragment + ".");
        }
        if (count < 0 || count > COUNT_MAX) {
            throw new IllegalArgumentException("Expected a count from 0 to " + COUNT_MAX + ", but got " + count + ".");
        }
        return (long) fragment << 48 | count;
    }

    /** The fragment of a number, 0 to 65,535. */
    public static int fragment(long sequenceNumber) {
        return (int) (sequenceNumber >>> 48);
    }

    /** The count within its fragment. */
    public static long count(long sequenceNumber) {
        return sequenceNumber & COUNT_MAX;
    }

    /**
     * Whether messages are to be refused because the next ones would have numbers of another fragment. The count does not
     * wrap (SEQ-3): that numbers ascend is what windows, outboxes and expiry rely on. At a million messages a second it ends
     * after nine years.
     */
    public static boolean areUsedUp(long lastSequenceNumber) {
        return count(lastSequenceNumber) > COUNT_MAX - COUNTS_KEPT;
    }

    /**
     * Why a number cannot be one of this entity, or null if it can: then {@link #fragment} is where to ask (PART-64).
     *
     * @param fragments how many the entity has, more than 1
     */
    public static @Nullable Rejection refuse(long sequenceNumber, int fragments) {
        return fragment(sequenceNumber) < fragments
                ? null
                : new Rejection(
                        ErrorCode.MESSAGE_NOT_FOUND,
                        "The message with sequence number " + sequenceNumber + " could not be found: the entity has the"
                                + " partitions 0 to " + (fragments - 1) + ", but the number is one of partition "
                                + fragment(sequenceNumber) + ".");
    }
}
