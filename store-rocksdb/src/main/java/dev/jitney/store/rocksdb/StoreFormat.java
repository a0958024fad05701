package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * The format version of a store, in its own row, so that an older program refuses a store that it would misread.
 *
 * <p>Row of {@link Table#META}: key {@code store.format} in ASCII; value 4 bytes, the version, big-endian. Opening a
 * store of an older version upgrades it to this version.
 */
final class StoreFormat {
    /** The version with a log of batches in Jitney's own encoding, {@link RowBatch}. */
    static final int VERSION = 3;
    /** The version with a log of batches in RocksDB's format; see {@link FormatTwoLog}. */
    static final int VERSION_WITH_OLD_LOG = 2;
    /** The version with RocksDB's own log only. */
    static final int VERSION_WITHOUT_LOG = 1;

    static final byte[] KEY = "store.format".getBytes(StandardCharsets.US_ASCII);

    private StoreFormat() {}

    /**
     * Returns the version of a store, before its log is read; a new store has the current version.
     *
     * @throws StoreException {@code CORRUPT} if it is not one of the versions above
     */
    static int read(Database database, Path directory) throws StoreException, RocksDBException {
        byte[] row = database.get(Table.META, KEY);
        return row == null ? VERSION : decode(row, directory);
    }

    /**
     * Checks the row of a store that must have the current version.
     *
     * @throws StoreException {@code CORRUPT} if it has another version, or none
     */
    static void require(byte @Nullable [] row, Path directory) throws StoreException {
        if (row == null || decode(row, directory) != VERSION) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected a messaging store of format version " + VERSION + " in " + directory
                            + ", but it has an older version or none");
        }
    }

    private static int decode(byte[] row, Path directory) throws StoreException {
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

    /**
     * Returns a batch with only the row of this version. It is the first commit to a new log and is flushed
     * immediately, so that it can be read without a log.
     */
    static RowBatch batch() {
        RowBatch batch = new RowBatch();
        batch.put(Table.META, KEY, ByteBuffer.allocate(4).putInt(VERSION).array());
        return batch;
    }
}
