package dev.jitney.runtime.shard;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of the messages in open transactions, for all shards of a process: with many stores, the share of one of them would be too
 * small for a transaction of 100 messages (TX-8). Each store has a small reserve above the limit, so that the
 * transactions of another store, which may hang, do not stop it. Any thread may call it.
 */
public final class TransactionMemory {
    /** The part of a store's share of the limit that is its reserve above the limit. */
    private static final int RESERVE_DIVISOR = 4;

    private final long bytesMax;
    private final long reserveBytes;
    private final AtomicLong bytes = new AtomicLong();

    /**
     * @param bytesMax the limit of all transactions together, and so of each of them; all reserves together add a quarter
     * @param stores the number of stores
     */
    public TransactionMemory(long bytesMax, int stores) {
        this.bytesMax = bytesMax;
        this.reserveBytes = bytesMax / stores / RESERVE_DIVISOR;
    }

    /** Returns the limit in bytes. */
    long bytesMax() {
        return bytesMax;
    }

    /**
     * Returns whether there is room for more bytes, which are not taken yet.
     *
     * @param held the bytes that transactions of the same store hold
     */
    boolean hasRoom(long held, long more) {
        return bytes.get() + more <= bytesMax || held + more <= reserveBytes;
    }

    /** Changes the number of bytes in use, by a negative number when a transaction ends. */
    void add(long more) {
        bytes.addAndGet(more);
    }
}
