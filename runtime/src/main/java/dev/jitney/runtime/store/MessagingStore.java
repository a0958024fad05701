package dev.jitney.runtime.store;

import org.jspecify.annotations.Nullable;

/**
 * One messaging store: ordered tables of byte strings with atomic, durable batches.
 *
 * <p>{@link #commit} is called by one thread at a time; {@link #get}, {@link #scan} and {@link #acceptsGrowth} may be
 * called by another thread meanwhile and see committed rows only.
 */
public interface MessagingStore extends AutoCloseable {

    /**
     * Makes the batch durable; when this returns, it survives the loss of power.
     *
     * @throws StoreException if that is not certain. The store then refuses further commits until {@link #reopen}.
     */
    void commit(RowBatch batch) throws StoreException;

    /**
     * Does what the last commit has left to be done and nobody waits for; to be called by the thread that commits, when those
     * who waited have been told. If it is not called, or fails, the next use does it or says what is wrong.
     */
    default void afterCommit() {}

    /** The value of a key, a copy, or null. */
    byte @Nullable [] get(Table table, byte[] key) throws StoreException;

    /** Rows from {@code from} (inclusive) to {@code to} (exclusive). */
    StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException;

    /**
     * Whether there is room for messages to be added. When false, only what makes room should be committed; cheap
     * enough to be asked for every batch.
     */
    boolean acceptsGrowth();

    /**
     * How much room the store takes and has, or null if it is away or knows nothing of disks. It reads what is known in memory
     * and does not wait for the disk; any thread may ask.
     */
    default @Nullable DiskFigures disk() {
        return null;
    }

    /**
     * Notices what no commit would tell in time: that the directory has gone, or is another one now. Cheap enough to be
     * asked for every batch, and from time to time without one.
     *
     * @throws StoreException if the store is not to be used any more; it then refuses commits until {@link #reopen}
     */
    void check() throws StoreException;

    /**
     * Lets go of files and locks, so that the disk may be taken away. Until {@link #reopen} everything is refused. Called
     * by the thread that commits.
     */
    void suspend();

    /**
     * Makes the store usable after a failure or {@link #suspend}, if it can be. What was committed before is there: a store
     * that has gone is never made anew, and another one is never taken for it.
     *
     * @throws StoreException if it is not usable yet; to be tried again later
     */
    void reopen() throws StoreException;

    @Override
    void close();
}
