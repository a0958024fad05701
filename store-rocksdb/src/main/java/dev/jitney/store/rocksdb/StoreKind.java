package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.ReplicaPosition;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.store.rocksdb.log.CommitFeed;
import java.io.IOException;
import java.nio.file.Path;
import org.rocksdb.RocksDBException;

/**
 * Changes the kind of a store in place: the store of a single node becomes the copy of a cluster's store, or the other way
 * round (CL-54). All rows stay as they are; only the {@link PositionRow} changes, in one step. So a crash leaves the store as
 * one of the two kinds, and the change can be repeated.
 *
 * <p>The store must be closed. Nothing stays open.
 */
public final class StoreKind {
    private StoreKind() {}

    /**
     * Makes the store of a single node the copy of a cluster's store, before its first entry. Does nothing if it is such a copy
     * already.
     *
     * @param directory the directory of the store
     * @param options   the options of the store
     * @param timeMs    the time at which the time of entries continues, in milliseconds since the epoch (CL-13)
     * @throws StoreException if the store cannot be opened, or there is no room to write its latest rows to table files
     */
    public static void toReplica(Path directory, RocksDbOptions options, long timeMs) throws StoreException {
        if (isReplica(directory, options)) {
            return;
        }
        // The first opening has read the log of the store, and the end of it has written everything to table files.
        use(directory, options, (database, home, sizing, marker) -> {
            if (PositionRow.LOG.read(database) != null) {
                throw new StoreException(
                        StoreException.Reason.IO,
                        "Could not write the latest rows of the messaging store in " + home
                                + " to table files. Free space on its disk, and try again");
            }
            write(database, timeMs);
            return ReplicaPipeline.open(database, home, sizing, marker);
        });
    }

    private static boolean isReplica(Path directory, RocksDbOptions options) throws StoreException {
        boolean[] replica = {false};
        use(directory, options, (database, home, sizing, marker) -> {
            replica[0] = PositionRow.AGREED.read(database) != null;
            return replica[0]
                    ? ReplicaPipeline.open(database, home, sizing, marker)
                    : RocksDbMessagingStore.openPipeline(database, home, sizing, marker, new CommitFeed(), step -> {});
        });
        return replica[0];
    }

    /**
     * Makes the copy of a cluster's store begin again before its first entry, with all its rows, for another cluster (CL-56).
     *
     * @param directory the directory of the store
     * @param options   the options of the store
     * @param timeMs    the time at which the time of entries continues, in milliseconds since the epoch (CL-13)
     * @throws StoreException if the store cannot be opened, or is not such a copy
     */
    public static void restart(Path directory, RocksDbOptions options, long timeMs) throws StoreException {
        use(directory, options, (database, home, sizing, marker) -> {
            byte[] row = PositionRow.AGREED.read(database);
            PositionRow.AGREED.require(database, home);
            if (row != null) {
                write(database, Math.max(timeMs, PositionRow.agreed(row, home).timeMs()));
            }
            return ReplicaPipeline.open(database, home, sizing, marker);
        });
    }

    private static void write(Database database, long timeMs) throws RocksDBException {
        RocksDbRows none = new RocksDbRows(database.familyIds());
        database.write(none.encodedWith(PositionRow.AGREED.key(), new ReplicaPosition(0, 0, 0, timeMs).encoded()));
        database.flush();
    }

    /**
     * Makes the copy of a cluster's store the store of a single node. Does nothing if it is one already. The caller has written
     * everything to table files, see {@link RocksDbReplica#flush}.
     *
     * @param directory the directory of the store
     * @param options   the options of the store
     * @throws StoreException if the store cannot be opened
     */
    public static void toSingleNode(Path directory, RocksDbOptions options) throws StoreException {
        use(directory, options, (database, home, sizing, marker) -> {
            StoreFormat.read(database, home);
            if (PositionRow.AGREED.read(database) != null) {
                PositionRow.AGREED.remove(database);
            }
            return RocksDbMessagingStore.openPipeline(database, home, sizing, marker, new CommitFeed(), step -> {});
        });
    }

    /** Opens a store and closes it again. */
    private static void use(Path directory, RocksDbOptions options, Change change) throws StoreException {
        GuardedStore.<WritePath>open(directory, options, false, change::open).close();
    }

    /** Changes an open database, and opens its write path. */
    @FunctionalInterface
    private interface Change {
        WritePath open(Database database, Path directory, Sizing sizing, DurabilityMarker marker)
                throws StoreException, RocksDBException, IOException;
    }
}
