package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
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
    static final int VERSION = 1;
    static final byte[] KEY = "store.format".getBytes(StandardCharsets.US_ASCII);

    private StoreFormat() {}

    /** Checks the version of the store, or writes it into a new one. */
    static void check(Database database, Path directory) throws StoreException, RocksDBException {
        byte[] row = database.get(Table.META, KEY);
        if (row == null) {
            RocksDbBatch batch = new RocksDbBatch(database.familyIds());
            batch.put(Table.META, KEY, ByteBuffer.allocate(4).putInt(VERSION).array());
            database.write(batch.encoded());
        } else if (row.length != 4) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected a format version of 4 bytes in " + directory + ", but it has " + row.length);
        } else if (ByteBuffer.wrap(row).getInt() != VERSION) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected a messaging store of format version " + VERSION + " in " + directory
                            + ", but it has version " + ByteBuffer.wrap(row).getInt()
                            + ". A newer version wrote it; start that version.");
        }
    }
}
