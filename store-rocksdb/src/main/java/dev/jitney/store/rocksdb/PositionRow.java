package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.LogPosition;
import dev.jitney.runtime.store.ReplicaPosition;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * The row in the default column family with the last batch that RocksDB has. Each write to RocksDB sets it, so in the table
 * files it is the last batch that they contain.
 *
 * <p>Its key shows the kind of a store. A store never has both rows:
 *
 * <table>
 * <caption>The rows</caption>
 * <tr><th>row</th><th>key</th><th>value</th><th>a store without the row</th></tr>
 * <tr><td>{@link #LOG}</td><td>{@code log}</td><td>{@link LogPosition}</td><td>is new, or was closed cleanly</td></tr>
 * <tr><td>{@link #AGREED}</td><td>{@code agreed}</td><td>{@link ReplicaPosition}</td><td>is new</td></tr>
 * </table>
 */
enum PositionRow {
    /** The row of a single node's store, whose batches are in its own log (ADR 18). */
    LOG("log"),
    /** The row of a replica, whose batches are in the replicated log (CL-4). */
    AGREED("agreed");

    private final byte[] key;

    PositionRow(String key) {
        this.key = key.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the key, which must not be changed. */
    byte[] key() {
        return key;
    }

    /** Returns the value as of the last write to RocksDB, or null. */
    byte @Nullable [] read(Database database) throws RocksDBException {
        return database.get(key);
    }

    /** Returns the value as it is in table files, or null. */
    byte @Nullable [] readFlushed(Database database) throws RocksDBException {
        return database.getFlushed(key);
    }

    /** Deletes the row, in the table files when this returns. All batches must be in them before. */
    void remove(Database database) throws RocksDBException {
        database.deleteFlushed(key);
    }

    /**
     * Refuses a store of the other kind, before anything in it changes.
     *
     * @throws StoreException {@code CORRUPT} if the store has no place for this row
     */
    void require(Database database, Path directory) throws StoreException, RocksDBException {
        if (this == LOG && AGREED.read(database) != null) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected the messaging store of a single node in " + directory
                            + ", but it is the copy of a cluster's store. Start this node as a member of its cluster, or"
                            + " choose another data directory.");
        }
        boolean single = LOG.read(database) != null
                || AGREED.read(database) == null && database.get(Table.META, StoreFormat.KEY) != null;
        if (this == AGREED && single) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected the copy of a cluster's store in " + directory
                            + ", but it is the messaging store of a single node. Start it as a single node, or choose an"
                            + " empty data directory for this member of the cluster.");
        }
    }

    /**
     * Returns the value of {@link #LOG}, read when a store opens.
     *
     * @return null if there is no row
     * @throws StoreException {@code CORRUPT} if the row is not a position
     */
    static @Nullable LogPosition log(Database database) throws StoreException, RocksDBException {
        byte[] row = LOG.read(database);
        if (row == null) {
            return null;
        }
        LogPosition position = LogPosition.decode(row);
        if (position == null) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected a log position of 16 bytes in the tables, but got " + row.length);
        }
        return position;
    }

    /**
     * Decodes a value of {@link #AGREED}.
     *
     * @throws StoreException {@code CORRUPT} if it is not a position
     */
    static ReplicaPosition agreed(byte[] row, Path directory) throws StoreException {
        ReplicaPosition position = ReplicaPosition.decode(row);
        if (position == null) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected the position of a replica of version 1 in " + directory + ", but got " + row.length
                            + " bytes of version " + (row.length == 0 ? "none" : row[0])
                            + ". If a newer version wrote it, start that version.");
        }
        return position;
    }
}
