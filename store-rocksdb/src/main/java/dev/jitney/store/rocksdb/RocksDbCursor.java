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
 * A scan of rows as of its opening. It keeps the files that it reads on disk, so close it soon.
 *
 * <p>When the store closes or reopens, it ends the cursor; then {@link #next} throws. Native objects are used only
 * under the store's read lock. {@link #end} runs under the write lock, or on the cursor's own thread under the read
 * lock.
 */
final class RocksDbCursor implements StoreCursor {
    /**
     * The bytes that a scan of messages reads at once. Its blocks do not go into the cache: a backlog is read once, and would replace
     * all that is read again.
     */
    private static final long READ_AHEAD_BYTES = 256 << 10;

    private final GuardedStore<?> store;
    private final byte[] from;
    private final @Nullable Slice upperBound;
    private final ReadOptions options;
    private final RocksIterator iterator;

    private boolean started;
    private boolean atEnd;
    private boolean ended;
    private byte @Nullable [] key;
    private byte @Nullable [] value;

    RocksDbCursor(GuardedStore<?> store, Database database, Table table, byte[] from, byte[] to) {
        this.store = store;
        this.from = from;
        Slice bound = new Slice(to);
        upperBound = bound;
        options = new ReadOptions().setIterateUpperBound(bound);
        if (table == Table.MESSAGES) {
            options.setFillCache(false).setReadaheadSize(READ_AHEAD_BYTES);
        }
        iterator = database.iterator(table, options);
    }

    /** Makes a cursor over all rows of a table, which does not fill the block cache. */
    RocksDbCursor(GuardedStore<?> store, Database database, Table table) {
        this.store = store;
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
        if (atEnd) {
            return false;
        }
        if (started) {
            iterator.next();
        } else {
            iterator.seek(from);
            started = true;
        }
        if (iterator.isValid()) {
            key = iterator.key();
            value = iterator.value();
            return true;
        }
        iterator.status();
        atEnd = true;
        return false;
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
        return bytes;
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
