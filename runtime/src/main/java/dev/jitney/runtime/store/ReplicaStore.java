package dev.jitney.runtime.store;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The copy of one messaging store on one node of a cluster. The replicated log makes batches durable; this port receives
 * them in the order of the log and makes them readable.
 *
 * <p>One thread applies batches. Other threads may call all other methods at the same time, and see applied rows only. After
 * a fault the store refuses everything until {@link #reopen} (CL-42).
 */
public interface ReplicaStore extends AutoCloseable {

    /**
     * Returns the position of the last applied batch. After a restart, and after {@link #reopen}, this is the position in the
     * table files.
     */
    ReplicaPosition position();

    /**
     * Applies a batch and its position together. When this method returns, both can be read. They survive a power failure
     * only once they are in table files; until then the replicated log must keep the entry.
     *
     * @param batch    an array that begins with the batch, encoded as specified by {@link RowBatchFormat}; it must not change
     *     afterwards. The replica may keep it, so that an entry of the log is not copied
     * @param length   the bytes of the batch
     * @param position the new position, with a greater index than {@link #position}
     * @throws IllegalArgumentException if the index is not greater
     * @throws StoreException if the batch is invalid or the outcome is uncertain
     */
    void apply(byte[] batch, int length, ReplicaPosition position) throws StoreException;

    /** Applies a batch that fills an array. */
    default void apply(byte[] batch, ReplicaPosition position) throws StoreException {
        apply(batch, batch.length, position);
    }

    /** Returns a copy of the value of a key, or null. */
    byte @Nullable [] get(Table table, byte[] key) throws StoreException;

    /** Returns a cursor over rows from {@code from} (inclusive) to {@code to} (exclusive). */
    StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException;

    /**
     * Returns a cursor over all rows of a table as of the last applied batch, whatever is applied later (CL-85). It does not
     * fill caches. It keeps memory and files of that time, so close it within minutes. It ends when the store is opened again or
     * its tables are replaced; then reading fails.
     *
     * <p>Called by the thread that applies batches. One other thread may read the cursor and close it.
     */
    StoreCursor snapshot(Table table) throws StoreException;

    /**
     * Returns the index of the last entry of this store that is in table files with all entries before it. The log may drop
     * entries up to it. If it is the index of {@link #position}, the store does not need any entry that is in the log.
     */
    long flushedIndex() throws StoreException;

    /** Writes all applied batches to table files, and waits for that. Batches may be applied meanwhile. */
    void flush() throws StoreException;

    /**
     * Writes a complete copy of the tables as of one position. It takes no space at first, because it shares its files with
     * the store, but it keeps files that the store deletes. So delete it soon. Batches may be applied meanwhile.
     *
     * @param directory the directory of the copy, on the disk of the store; it must not exist
     * @return the position that the copy contains
     * @throws StoreException if that fails; there is no copy then
     */
    ReplicaPosition checkpoint(Path directory) throws StoreException;

    /**
     * Takes a {@linkplain #checkpoint checkpoint} of another replica in place of the own tables (CL-45). The checkpoint is
     * checked and synced first. Then its directory is renamed, so it is gone when this method returns. A crash leaves the
     * old tables and the directory, or the new tables. Open cursors end.
     *
     * <p>Called by the thread that applies batches, or while it waits.
     *
     * @param directory the directory of the checkpoint, on the disk of the store
     * @return true if the checkpoint is in place; false if it is older than {@link #position}: then nothing has changed, and its
     *     directory is still there
     * @throws StoreException if the checkpoint is damaged or incomplete: then nothing has changed. After any other failure the
     *     store refuses everything until {@link #reopen}.
     */
    boolean replaceBy(Path directory) throws StoreException;

    /**
     * Opens the store again after a fault, if possible. Batches that were not in table files must be applied again. A store
     * that is missing is never created again, and a different store is refused.
     *
     * <p>Called by the thread that applies batches, or while it waits.
     *
     * @throws StoreException if the store is not usable yet; the caller retries later
     */
    void reopen() throws StoreException;

    /** Returns whether there is room for more messages. Cheap enough to call for every batch. */
    boolean acceptsGrowth();

    /**
     * Returns the disk usage and the space left, or null if the store is closed or not on a disk. Does not access the disk.
     */
    default @Nullable DiskFigures disk() {
        return null;
    }

    /**
     * Checks that the store still works, as {@link MessagingStore#check} does. Call it from time to time, also without
     * batches.
     *
     * @throws StoreException if the store must not be used any more, until {@link #reopen}
     */
    void check() throws StoreException;

    /** Closes the store. Batches that are not in table files may have to be applied again. */
    @Override
    void close();
}
