package dev.jitney.server;

import dev.jitney.cluster.change.StoreKinds;
import dev.jitney.cluster.node.Replicas;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.NamespaceMaker;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.sharded.ShardedBroker;
import dev.jitney.runtime.store.FormatLevels;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.server.stores.CopiedStore;
import dev.jitney.server.stores.StoreDirectories;
import dev.jitney.server.stores.StorePlaces;
import dev.jitney.server.stores.StoresException;
import dev.jitney.server.tls.ServerIdentity;
import dev.jitney.store.rocksdb.RocksDbLibrary;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import dev.jitney.store.rocksdb.RocksDbOptions;
import dev.jitney.store.rocksdb.RocksDbReplica;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The components of the product: the broker on RocksDB stores, and the AMQP gateway. */
final class StandardComponents implements ServerComponents {
    private static final Logger log = LoggerFactory.getLogger(StandardComponents.class);
    private static final String NATIVE_CODE = "native";

    private final FormatLevels levels;

    /** Creates the components of this release. */
    StandardComponents() {
        this(FormatLevels.OF_THIS_RELEASE);
    }

    /** @param levels the levels to support; those of other releases are for tests */
    StandardComponents(FormatLevels levels) {
        this.levels = levels;
    }

    @Override
    public FormatLevels levels() {
        return levels;
    }

    @Override
    public BrokerBackend openBackend(
            Path dataDir, StorePlaces stores, List<NamespaceSettings> namespaces, NamespaceMaker maker, Clock clock)
            throws StartException {
        StoreDirectories directories = prepare(dataDir, stores);
        List<MessagingStore> opened = new ArrayList<>();
        try {
            // Unpacked once and kept in the data directory, instead of into the temporary directory at every start.
            RocksDbLibrary.load(dataDir.resolve(NATIVE_CODE));
            for (int i = 0; i < directories.paths().size(); i++) {
                opened.add(open(dataDir, directories, i));
            }
            directories.opened();
            List<NamespaceOptions> options =
                    namespaces.stream().map(NamespaceSettings::options).toList();
            return new RocksDbBackend(broker(opened, options, maker, clock), List.copyOf(opened));
        } catch (StoreException e) {
            opened.forEach(MessagingStore::close);
            throw StartException.fault("--data-dir " + dataDir + ": " + words(e), e);
        } catch (StoresException e) {
            opened.forEach(MessagingStore::close);
            throw startException(e);
        } catch (RuntimeException e) {
            opened.forEach(MessagingStore::close);
            throw e;
        }
    }

    private Broker broker(
            List<MessagingStore> stores, List<NamespaceOptions> namespaces, NamespaceMaker maker, Clock clock)
            throws StoreException {
        long heapBytes = Runtime.getRuntime().maxMemory();
        BrokerOptions bounds = BrokerOptions.forHeap(namespaces, heapBytes, stores.size())
                .with(maker)
                .with(levels);
        return ShardedBroker.open(bounds, stores, clock);
    }

    @Override
    public BrokerBackend openBackend(
            List<MessagingStore> stores, List<NamespaceOptions> namespaces, NamespaceMaker maker, Clock clock)
            throws StartException {
        try {
            return new RocksDbBackend(broker(stores, namespaces, maker, clock), List.of());
        } catch (StoreException e) {
            throw StartException.fault(words(e), e);
        }
    }

    @Override
    public Replicas replicas(Path dataDir, StorePlaces stores) throws StartException {
        return new ReplicaDirectories(complete(dataDir, stores));
    }

    /** Returns the directories of the stores of a node of a cluster, and loads the library. */
    private static StoreDirectories complete(Path dataDir, StorePlaces stores) throws StartException {
        StoreDirectories directories = prepare(dataDir, stores);
        try {
            for (int i = 0; i < directories.paths().size(); i++) {
                StoresException away = directories.away(i);
                if (away != null) {
                    throw away; // a node without one of its stores does not take part (CL-16)
                }
            }
            RocksDbLibrary.load(dataDir.resolve(NATIVE_CODE));
        } catch (StoresException e) {
            throw startException(e);
        }
        return directories;
    }

    @Override
    public StoreKinds kinds(Path dataDir, StorePlaces stores) throws StartException {
        return new StoreKindsOnRocksDb(complete(dataDir, stores), dataDir);
    }

    /** The directories of the copies. After the first time that all of them were open, a missing one is not created again. */
    private record ReplicaDirectories(StoreDirectories directories) implements Replicas {
        @Override
        public ReplicaStore open(int store) throws StoreException {
            Path path = directories.paths().get(store);
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
            return StandardComponents.workDirectory(directories.paths().get(store), store);
        }
    }

    /** Returns the directory for checkpoints of the store in a directory, on the same disk. */
    static Path workDirectory(Path path, int store) {
        return path.resolveSibling("checkpoints-" + store);
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

    @Override
    public AmqpListeners openAmqp(
            BrokerBackend backend, ServerOptions options, ListenerPlan ports, @Nullable ServerIdentity identity)
            throws StartException {
        return AmqpEdge.open(backend.broker(), options, ports, identity);
    }

    private static StoreDirectories prepare(Path dataDir, StorePlaces stores) throws StartException {
        try {
            return StoreDirectories.prepare(dataDir, stores);
        } catch (StoresException e) {
            throw startException(e);
        }
    }

    private static StartException startException(StoresException e) {
        String message = String.valueOf(e.getMessage());
        return e.isOption() ? StartException.badOption(message, e) : StartException.fault(message, e);
    }

    private static String words(StoreException e) {
        String fix = switch (e.reason()) {
            case IN_USE, IO -> ""; // the message already contains the known fix
            case DISK_FULL -> " Free space on this disk, or use a directory on another disk.";
            case CORRUPT -> " Restore a backup. Jitney leaves the existing files unchanged.";
        };
        return e.getMessage() + fix;
    }

    /** The broker and its stores. */
    private record RocksDbBackend(Broker broker, List<MessagingStore> stores) implements BrokerBackend {
        @Override
        public EntityCatalogue entities(int namespaceIndex) {
            return EntityCatalogue.of(broker.namespaces().get(namespaceIndex));
        }

        @Override
        public @Nullable String trouble() {
            return broker.trouble();
        }

        @Override
        public void close() {
            try {
                broker.close();
            } finally {
                stores.forEach(MessagingStore::close);
            }
        }
    }
}
