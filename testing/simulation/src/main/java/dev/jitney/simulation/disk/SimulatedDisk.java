package dev.jitney.simulation.disk;

import dev.jitney.runtime.store.StoreException;
import dev.jitney.simulation.SeededRandom;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A disk with one messaging store, which survives the end of the process. Synced data stays; unsynced data may be lost,
 * torn, or complete. Faults are planned for the next write or read. For one thread.
 */
public final class SimulatedDisk {
    /** The space in bytes reserved for the last batches before the disk is full. */
    private static final long RESERVE = 24 << 10;

    /** The free space in bytes that is needed to open the store. The settled write fits in it. */
    private static final long OPENING = 8 << 10;

    /** The fault that happens at the next write. */
    public enum Plan {
        NOTHING,
        /** The write is refused, and none of its data is stored. */
        REFUSE,
        /** The write is reported as failed. The next opening of the store shows whether its data was stored. */
        FAIL,
        /** The process is killed after the batch is written and before it is synced. */
        KILL_BEFORE_SYNC,
        /** The process is killed after the batch is synced and before the sync is reported. */
        KILL_AFTER_SYNC,
        /** Other events happen before the batch is synced. */
        STALL
    }

    private final SimulatedTables tables = new SimulatedTables();
    private final DiskWatcher watcher;
    private final SeededRandom random;
    private byte @Nullable [] unsynced;
    private Plan plan = Plan.NOTHING;
    private boolean readFails;
    private boolean killedByRead;
    private int refusedReopens;
    private long capacityBytes = Long.MAX_VALUE;

    public SimulatedDisk(SeededRandom random, DiskWatcher watcher) {
        this.random = random;
        this.watcher = watcher;
    }

    // --- used by the simulator ---

    /** Sets the fault for the next write. */
    public void plan(Plan next) {
        plan = next;
    }

    /** Makes the next read fail, or kills the process during that read. */
    public void failNextRead(boolean kill) {
        readFails = true;
        killedByRead = kill;
    }

    /** Makes the next {@code count} attempts to reopen the store fail. */
    public void refuseReopens(int count) {
        refusedReopens = count;
    }

    /** Limits the free space to this number of bytes; {@link Long#MAX_VALUE} for no limit. */
    public void leaveRoom(long bytes) {
        capacityBytes = bytes == Long.MAX_VALUE ? bytes : tables.usedBytes() + bytes;
    }

    /** Removes all planned faults. */
    public void heal() {
        plan = Plan.NOTHING;
        readFails = false;
        refusedReopens = 0;
        capacityBytes = Long.MAX_VALUE;
    }

    /** Ends the process. An unsynced write is then either complete or absent, whichever of its bytes were on the disk. */
    public void crash() {
        readFails = false;
        plan = Plan.NOTHING;
        settleUnsynced();
    }

    /** Returns the tables on the disk. Do not change them. */
    SimulatedTables tables() {
        return tables;
    }

    // --- used by the store ---

    /** @param batch encoded rows; must not be changed */
    void write(byte[] batch) throws StoreException {
        Plan now = plan;
        plan = Plan.NOTHING;
        if (now == Plan.REFUSE) {
            watcher.fault();
            throw new StoreException(StoreException.Reason.IO, "The simulated disk refuses a write");
        }
        if (batch.length > capacityBytes - tables.usedBytes()) {
            watcher.fault();
            throw new StoreException(StoreException.Reason.DISK_FULL, "The simulated disk is full");
        }
        unsynced = batch;
        watcher.written();
        if (now == Plan.KILL_BEFORE_SYNC) {
            throw new SimulatedCrash();
        } else if (now == Plan.FAIL) {
            watcher.fault();
            throw new StoreException(StoreException.Reason.IO, "The simulated disk reports that a write failed");
        } else if (now == Plan.STALL) {
            watcher.stalls();
        }
        sync();
        if (now == Plan.KILL_AFTER_SYNC) {
            throw new SimulatedCrash();
        }
    }

    private void sync() {
        byte[] batch = unsynced;
        unsynced = null;
        if (batch != null) {
            List<Write> rows = Write.allOf(batch);
            tables.apply(rows);
            watcher.durable(rows);
        }
    }

    void read() throws StoreException {
        if (readFails) {
            readFails = false;
            if (killedByRead) {
                throw new SimulatedCrash();
            }
            watcher.fault();
            throw new StoreException(StoreException.Reason.IO, "The simulated disk cannot be read");
        }
    }

    boolean acceptsGrowth() {
        boolean accepts = capacityBytes == Long.MAX_VALUE || capacityBytes - tables.usedBytes() > RESERVE;
        if (!accepts) {
            watcher.fault();
        }
        return accepts;
    }

    void open() throws StoreException {
        if (refusedReopens > 0) {
            refusedReopens--;
            watcher.fault();
            throw new StoreException(StoreException.Reason.IO, "The simulated disk does not answer yet");
        }
        if (capacityBytes - tables.usedBytes() < OPENING) {
            watcher.fault();
            throw new StoreException(StoreException.Reason.DISK_FULL, "The simulated disk is full");
        }
        settleUnsynced();
        watcher.opened();
    }

    /** Decides how much of the last unsynced write is on the disk. Its checksum shows whether the write is complete. */
    private void settleUnsynced() {
        byte[] batch = unsynced;
        if (batch != null) {
            byte[] bytes = Frame.encode(batch);
            int reached = random.perMille(500) ? bytes.length : random.below(bytes.length + 1);
            byte[] found = Arrays.copyOf(bytes, reached);
            if (reached > 0 && random.perMille(250)) {
                found[random.below(reached)] ^= (byte) (1 + random.below(255)); // garbage in a sector
            }
            unsynced = Frame.decode(found);
            sync();
        }
    }
}
