package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/**
 * A scan of rows as of its opening: those in RocksDB, and on top of them recent ones that are not there yet. It keeps the files that it reads on disk, so close it soon.
 *
 * <p>When the store closes or reopens, it ends the cursor; then {@link #next} throws. Native objects are used only
 * under the store's read lock. {@link #end} runs under the write lock, or on the cursor's own thread under the read
 * lock.
 */
final class RocksDbCursor implements StoreCursor {
    private final GuardedStore<?> store;
    private final byte[] from;
    private final @Nullable Slice upperBound;
    private final ReadOptions options;
    private final RocksIterator iterator;
    private final RecentRows recent;

    /** Whether the iterator was set to its first row. */
    private boolean started;

    /** Whether the row of the iterator was returned or replaced. */
    private boolean used;

    /** The key of the iterator's row if that was not used yet, or null. */
    private byte @Nullable [] stored;

    private boolean atEnd;
    private boolean ended;
    private byte @Nullable [] key;
    private byte @Nullable [] value;

    /** @param recent the recent rows of the same range */
    RocksDbCursor(GuardedStore<?> store, Database database, Table table, byte[] from, byte[] to, RecentRows recent) {
        this.store = store;
        this.recent = recent;
        this.from = from;
        Slice bound = new Slice(to);
        upperBound = bound;
        options = new ReadOptions().setIterateUpperBound(bound);
        iterator = database.iterator(table, options);
    }

    /** Makes a cursor over all rows of a table, which does not fill the block cache. */
    RocksDbCursor(GuardedStore<?> store, Database database, Table table) {
        this.store = store;
        recent = RecentRows.NONE;
        from = new byte[0];
        upperBound = null;
        options = new ReadOptions().setFillCache(false);
        iterator = database.iterator(table, options);
    }

    @Override
    public boolean next() throws StoreException {
        return store.guarded(database -> {
            if (ended) {
                throw new StoreException(
                        StoreException.Reason.IO,
                        "Expected an open cursor of the messaging store in " + store.directory()
                                + ", but it is closed");
            }
            return step();
        });
    }

    private boolean step() throws RocksDBException {
        key = null;
        value = null;
        while (true) {
            byte[] inStore = stored();
            boolean isRecent = recent.hasRow();
            if (inStore == null && !isRecent) {
                return false;
            }
            int order = inStore == null ? -1 : isRecent ? recent.compareKey(inStore) : 1;
            if (order > 0) {
                key = inStore;
                value = iterator.value();
                use();
                return true;
            }
            if (order == 0) {
                use(); // replaced or deleted
            }
            boolean deleted = recent.isDeleted();
            if (!deleted) {
                key = recent.key();
                value = recent.value();
            }
            recent.advance();
            if (!deleted) {
                return true;
            }
        }
    }

    /** Returns the key of the next row in RocksDB, or null at the end. */
    private byte @Nullable [] stored() throws RocksDBException {
        if (stored != null || atEnd) {
            return stored;
        }
        if (!started) {
            iterator.seek(from);
            started = true;
        } else if (used) {
            iterator.next();
        }
        used = false;
        if (iterator.isValid()) {
            stored = iterator.key();
        } else {
            iterator.status();
            atEnd = true;
        }
        return stored;
    }

    private void use() {
        used = true;
        stored = null;
    }

    @Override
    public byte[] key() {
        return current(key);
    }

    @Override
    public byte[] value() {
        return current(value);
    }

    private static byte[] current(byte @Nullable [] bytes) {
        if (bytes == null) {
            throw new IllegalStateException("Expected a current row, but next() did not return true");
        }
        return bytes.clone();
    }

    @Override
    public void close() {
        store.closeCursor(this);
    }

    /** Frees the native objects, once. The current row stays valid, because its owner may still read it. */
    void end() {
        if (!ended) {
            ended = true;
            iterator.close();
            options.close();
            if (upperBound != null) {
                upperBound.close();
            }
        }
    }
}
