package dev.jitney.server.backup;

import dev.jitney.cluster.ReplicatedStore;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.server.stores.StoresOnDisk;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import dev.jitney.store.rocksdb.RocksDbReplica;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The open stores of a data directory or of the leader of a cluster, with the broker that uses them or without one. Any thread may use
 * it.
 */
public final class BackupSource {
    private final List<? extends MessagingStore> stores;
    private final @Nullable Broker broker;

    private BackupSource(List<? extends MessagingStore> stores, @Nullable Broker broker) {
        this.stores = stores;
        this.broker = broker;
    }

    /** Returns the stores of a broker. */
    public static BackupSource of(List<MessagingStore> stores, Broker broker) {
        return new BackupSource(stores, broker);
    }

    /** Returns stores that nothing else uses. */
    public static BackupSource of(List<RocksDbMessagingStore> stores) {
        return new BackupSource(stores, null);
    }

    /** A store, and the directory on its disk for the files of a backup. */
    record Copied(
            @Nullable RocksDbMessagingStore single,
            @Nullable ReplicatedStore replicated,
            Path work) {
        /** Begins the copy of the store, while commits continue. */
        StoreCopy begin() throws StoreException {
            if (single != null) {
                return new SingleNodeCopy(single, work);
            }
            ReplicatedStore store = Objects.requireNonNull(replicated);
            return new ReplicaCopy(store, (RocksDbReplica) store.replica(), work);
        }
    }

    /**
     * Returns the stores on disk.
     *
     * @throws BackupException if one of them is unavailable
     */
    List<Copied> stores() throws BackupException {
        List<Copied> all = new ArrayList<>();
        for (MessagingStore store : stores) {
            int index = all.size();
            RocksDbMessagingStore onDisk = StoresOnDisk.onDisk(store);
            if (onDisk != null) {
                all.add(new Copied(onDisk, null, StoresOnDisk.workDirectory(onDisk.directory(), index)));
            } else if (store instanceof ReplicatedStore replicated
                    && replicated.replica() instanceof RocksDbReplica replica) {
                all.add(new Copied(null, replicated, StoresOnDisk.workDirectory(replica.directory(), index)));
            } else {
                throw new BackupException("Expected all messaging stores for a backup, but store " + index
                        + " is unavailable. See: jitney store list");
            }
        }
        return all;
    }

    /**
     * Runs an action at a moment at which no store has a commit in progress.
     *
     * @return the time for which commits waited, in nanoseconds
     */
    long atOneMoment(Runnable action) throws BackupException, InterruptedException {
        if (broker == null) {
            action.run();
            return 0;
        }
        try {
            return broker.atOneMoment(action);
        } catch (BrokerException e) {
            throw new BackupException(
                    "Expected all messaging stores to work during a backup: "
                            + e.rejection().description(),
                    e);
        }
    }
}
