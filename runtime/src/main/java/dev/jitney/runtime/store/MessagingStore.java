package dev.jitney.runtime.store;

import org.jspecify.annotations.Nullable;

/**
 * A messaging store: ordered tables of byte strings with atomic, durable batches.
 *
 * <p>One thread at a time calls {@link #commit}. Another thread may call {@link #get}, {@link #scan} and {@link
 * #acceptsGrowth} concurrently and sees committed rows only.
 */
public interface MessagingStore extends AutoCloseable {

    /**
     * Makes the batch durable. When this method returns, the batch survives a power failure.
     *
     * @throws StoreException if the outcome is uncertain. The store then refuses further commits until {@link #reopen}.
     */
    void commit(RowBatch batch) throws StoreException;

    /**
     * Does the remaining work of the last commit that no reply waits for. The committing thread calls it after the
     * replies are released. If it is not called or fails, the next operation does the work or reports the fault.
     */
    default void afterCommit() {}

    /**
     * Confirms that this store is still in use, before outputs leave that need no commit, such as deliveries under a lock.
     * A store of a single node is always in use, so the default does nothing. A replicated store waits for the lease of
     * its leader. Called by the committing thread.
     *
     * @throws StoreException if the store is not in use any more; then no output of the turn may leave
     */
    default void confirm() throws StoreException {}

    /**
     * Returns whether {@link #confirm} would return at once. Outputs that do not pass the committing thread, such as messages
     * that were locked in advance, may leave only if it does; otherwise the committing thread must confirm them. Any thread
     * may call it.
     */
    default boolean isConfirmed() {
        return true;
    }

    /** Returns a copy of the value of a key, or null. */
    byte @Nullable [] get(Table table, byte[] key) throws StoreException;

    /** Returns a cursor over rows from {@code from} (inclusive) to {@code to} (exclusive). */
    StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException;

    /**
     * Returns whether there is room for more messages. If not, only commits that free space should follow. Cheap enough
     * to call for every batch.
     */
    boolean acceptsGrowth();

    /**
     * Returns the disk usage and the space left, or null if the store is closed or has no limit. A store in memory
     * returns the usage of its limit. The method returns values from memory and does not access the disk. Any thread may
     * call it.
     */
    default @Nullable DiskFigures disk() {
        return null;
    }

    /** Returns the place of the rows, as a noun for messages to people: {@code disk} or {@code memory}. */
    default String medium() {
        return "disk";
    }

    /**
     * Detects faults that commits would not detect in time: the directory was removed or replaced. Cheap enough to call
     * for every batch, and from time to time without one.
     *
     * @throws StoreException if the store must not be used any more; it then refuses commits until {@link #reopen}
     */
    void check() throws StoreException;

    /**
     * Closes files and releases locks, so that the disk may be removed. Everything is refused until {@link #reopen}.
     * Called by the committing thread.
     */
    void suspend();

    /**
     * Opens the store again after a failure or {@link #suspend}, if possible. All earlier commits must be there: a
     * missing store is never created again, and a different store is refused.
     *
     * @throws StoreException if the store is not usable yet; the caller retries later
     */
    void reopen() throws StoreException;

    @Override
    void close();
}
