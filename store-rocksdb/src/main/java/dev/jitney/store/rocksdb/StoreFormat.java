package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.rocksdb.RocksDBException;

/**
 * The version of what a store holds, in a row of its own, so that an older program refuses what it would misread.
 *
 * <p>Row of {@link Table#META}: key {@code store.format} in ASCII; value 4 bytes, the version, big-endian.
 */
final class StoreFormat {
    static final int VERSION = 2;
    /** With RocksDB's own log and none of ours; it becomes one of this version when it is opened. */
    static final int VERSION_WITHOUT_LOG = 1;

    static final byte[] KEY = "store.format".getBytes(StandardCharsets.US_ASCII);

    private StoreFormat() {}

    /** Checks the version of a store, before anything is read from its log. */
    static void check(Database database, Path directory) throws StoreException, RocksDBException {
        byte[] row = database.get(Table.META, KEY);
        if (row == null) {
            return;
        }
        if (row.length != 4) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected a format version of 4 bytes in " + directory + ", but it has " + row.length);
        }
        int version = ByteBuffer.wrap(row).getInt();
        if (version != VERSION && version != VERSION_WITHOUT_LOG) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected a messaging store of format version " + VERSION + " in " + directory
                            + ", but it has version " + version + ". A newer version wrote it; start that version.");
        }
    }

    /** Writes the version as the first commit to a new log, into the table files at once: they can be read without it. */
    static void write(Commits commits, RocksDbBatch batch) throws IOException, RocksDBException {
        batch.put(Table.META, KEY, ByteBuffer.allocate(4).putInt(VERSION).array());
        commits.commit(batch);
        commits.flush();
    }
}
