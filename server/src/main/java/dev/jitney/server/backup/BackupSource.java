package dev.jitney.server.backup;

import dev.jitney.runtime.Broker;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.server.stores.StoresOnDisk;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The open stores of a data directory, with the broker that uses them or without one. Any thread may use it. */
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

    /**
     * Returns the stores on disk.
     *
     * @throws BackupException if one of them is unavailable
     */
    List<RocksDbMessagingStore> stores() throws BackupException {
        List<RocksDbMessagingStore> all = new ArrayList<>();
        for (MessagingStore store : stores) {
            RocksDbMessagingStore onDisk = StoresOnDisk.onDisk(store);
            if (onDisk == null) {
                throw new BackupException("Expected all messaging stores for a backup, but store " + all.size()
                        + " is unavailable. See: jitney store list");
            }
            all.add(onDisk);
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
