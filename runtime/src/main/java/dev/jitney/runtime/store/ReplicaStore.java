package dev.jitney.runtime.store;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The copy of one messaging store on one node of a cluster. The replicated log makes batches durable; this port receives
 * them in the order of the log and makes them readable.
 *
 * <p>One thread applies batches. Other threads may read at the same time and see applied rows only.
 */
public interface ReplicaStore extends AutoCloseable {

    /** Returns the position of the last applied batch. After a restart this is the position in the table files. */
    ReplicaPosition position();

    /**
     * Applies a batch and its position together. When this method returns, both can be read. They survive a power failure
     * only once they are in table files; until then the replicated log must keep the entry.
     *
     * @param batch    encoded as specified by {@link RowBatchFormat}; must not change afterwards
     * @param position the new position, greater than {@link #position}
     * @throws StoreException if the outcome is uncertain. The store then refuses everything until it is opened again.
     */
    void apply(byte[] batch, ReplicaPosition position) throws StoreException;

    /** Returns a copy of the value of a key, or null. */
    byte @Nullable [] get(Table table, byte[] key) throws StoreException;

    /** Returns a cursor over rows from {@code from} (inclusive) to {@code to} (exclusive). */
    StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException;

    /**
     * Returns the index of the last entry that is in table files with all entries before it. The log may drop entries up
     * to it.
     */
    long flushedIndex() throws StoreException;

    /** Writes all applied batches to table files. */
    void flush() throws StoreException;

    /** Returns whether there is room for more messages. Cheap enough to call for every batch. */
    boolean acceptsGrowth();

    /**
     * Checks that the store still works, as {@link MessagingStore#check} does.
     *
     * @throws StoreException if the store must not be used any more
     */
    void check() throws StoreException;

    /**
     * Writes all applied batches to table files, and makes a copy of these in a directory, by hard links where possible. Other
     * threads may apply batches at the same time; the copy has a batch as a whole or not at all.
     *
     * @param directory must not exist
     * @return the position of the copy
     */
    ReplicaPosition checkpoint(Path directory) throws StoreException;

    /**
     * Takes a complete checkpoint in place of the own tables and opens it. Afterward {@link #position} is that of the
     * checkpoint. A crash leaves the old tables or the new ones. No batch may be applied at the same time.
     *
     * @param directory on the same disk; it is moved
     */
    void replaceBy(Path directory) throws StoreException;

    /**
     * Opens the store again after a fault. Afterward {@link #position} is that of the table files, as after a restart.
     *
     * @throws StoreException if the store is not usable yet; the caller retries later
     */
    void reopen() throws StoreException;

    @Override
    void close();
}
