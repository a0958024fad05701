package dev.jitney.server.stores;

import dev.jitney.cluster.change.StoreKinds;
import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.store.rocksdb.RocksDbOptions;
import dev.jitney.store.rocksdb.RocksDbReplica;
import dev.jitney.store.rocksdb.StoreKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The stores of a data directory on RocksDB, while nothing uses them.
 *
 * @param directories the directories of the stores, in their places
 * @param dataDir     the data directory
 */
record StoreKindsOnRocksDb(StoreDirectories directories, Path dataDir) implements StoreKinds {
    private static final RocksDbOptions OPTIONS = RocksDbOptions.DEFAULTS;

    @Override
    public int count() {
        boolean any = directories.paths().stream()
                .anyMatch(path -> Files.exists(path.resolve("db").resolve("CURRENT")));
        return any ? directories.paths().size() : 0;
    }

    private Path path(int store) {
        return directories.paths().get(store);
    }

    /** {@inheritDoc} Members have no copies of entities, because another node leads while a store is away (CL-34). */
    @Override
    public void toReplica(int store, long timeMs) throws StoreException {
        StoreKind.toReplica(path(store), OPTIONS, timeMs);
        try {
            CopiedStore.deleteCopy(dataDir, store);
        } catch (IOException e) {
            throw new StoreException(StoreException.Reason.IO, "Could not delete a file in " + dataDir + ": " + e, e);
        }
    }

    @Override
    public void restart(int store, long timeMs) throws StoreException {
        StoreKind.restart(path(store), OPTIONS, timeMs);
    }

    @Override
    public void toSingleNode(int store) throws StoreException {
        StoreKind.toSingleNode(path(store), OPTIONS);
    }

    @Override
    public ReplicaStore open(int store) throws StoreException {
        return RocksDbReplica.openExisting(path(store), OPTIONS);
    }

    @Override
    public Path workDirectory(int store) {
        return RocksDbStores.workDirectory(path(store), store);
    }
}
