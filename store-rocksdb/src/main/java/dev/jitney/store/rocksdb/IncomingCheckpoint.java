package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.ReplicaPosition;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.store.rocksdb.files.OwnerOnly;
import dev.jitney.store.rocksdb.log.FileCommitLog;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * The checks of a checkpoint that will replace the tables of a replica (CL-45): it opens with all its files, has the format
 * of this version and the position of a replica, and is not older than the replica. Then its files are synced.
 */
final class IncomingCheckpoint {
    private IncomingCheckpoint() {}

    /**
     * Checks a checkpoint and syncs it, unless it is older than the store. Changes nothing in the store.
     *
     * @param checkpoint the directory of the checkpoint
     * @param directory  the directory of the store
     * @param position   the position of the store
     * @return false if the checkpoint is older than the store
     * @throws StoreException {@code CORRUPT} if the checkpoint must not be used
     */
    static boolean isReady(Path checkpoint, Path directory, ReplicaPosition position) throws StoreException {
        try {
            if (!Files.isRegularFile(checkpoint.resolve("CURRENT")) || checkpoint.startsWith(directory.resolve("db"))) {
                throw refused(checkpoint, "there is none");
            }
            if (!Files.getFileStore(checkpoint).equals(Files.getFileStore(directory))) {
                throw new StoreException(
                        StoreException.Reason.IO,
                        "Expected a checkpoint on the disk of " + directory + ", but " + checkpoint
                                + " is on another one");
            }
            if (read(checkpoint).index() < position.index()) {
                return false;
            }
            OwnerOnly.tighten(checkpoint);
            sync(checkpoint);
            return true;
        } catch (IOException | RocksDBException e) {
            throw Faults.of("to read the checkpoint in " + checkpoint, e);
        }
    }

    private static StoreException refused(Path checkpoint, String why) {
        return new StoreException(
                StoreException.Reason.CORRUPT,
                "Expected a complete checkpoint of a cluster's store in " + checkpoint + ", but " + why
                        + ". Delete the directory and fetch the checkpoint again.");
    }

    /** Opens a checkpoint with all its table files, without changing it, and returns its position. */
    private static ReplicaPosition read(Path checkpoint) throws StoreException, RocksDBException {
        Database.refuseUnknownTables(checkpoint);
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try (Options options = new Options();
                DBOptions dbOptions = new DBOptions().setParanoidChecks(true).setInfoLogLevel(InfoLogLevel.WARN_LEVEL);
                ColumnFamilyOptions familyOptions = new ColumnFamilyOptions()) {
            List<ColumnFamilyDescriptor> families = RocksDB.listColumnFamilies(options, checkpoint.toString()).stream()
                    .map(name -> new ColumnFamilyDescriptor(name, familyOptions))
                    .toList();
            if (families.isEmpty()) {
                throw refused(checkpoint, "its manifest is missing");
            }
            try (RocksDB db = RocksDB.openReadOnly(dbOptions, checkpoint.toString(), families, handles)) {
                try {
                    ColumnFamilyHandle meta = handle(handles, Database.familyName(Table.META));
                    StoreFormat.require(meta == null ? null : db.get(meta, StoreFormat.KEY), checkpoint);
                    byte[] row = db.get(PositionRow.AGREED.key());
                    if (row == null || db.get(PositionRow.LOG.key()) != null) {
                        throw refused(checkpoint, "it is not that of a cluster's store");
                    }
                    return PositionRow.agreed(row, checkpoint);
                } finally {
                    handles.forEach(ColumnFamilyHandle::close);
                }
            }
        }
    }

    private static @Nullable ColumnFamilyHandle handle(List<ColumnFamilyHandle> handles, byte[] name)
            throws RocksDBException {
        for (ColumnFamilyHandle handle : handles) {
            if (Arrays.equals(handle.getName(), name)) {
                return handle;
            }
        }
        return null;
    }

    private static void sync(Path checkpoint) throws IOException {
        List<Path> files;
        try (Stream<Path> list = Files.list(checkpoint)) {
            files = list.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
        }
        FileCommitLog.sync(checkpoint);
    }
}
