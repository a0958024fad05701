package dev.jitney.core.queue;

/** The blocks of 1,024 sequence numbers for which a fragment knows the earliest expiry. */
public final class ExpiryBlocks {
    private static final int BLOCK_BITS = 10;

    private ExpiryBlocks() {}

    /** Returns the block of a number. */
    public static long blockOf(long sequenceNumber) {
        return sequenceNumber >> BLOCK_BITS;
    }

    /** Returns the first number of a block. */
    public static long firstOf(long block) {
        return block << BLOCK_BITS;
    }
}
