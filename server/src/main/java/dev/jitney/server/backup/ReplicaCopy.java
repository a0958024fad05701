package dev.jitney.server.backup;

import dev.jitney.cluster.ReplicatedStore;
import dev.jitney.runtime.store.LogPosition;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.server.stores.StoresOnDisk;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import dev.jitney.store.rocksdb.RocksDbOptions;
import dev.jitney.store.rocksdb.RocksDbReplica;
import dev.jitney.store.rocksdb.StoreBackup;
import dev.jitney.store.rocksdb.StoreKind;
import dev.jitney.store.rocksdb.files.OwnerOnly;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The copy of a cluster's store, made by the leader: a checkpoint of its replica, which becomes the store of a single node. The replica
 * has no log of its own, so the checkpoint is made at the moment itself. To keep the moment short, almost everything is written to
 * table files before it.
 *
 * <p>The cluster may have elected another leader before the moment, which has acknowledged entries that the checkpoint lacks. So a
 * majority confirms the term of this node afterwards: then no later leader was elected before the moment. A confirmation before the
 * moment would be too early, and the lease of the last commit has ended in an idle cluster.
 */
final class ReplicaCopy implements StoreCopy {
    /** The files of an open database that are not part of its content. */
    private static final String OWN_FILES = "{LOCK,LOG,LOG.*}";

    private final ReplicatedStore store;
    private final RocksDbReplica replica;
    private final Path work;
    private @Nullable LogPosition position;

    ReplicaCopy(ReplicatedStore store, RocksDbReplica replica, Path work) throws StoreException {
        this.store = store;
        this.replica = replica;
        this.work = work;
        replica.flush();
        replica.flush(); // what was added during the first one, which is less
    }

    @Override
    public void cut() throws StoreException {
        replica.checkpoint(work.resolve(StoreBackup.TABLES));
    }

    private void requireLeader() throws StoreException {
        try {
            store.confirm();
        } catch (StoreException e) {
            throw new StoreException(
                    e.reason(),
                    "Expected this node to lead the cluster during a backup, but it does not, or has no contact with the others."
                            + " Order the backup again. "
                            + e.getMessage(),
                    e);
        }
    }

    @Override
    public void finish() throws StoreException, IOException {
        requireLeader();
        StoreKind.toSingleNode(work, RocksDbOptions.DEFAULTS);
        try (RocksDbMessagingStore single = RocksDbMessagingStore.openExisting(work, RocksDbOptions.DEFAULTS)) {
            single.feed().keepLog(); // so that the tables have a position, as a restore expects
            position = single.feed().last();
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(work)) {
            for (Path other : all) {
                if (!other.endsWith(StoreBackup.TABLES)) {
                    StoresOnDisk.deleteTree(other);
                }
            }
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(work.resolve(StoreBackup.TABLES), OWN_FILES)) {
            for (Path own : all) {
                Files.delete(own);
            }
        }
        OwnerOnly.createFile(work.resolve(StoreBackup.COMMITS)); // the tables have all of them
    }

    private LogPosition position() {
        LogPosition made = position;
        if (made == null) {
            throw new IllegalStateException("Expected a complete copy.");
        }
        return made;
    }

    @Override
    public long log() {
        return position().log();
    }

    @Override
    public long lastCommit() {
        return position().number();
    }

    @Override
    public void close() {
        // The files are deleted by the backup.
    }
}
