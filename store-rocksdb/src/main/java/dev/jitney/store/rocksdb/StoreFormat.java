package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.rocksdb.RocksDBException;

/**
 * The version of what a store holds, in a row of its own, so that an older program refuses what it would misread.
 *
 * <p>Row of {@link Table#META}: key {@code store.format} in ASCII; value 4 bytes, the version, big-endian. A store of an older
 * version becomes one of this version when it is opened.
 */
final class StoreFormat {
    /** With a log of neutral batches. */
    static final int VERSION = 3;
    /** With a log of batches in RocksDB's format; see {@link FormatTwoLog}. */
    static final int VERSION_WITH_OLD_LOG = 2;
    /** With RocksDB's own log and none of ours. */
    static final int VERSION_WITHOUT_LOG = 1;

    static final byte[] KEY = "store.format".getBytes(StandardCharsets.US_ASCII);

    private StoreFormat() {}

    /**
     * The version of a store, before anything is read from its log; this one if it is new.
     *
     * @throws StoreException {@code CORRUPT} if it is not one of those above
     */
    static int read(Database database, Path directory) throws StoreException, RocksDBException {
        byte[] row = database.get(Table.META, KEY);
        if (row == null) {
            return VERSION;
        }
        if (row.length != 4) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected a format version of 4 bytes in " + directory + ", but it has " + row.length);
        }
        int version = ByteBuffer.wrap(row).getInt();
        if (version < VERSION_WITHOUT_LOG || version > VERSION) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected a messaging store of format version " + VERSION + " in " + directory
                            + ", but it has version " + version + ". A newer version wrote it; start that version.");
        }
        return version;
    }

    /** The row that says this version, alone: the first commit to a new log, to be flushed at once, so that no log is needed to
     * read it. */
    static RowBatch batch() {
        RowBatch batch = new RowBatch();
        batch.put(Table.META, KEY, ByteBuffer.allocate(4).putInt(VERSION).array());
        return batch;
    }
}
