package dev.jitney.server;

import dev.jitney.runtime.Broker;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.server.tls.ServerIdentity;
import dev.jitney.store.rocksdb.RocksDbLibrary;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import dev.jitney.store.rocksdb.RocksDbOptions;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of the product: the broker on RocksDB stores, and the AMQP gateway. */
final class StandardParts implements Parts {
    private static final String NATIVE_CODE = "native";
    private static final String STORE_PREFIX = "store-";

    @Override
    public Backend openBackend(Path dataDir, int stores, List<NamespaceSettings> namespaces, Clock clock)
            throws StartException {
        checkStoreCount(dataDir, stores);
        List<MessagingStore> opened = new ArrayList<>();
        try {
            // Unpacked once and kept, instead of into the temporary directory at every start.
            RocksDbLibrary.load(dataDir.resolve(NATIVE_CODE));
            for (int i = 0; i < stores; i++) {
                opened.add(RocksDbMessagingStore.open(dataDir.resolve(STORE_PREFIX + i), RocksDbOptions.DEFAULTS));
            }
            List<NamespaceOptions> options = namespaces.stream()
                    .map(namespace -> new NamespaceOptions(
                            namespace.name(),
                            namespace.rules(),
                            namespace.limits(),
                            namespace.expiry(),
                            namespace.throttling(),
                            namespace.transferFailureTarget(),
                            namespace.deletionLock()))
                    .toList();
            long heapBytes = Runtime.getRuntime().maxMemory();
            BrokerOptions bounds = BrokerOptions.forHeap(options, heapBytes, stores);
            return new BrokerBackend(Broker.open(bounds, opened, clock), List.copyOf(opened));
        } catch (StoreException e) {
            opened.forEach(MessagingStore::close);
            throw StartException.fault("--data-dir " + dataDir + ": " + words(e), e);
        } catch (RuntimeException e) {
            opened.forEach(MessagingStore::close);
            throw e;
        }
    }

    @Override
    public AmqpListeners openAmqp(Backend backend, ServerOptions options, @Nullable ServerIdentity identity)
            throws StartException {
        return AmqpEdge.open(((BrokerBackend) backend).broker(), options, identity);
    }

    /** Entities are placed by the number of stores: with another number they would not be found again. */
    private static void checkStoreCount(Path dataDir, int stores) throws StartException {
        int found = 0;
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(dataDir, STORE_PREFIX + "*")) {
            for (Path folder : folders) {
                found += Files.isDirectory(folder) ? 1 : 0;
            }
        } catch (IOException e) {
            throw StartException.fault("--data-dir " + dataDir + ": The directory cannot be read (" + e + ").", e);
        }
        if (found != 0 && found != stores) {
            throw StartException.badOption("--stores " + stores + ": This data directory was made with " + found
                    + "; give --stores " + found + ", or another --data-dir.");
        }
    }

    private static String words(StoreException e) {
        String fix = switch (e.reason()) {
            case IN_USE, IO -> ""; // the message tells what to do, as far as anybody knows
            case DISK_FULL -> " Make room on this disk, or give a directory on another.";
            case CORRUPT -> " Restore a backup; what is there is left as it is.";
        };
        return e.getMessage() + fix;
    }

    /** The broker as the life cycle sees it. */
    private record BrokerBackend(Broker broker, List<MessagingStore> stores) implements Backend {
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
