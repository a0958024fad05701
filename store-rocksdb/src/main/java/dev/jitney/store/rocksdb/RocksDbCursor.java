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
 * A walk over rows as of its opening. It keeps the files it reads alive on disk, so it is to be closed soon.
 *
 * <p>The store ends it when it closes or reopens; then {@link #next} throws. Every touch of native objects happens under
 * the store's read lock, {@link #end} under the write lock or by the cursor's own thread under the read lock.
 */
final class RocksDbCursor implements StoreCursor {
    private final RocksDbMessagingStore store;
    private final byte[] from;
    private final Slice upperBound;
    private final ReadOptions options;
    private final RocksIterator iterator;

    private boolean started;
    private boolean atEnd;
    private boolean ended;
    private byte @Nullable [] key;
    private byte @Nullable [] value;

    RocksDbCursor(RocksDbMessagingStore store, Database database, Table table, byte[] from, byte[] to) {
        this.store = store;
        this.from = from;
        upperBound = new Slice(to);
        options = new ReadOptions().setIterateUpperBound(upperBound);
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
            throw new IllegalStateException("Expected a current row, but next() did not answer true");
        }
        return bytes.clone();
    }

    @Override
    public void close() {
        store.closeCursor(this);
    }

    /** Frees the native objects, once. The current row stays: its owner may be about to look at it. */
    void end() {
        if (!ended) {
            ended = true;
            iterator.close();
            options.close();
            upperBound.close();
        }
    }
}
