package dev.jitney.store.rocksdb.space;

import dev.jitney.runtime.store.DeletedKeys;
import dev.jitney.runtime.store.Table;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reclaims the space of deleted rows while the disk is short of it.
 *
 * <p>A delete is an additional row until a compaction merges it with the row that it deletes. Normally RocksDB's own
 * schedule is best. When space is short, a separate thread flushes the memtables and compacts the ranges of keys in
 * which rows were deleted since the last time: work in proportion to the deleted data, not to the stored data. It
 * pauses four times as long as it worked, so that it takes at most a fifth of the time, and it ends with the
 * shortage.
 *
 * <p>Any thread may add deletes and request space; {@link #close} waits for the thread, and only after
 * that the database may be closed.
 */
public final class SpaceReclaimer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SpaceReclaimer.class);
    private static final long REST_MIN_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int REST_FACTOR = 4;
    private static final byte[] BEYOND_ALL_KEYS = new byte[64];

    static {
        Arrays.fill(BEYOND_ALL_KEYS, (byte) 0xFF);
    }

    private final TableFiles files;
    private final BooleanSupplier hasRoom;
    private final BackgroundThread thread;

    // Guarded by this.
    private DeletedKeys pending = new DeletedKeys();
    private @Nullable CompactRangeOptions running;
    private boolean closed;

    /**
     * Creates the object for an open store.
     *
     * @param hasRoom returns whether the shortage is over
     * @param name    the name of the thread
     */
    public SpaceReclaimer(TableFiles files, BooleanSupplier hasRoom, String name) {
        this.files = files;
        this.hasRoom = hasRoom;
        thread = new BackgroundThread(name, this::reclaim, ns -> Math.max(REST_MIN_NS, REST_FACTOR * ns));
    }

    /**
     * Marks all keys as deleted, because a store that opens when space is short does not know its earlier deletes. It
     * compacts all ranges once, except data that is already in the last level.
     */
    public synchronized void deletedBefore() {
        for (Table table : Table.values()) {
            pending.add(table, new byte[0], BEYOND_ALL_KEYS);
        }
    }

    /** Adds the keys that a committed batch deleted. */
    public synchronized void deleted(DeletedKeys keys) {
        pending.addAll(keys);
    }

    /** Requests space; the first call starts the thread. Cheap, so it may be called repeatedly. */
    public synchronized void wanted() {
        if (!closed && pending.count() > 0 && running == null) {
            thread.wake();
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            if (running != null) {
                running.setCanceled(true);
            }
        }
        thread.close();
    }

    private void reclaim() {
        DeletedKeys keys = takePending();
        if (keys.count() > 0) {
            reclaim(keys);
        }
    }

    private synchronized DeletedKeys takePending() {
        DeletedKeys keys = pending;
        pending = new DeletedKeys();
        return keys;
    }

    private void reclaim(DeletedKeys keys) {
        try (CompactRangeOptions options = new CompactRangeOptions().setExclusiveManualCompaction(false)) {
            try {
                if (begin(options)) {
                    files.flush();
                    for (Table table : Table.values()) {
                        byte[] from = keys.smallest(table);
                        byte[] to = keys.greatest(table);
                        if (from != null && to != null && !options.canceled() && !hasRoom.getAsBoolean()) {
                            files.compact(table, from, to, options);
                        }
                    }
                    LOG.debug("Reclaimed the space of {} deletes", keys.count());
                }
            } catch (RocksDBException e) {
                // The rows are safe even after a failure; the space is reclaimed together with that of the next
                // deletes.
                deleted(keys);
                Status status = e.getStatus();
                if (status == null || status.getCode() != Status.Code.Incomplete) {
                    LOG.warn("Failed to reclaim the space of deleted messages: {}", reason(e, status));
                }
            } finally {
                end();
            }
        }
    }

    /**
     * Returns the reason of a failed compaction. After a disk was full once, RocksDB starts no compaction that may
     * fill it again; Java has no code for that error.
     */
    private static String reason(RocksDBException failure, @Nullable Status status) {
        if (status != null && status.getCode() == Status.Code.Undefined) {
            return "its disk is too full to rewrite the affected files. Make room on it.";
        }
        return String.valueOf(failure.getMessage());
    }

    private synchronized boolean begin(CompactRangeOptions options) {
        running = options;
        return !closed;
    }

    private synchronized void end() {
        running = null;
    }
}
