package dev.jitney.server;

import dev.jitney.cluster.change.StoreKinds;
import dev.jitney.cluster.node.Replicas;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.sharded.ShardedBroker;
import dev.jitney.runtime.store.FormatLevels;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.testing.AdjustableClock;
import dev.jitney.server.archive.ArchiveException;
import dev.jitney.server.archive.ArchiveOptions;
import dev.jitney.server.archive.Archiver;
import dev.jitney.server.stores.RocksDbStores;
import dev.jitney.server.stores.StorePlaces;
import dev.jitney.server.stores.StoresException;
import dev.jitney.server.stores.StoresOnDisk;
import dev.jitney.server.tls.Admittance;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The components of the product: the broker on its stores, and the AMQP gateway. A server in memory does not load RocksDB. */
final class StandardComponents implements ServerComponents {
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
            Path dataDir, StorePlaces stores, List<NamespaceSettings> namespaces, BrokerSettings broker, Clock clock)
            throws StartException {
        List<MessagingStore> opened = List.of();
        try {
            opened = RocksDbStores.open(dataDir, stores);
            List<NamespaceOptions> options =
                    namespaces.stream().map(NamespaceSettings::options).toList();
            ArchiveOptions archive = broker.archive();
            Archiver archiver = archive == null
                    ? null
                    : Archiver.begin(archive, StoresOnDisk.identity(dataDir), opened, clock::nowMs);
            return backend(archiver, opened, options, broker, clock);
        } catch (StoreException e) {
            opened.forEach(MessagingStore::close);
            throw StartException.fault("--data-dir " + dataDir + ": " + words(e), e);
        } catch (ArchiveException e) {
            opened.forEach(MessagingStore::close);
            throw StartException.fault(String.valueOf(e.getMessage()), e);
        } catch (StoresException e) {
            opened.forEach(MessagingStore::close);
            throw startException(e);
        } catch (RuntimeException e) {
            opened.forEach(MessagingStore::close);
            throw e;
        }
    }

    private BrokerBackend backend(
            @Nullable Archiver archiver,
            List<MessagingStore> opened,
            List<NamespaceOptions> namespaces,
            BrokerSettings settings,
            Clock clock)
            throws StoreException {
        boolean complete = false;
        try {
            Broker broker = broker(opened, namespaces, settings, clock);
            if (archiver != null) {
                archiver.start(broker::tryOneMoment);
            }
            complete = true;
            return new StoresBackend(broker, opened, true, archiver);
        } finally {
            if (!complete && archiver != null) {
                archiver.close();
            }
        }
    }

    private Broker broker(
            List<MessagingStore> stores, List<NamespaceOptions> namespaces, BrokerSettings settings, Clock clock)
            throws StoreException {
        long heapBytes = Runtime.getRuntime().maxMemory();
        BrokerOptions bounds = BrokerOptions.forHeap(namespaces, heapBytes, stores.size())
                .with(settings.maker())
                .with(settings.seal())
                .withSlowTurns(TimeUnit.MILLISECONDS.toNanos(settings.slowTurnMs()))
                .with(levels);
        return ShardedBroker.open(clock instanceof AdjustableClock ? bounds.forTests() : bounds, stores, clock);
    }

    @Override
    public BrokerBackend openBackend(
            List<MessagingStore> stores, List<NamespaceOptions> namespaces, BrokerSettings broker, Clock clock)
            throws StartException {
        try {
            return new StoresBackend(broker(stores, namespaces, broker, clock), stores, false, null);
        } catch (StoreException e) {
            throw StartException.fault(words(e), e);
        }
    }

    @Override
    public Replicas replicas(Path dataDir, StorePlaces stores) throws StartException {
        try {
            return RocksDbStores.replicas(dataDir, stores);
        } catch (StoresException e) {
            throw startException(e);
        }
    }

    @Override
    public StoreKinds kinds(Path dataDir, StorePlaces stores) throws StartException {
        try {
            return RocksDbStores.kinds(dataDir, stores);
        } catch (StoresException e) {
            throw startException(e);
        }
    }

    @Override
    public AmqpListeners openAmqp(
            BrokerBackend backend, ServerOptions options, ListenerPlan ports, Admittance admittance)
            throws StartException {
        return AmqpEdge.open(backend.broker(), options, ports, admittance);
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

    /** The broker and its stores, with their archive. */
    private record StoresBackend(
            Broker broker,
            List<MessagingStore> stores,
            boolean owned,
            @Nullable Archiver archive) implements BrokerBackend {
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
                if (archive != null) {
                    archive.stopMoments();
                }
                broker.close();
                if (archive != null) {
                    archive.close();
                }
            } finally {
                if (owned) {
                    stores.forEach(MessagingStore::close);
                }
            }
        }
    }
}
