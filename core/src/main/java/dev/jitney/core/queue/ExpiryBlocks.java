package dev.jitney.core.queue;

/** The blocks of 1,024 sequence numbers of which a fragment knows when the first message in them expires. */
public final class ExpiryBlocks {
    private static final int BLOCK_BITS = 10;

    private ExpiryBlocks() {}

    /** The block a number is in. */
    public static long blockOf(long sequenceNumber) {
        return sequenceNumber >> BLOCK_BITS;
    }

    /** The first number of a block. */
    public static long firstOf(long block) {
        return block << BLOCK_BITS;
    }
}
