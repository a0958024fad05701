package dev.jitney.simulation.disk;

import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.MessagingStoreContract;
import dev.jitney.simulation.SeededRandom;
import org.jspecify.annotations.Nullable;

/** Runs the contract of messaging stores with the simulated store. */
class SimulatedStoreTest extends MessagingStoreContract {
    private @Nullable SimulatedDisk disk;

    @Override
    protected MessagingStore openEmpty() {
        SimulatedDisk empty = new SimulatedDisk(new SeededRandom(1), new DiskWatcher() {});
        disk = empty;
        return new SimulatedStore(empty);
    }

    @Override
    protected MessagingStore closeAndOpen(MessagingStore store) {
        store.close();
        if (disk == null) {
            throw new IllegalStateException("Expected an open disk, but there is none.");
        }
        disk.crash();
        return new SimulatedStore(disk);
    }
}
