package dev.jitney.server.stores;

import dev.jitney.cluster.change.StoreKinds;
import dev.jitney.cluster.node.Replicas;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.store.rocksdb.RocksDbLibrary;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import dev.jitney.store.rocksdb.RocksDbOptions;
import dev.jitney.store.rocksdb.RocksDbReplica;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The stores of a data directory on RocksDB. A server without a data directory does not load this class. */
public final class RocksDbStores {
    private static final Logger log = LoggerFactory.getLogger(RocksDbStores.class);
    private static final String NATIVE_CODE = "native";

    private RocksDbStores() {}

    /**
     * Opens the stores, and makes them at the first start.
     *
     * @throws StoresException if the directories do not match, or a directory cannot be used
     * @throws StoreException  if a store cannot be opened; then none of them stays open
     */
    public static List<MessagingStore> open(Path dataDir, StorePlaces places) throws StoresException, StoreException {
        StoreDirectories directories = StoreDirectories.prepare(dataDir, places);
        List<MessagingStore> opened = new ArrayList<>();
        boolean complete = false;
        try {
            // Unpacked once and kept in the data directory, instead of into the temporary directory at every start.
            RocksDbLibrary.load(dataDir.resolve(NATIVE_CODE));
            for (int i = 0; i < directories.paths().size(); i++) {
                StoresOnDisk.deleteLeftovers(directories.paths().get(i), i);
                opened.add(open(dataDir, directories, i));
            }
            directories.opened();
            complete = true;
            return List.copyOf(opened);
        } finally {
            if (!complete) {
                opened.forEach(MessagingStore::close);
            }
        }
    }

    private static MessagingStore open(Path dataDir, StoreDirectories directories, int index)
            throws StoreException, StoresException {
        Path path = directories.paths().get(index);
        if (directories.isNew()) {
            MessagingStore made = RocksDbMessagingStore.open(path, RocksDbOptions.DEFAULTS);
            return directories.paths().size() == 1 ? made : CopiedStore.of(made, dataDir, index);
        }
        StoresException away = directories.away(index);
        if (away != null) {
            return withoutIt(dataDir, directories, index, away);
        }
        MessagingStore store = RocksDbMessagingStore.openExisting(path, RocksDbOptions.DEFAULTS);
        return directories.paths().size() == 1 ? store : CopiedStore.of(store, dataDir, index);
    }

    /** Starts the server without one of its stores. */
    private static MessagingStore withoutIt(Path dataDir, StoreDirectories directories, int index, StoresException away)
            throws StoreException, StoresException {
        Path path = directories.paths().get(index);
        MessagingStore store = CopiedStore.away(dataDir, index, String.valueOf(away.getMessage()), () -> {
            try {
                directories.lookFor(index);
            } catch (StoresException e) {
                throw new StoreException(StoreException.Reason.IO, String.valueOf(e.getMessage()), e);
            }
            return RocksDbMessagingStore.openExisting(path, RocksDbOptions.DEFAULTS);
        });
        if (store == null) {
            throw away;
        }
        log.warn(
                "Jitney starts without messaging store {} and opens it automatically when it becomes available. {}",
                index,
                away.getMessage());
        return store;
    }

    /** Prepares the directories of the copies that a node of a cluster keeps, and returns the action that opens them. */
    public static Replicas replicas(Path dataDir, StorePlaces places) throws StoresException {
        return new ReplicaDirectories(complete(dataDir, places));
    }

    /** Returns the stores of a data directory, for a change of all of them while nothing uses them (CL-54). */
    public static StoreKinds kinds(Path dataDir, StorePlaces places) throws StoresException {
        return new StoreKindsOnRocksDb(complete(dataDir, places), dataDir);
    }

    /** Returns the directories of the stores of a node of a cluster, and loads the library. */
    private static StoreDirectories complete(Path dataDir, StorePlaces places) throws StoresException {
        StoreDirectories directories = StoreDirectories.prepare(dataDir, places);
        for (int i = 0; i < directories.paths().size(); i++) {
            StoresException away = directories.away(i);
            if (away != null) {
                throw away; // a node without one of its stores does not take part (CL-16)
            }
        }
        RocksDbLibrary.load(dataDir.resolve(NATIVE_CODE));
        return directories;
    }

    /** Returns the directory for checkpoints of the store in a directory, on the same disk. */
    static Path workDirectory(Path path, int store) {
        return path.resolveSibling("checkpoints-" + store);
    }

    /** The directories of the copies. After the first time that all of them were open, a missing one is not created again. */
    private record ReplicaDirectories(StoreDirectories directories) implements Replicas {
        @Override
        public ReplicaStore open(int store) throws StoreException {
            Path path = directories.paths().get(store);
            StoresOnDisk.deleteLeftovers(path, store);
            ReplicaStore opened = directories.isNew()
                    ? RocksDbReplica.open(path, RocksDbOptions.DEFAULTS)
                    : RocksDbReplica.openExisting(path, RocksDbOptions.DEFAULTS);
            if (store == directories.paths().size() - 1) {
                try {
                    directories.opened();
                } catch (StoresException e) {
                    opened.close();
                    throw new StoreException(StoreException.Reason.IO, String.valueOf(e.getMessage()), e);
                }
            }
            return opened;
        }

        @Override
        public Path workDirectory(int store) {
            return RocksDbStores.workDirectory(directories.paths().get(store), store);
        }
    }
}
