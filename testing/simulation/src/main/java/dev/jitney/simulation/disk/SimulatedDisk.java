package dev.jitney.simulation.disk;

import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.Violation;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A disk with one messaging store on it. It outlives the process: what was synced stays, what was only written may be lost,
 * torn, or there. Faults are planned for the next write or read. For one thread.
 */
public final class SimulatedDisk {
    /** Room that the last batches before a full disk may still need. */
    private static final long RESERVE = 24 << 10;

    /** Room that is needed to open the store; what is settled fits in. */
    private static final long OPENING = 8 << 10;

    /** What is to go wrong with the next write. */
    public enum Plan {
        NOTHING,
        /** The write is refused, and nothing of it is there. */
        REFUSE,
        /** The write is reported as failed, and whether it is there nevertheless is seen when the store is opened again. */
        FAIL,
        /** The process is killed when the batch is written, but not synced. */
        KILL_BEFORE_SYNC,
        /** The process is killed when the batch is synced, but nobody knows. */
        KILL_AFTER_SYNC,
        /** Other things happen before the batch is synced. */
        STALL
    }

    private final NavigableMap<byte[], byte[]>[] tables;
    private final DiskWatcher watcher;
    private final SeededRandom random;
    private byte @Nullable [] unsynced;
    private Plan plan = Plan.NOTHING;
    private boolean readFails;
    private boolean killedByRead;
    private int refusedReopens;
    private long usedBytes;
    private long writes;
    private long capacityBytes = Long.MAX_VALUE;

    @SuppressWarnings("unchecked")
    public SimulatedDisk(SeededRandom random, DiskWatcher watcher) {
        this.random = random;
        this.watcher = watcher;
        tables = new NavigableMap[Table.values().length];
        for (int i = 0; i < tables.length; i++) {
            tables[i] = new TreeMap<>(Arrays::compareUnsigned);
        }
    }

    // --- what the simulator does to it ---

    /** What is to go wrong with the next write. */
    public void plan(Plan next) {
        plan = next;
    }

    /** Has the next read fail, or the process killed while it reads. */
    public void failNextRead(boolean kill) {
        readFails = true;
        killedByRead = kill;
    }

    /** Makes so many attempts to open the store again fail. */
    public void refuseReopens(int count) {
        refusedReopens = count;
    }

    /** Leaves room for so many bytes; {@link Long#MAX_VALUE} for as many as come. */
    public void leaveRoom(long bytes) {
        capacityBytes = bytes == Long.MAX_VALUE ? bytes : usedBytes + bytes;
    }

    /** Nothing goes wrong any more. */
    public void heal() {
        plan = Plan.NOTHING;
        readFails = false;
        refusedReopens = 0;
        capacityBytes = Long.MAX_VALUE;
    }

    /** The process has gone. A write that was not synced is there as a whole or is not, whatever bytes of it are. */
    public void crash() {
        readFails = false;
        plan = Plan.NOTHING;
        settleUnsynced();
    }

    /** The rows of a table; not to be changed. */
    public NavigableMap<byte[], byte[]> rows(Table table) {
        return tables[table.ordinal()];
    }

    // --- what the store does with it ---

    /** @param batch encoded rows; not to be changed */
    void write(byte[] batch) throws StoreException {
        Plan now = plan;
        plan = Plan.NOTHING;
        if (now == Plan.REFUSE) {
            watcher.fault();
            throw new StoreException(StoreException.Reason.IO, "The simulated disk refuses a write");
        }
        if (batch.length > capacityBytes - usedBytes) {
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
            writes++;
            List<Write> rows = Write.allOf(batch);
            rows.forEach(this::apply);
            watcher.durable(rows);
        }
    }

    /** How many batches have come to the disk; rows that were found before the last one may have gone. */
    long writes() {
        return writes;
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
        boolean accepts = capacityBytes == Long.MAX_VALUE || capacityBytes - usedBytes > RESERVE;
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
        if (capacityBytes - usedBytes < OPENING) {
            watcher.fault();
            throw new StoreException(StoreException.Reason.DISK_FULL, "The simulated disk is full");
        }
        settleUnsynced();
        watcher.opened();
    }

    /** Of what was written last a part may have reached the disk; the checksum tells whether it is all. */
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

    private void apply(Write write) {
        NavigableMap<byte[], byte[]> table = tables[write.table().ordinal()];
        switch (write.kind()) {
            case PUT -> {
                byte[] before = table.put(write.key(), write.argument());
                if (before != null && write.table().writtenOnce()) {
                    throw new Violation("Expected the key " + hex(write) + " to be put once, but it was put again.");
                }
                usedBytes += write.sizeBytes() - (before == null ? 0 : before.length + write.key().length);
            }
            case DELETE -> {
                byte[] before = table.remove(write.key());
                if (before == null && write.table().writtenOnce()) {
                    throw new Violation("Expected the key " + hex(write) + " to be there, but it is deleted without.");
                }
                usedBytes -= before == null ? 0 : before.length + write.key().length;
            }
            case DELETE_RANGE -> {
                NavigableMap<byte[], byte[]> range = table.subMap(write.key(), true, write.argument(), false);
                range.forEach((key, value) -> usedBytes -= key.length + value.length);
                range.clear();
            }
        }
    }

    private static String hex(Write write) {
        return HexFormat.of().formatHex(write.key()) + " of " + write.table();
    }
}
