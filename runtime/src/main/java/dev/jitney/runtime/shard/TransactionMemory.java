package dev.jitney.runtime.shard;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of the messages in open transactions, for all shards of a process: with many stores, the share of one of them would be too
 * small for a transaction of 100 messages (TX-8). Any thread may call it.
 */
public final class TransactionMemory {
    private final long bytesMax;
    private final AtomicLong bytes = new AtomicLong();

    /** @param bytesMax the limit of all transactions together, and so of each of them */
    public TransactionMemory(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Returns the limit in bytes. */
    long bytesMax() {
        return bytesMax;
    }

    /** Returns whether there is room for more bytes, which are not taken yet. */
    boolean hasRoom(long more) {
        return bytes.get() + more <= bytesMax;
    }

    /** Changes the number of bytes in use, by a negative number when a transaction ends. */
    void add(long more) {
        bytes.addAndGet(more);
    }
}
