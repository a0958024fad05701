package dev.jitney.runtime.store;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A messaging store in memory. Its rows end with it: they outlive {@link #suspend}, but not {@link #close}.
 *
 * <p>It has a limit in bytes for keys, values and the objects around them, as on a heap below 32 GiB. From the limit on,
 * {@link #acceptsGrowth} returns false, until a sixteenth of the limit is free again. Commits that free space always
 * work. Other commits, such as states of sessions, may use a reserve of {@linkplain #reserveBytes a quarter of the limit
 * and 16 MiB} more. Beyond it they fail with {@link StoreException.Reason#DISK_FULL}, and nothing of the batch is
 * stored.
 *
 * <p>Any thread may call the methods. A reader never sees a part of a batch in one call, and waits while a batch is
 * applied.
 */
public final class MemoryMessagingStore implements MessagingStore {
    /** An entry of a tree, and the headers of its two arrays. */
    private static final long ENTRY_BYTES = 40;

    private static final int ARRAY_HEADER_BYTES = 16;
    private static final long RESERVE_BYTES_MIN = 16L << 20;
    private static final int RESERVE_SHARE = 4;
    private static final int FREE_AGAIN_SHARE = 16;

    private final Map<Table, NavigableMap<byte[], byte[]>> rows = new EnumMap<>(Table.class);
    private final long limitBytes;
    private final long commitLimitBytes;

    /** Raised by each end of all cursors. */
    private long openings;

    private boolean suspended;
    private boolean failed;
    private boolean halfApplied;
    private volatile boolean closed;
    private volatile boolean full;
    private volatile long usedBytes;

    /**
     * Creates an empty store.
     *
     * @param limitBytes bytes of rows at which growth is refused, 1 or more
     */
    public MemoryMessagingStore(long limitBytes) {
        if (limitBytes < 1) {
            throw new IllegalArgumentException("Expected a limit of 1 byte or more, but got " + limitBytes + ".");
        }
        this.limitBytes = limitBytes;
        commitLimitBytes = limitBytes + reserveBytes(limitBytes);
        for (Table table : Table.values()) {
            rows.put(table, new TreeMap<>(Arrays::compareUnsigned));
        }
    }

    /** Returns the bytes that commits may use beyond a limit. */
    public static long reserveBytes(long limitBytes) {
        return limitBytes / RESERVE_SHARE + RESERVE_BYTES_MIN;
    }

    @Override
    public synchronized void commit(RowBatch batch) throws StoreException {
        requireUsable();
        if (failed) {
            throw new StoreException(
                    StoreException.Reason.IO, "Expected reopen() after the failed commit, but got another commit.");
        }
        requireSpace(batch);
        halfApplied = true;
        RowBatchReader changes = batch.reader();
        while (changes.next()) {
            apply(changes);
        }
        halfApplied = false;
        if (usedBytes >= limitBytes) {
            full = true;
        } else if (usedBytes <= limitBytes - limitBytes / FREE_AGAIN_SHARE) {
            full = false;
        }
    }

    /** Looks at the rows of a batch before they are applied, but only if they may be too many. */
    private void requireSpace(RowBatch batch) throws StoreException {
        // A record has at least four bytes in the batch.
        long most = batch.sizeBytes() + batch.sizeBytes() / 4 * (ENTRY_BYTES + 2 * (ARRAY_HEADER_BYTES + 7));
        if (usedBytes + most <= commitLimitBytes) {
            return;
        }
        long growth = 0;
        RowBatchReader changes = batch.reader();
        while (changes.next()) {
            growth += growth(changes);
        }
        if (growth > 0 && usedBytes + growth > commitLimitBytes) {
            failed = true;
            throw new StoreException(
                    StoreException.Reason.DISK_FULL,
                    "Expected rows of at most " + commitLimitBytes + " bytes in memory, but they would take "
                            + (usedBytes + growth) + ".");
        }
    }

    /** Returns the bytes that a change adds, below 0 if it frees some, as if it were the only one. */
    private long growth(RowBatchReader change) {
        NavigableMap<byte[], byte[]> table = rowsOf(change.table());
        byte[] key = change.key();
        return switch (change.operation()) {
            case PUT -> bytes(key, change.argument()) - bytes(key, table.get(key));
            case DELETE -> -bytes(key, table.get(key));
            case DELETE_RANGE -> {
                long freed = 0;
                for (Map.Entry<byte[], byte[]> row :
                        table.subMap(key, change.argument()).entrySet()) {
                    freed += bytes(row.getKey(), row.getValue());
                }
                yield -freed;
            }
        };
    }

    private void apply(RowBatchReader change) {
        NavigableMap<byte[], byte[]> table = rowsOf(change.table());
        byte[] key = change.key();
        long used = usedBytes;
        switch (change.operation()) {
            case PUT -> {
                byte[] value = change.argument();
                used += bytes(key, value) - bytes(key, table.put(key, value));
            }
            case DELETE -> used -= bytes(key, table.remove(key));
            case DELETE_RANGE -> {
                Iterator<Map.Entry<byte[], byte[]>> range =
                        table.subMap(key, change.argument()).entrySet().iterator();
                while (range.hasNext()) {
                    Map.Entry<byte[], byte[]> row = range.next();
                    used -= bytes(row.getKey(), row.getValue());
                    range.remove();
                }
            }
        }
        usedBytes = used;
    }

    /** Returns the memory of a row, or 0 if there is none. */
    private static long bytes(byte[] key, byte @Nullable [] value) {
        return value == null ? 0 : ENTRY_BYTES + arrayBytes(key) + arrayBytes(value);
    }

    private static long arrayBytes(byte[] array) {
        return ARRAY_HEADER_BYTES + (array.length + 7L & ~7L);
    }

    private NavigableMap<byte[], byte[]> rowsOf(Table table) {
        return Objects.requireNonNull(rows.get(table));
    }

    @Override
    public synchronized byte @Nullable [] get(Table table, byte[] key) throws StoreException {
        requireUsable();
        byte[] value = rowsOf(table).get(key);
        return value == null ? null : value.clone();
    }

    @Override
    public synchronized StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException {
        requireUsable();
        return new Cursor(rowsOf(table), from.clone(), to.clone(), openings);
    }

    @Override
    public boolean acceptsGrowth() {
        return !closed && !full;
    }

    /** {@inheritDoc} The figures are those of the limit, and {@code freeBytes} includes the reserve. */
    @Override
    public @Nullable DiskFigures disk() {
        if (closed) {
            return null;
        }
        long used = usedBytes;
        return new DiskFigures(
                Math.max(0, commitLimitBytes - used), used, 0, full ? 0 : Math.max(0, limitBytes - used));
    }

    @Override
    public String medium() {
        return "memory";
    }

    @Override
    public synchronized void check() throws StoreException {
        requireUsable();
    }

    /** {@inheritDoc} The rows stay in memory. */
    @Override
    public synchronized void suspend() {
        suspended = true;
        openings++;
    }

    @Override
    public synchronized void reopen() throws StoreException {
        requireOpen();
        if (halfApplied) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "The memory ran out while a batch was applied, so the rows are incomplete. Restart the server, with"
                            + " a larger heap or a smaller limit of this store.");
        }
        openings++;
        failed = false;
        suspended = false;
    }

    @Override
    public synchronized void close() {
        closed = true;
        openings++;
        rows.values().forEach(Map::clear);
        usedBytes = 0;
    }

    private void requireUsable() throws StoreException {
        requireOpen();
        if (suspended) {
            throw new StoreException(StoreException.Reason.IO, "Expected reopen() after suspend().");
        }
        if (halfApplied) {
            throw new StoreException(StoreException.Reason.CORRUPT, "A batch of rows was applied in part.");
        }
    }

    private void requireOpen() throws StoreException {
        if (closed) {
            throw new StoreException(StoreException.Reason.IO, "Expected an open store, but it is closed.");
        }
    }

    /** A cursor that looks up the next greater key each time, so that it may see rows that are committed meanwhile. */
    private final class Cursor implements StoreCursor {
        private final NavigableMap<byte[], byte[]> table;
        private final byte[] to;
        private final long opening;
        private byte[] from;
        private boolean inclusive = true;
        private boolean ended;
        private Map.@Nullable Entry<byte[], byte[]> row;

        Cursor(NavigableMap<byte[], byte[]> table, byte[] from, byte[] to, long opening) {
            this.table = table;
            this.from = from;
            this.to = to;
            this.opening = opening;
        }

        @Override
        public boolean next() throws StoreException {
            synchronized (MemoryMessagingStore.this) {
                requireUsable();
                if (ended || opening != openings) {
                    throw new StoreException(StoreException.Reason.IO, "Expected an open cursor, but it is closed.");
                }
                row = inclusive ? table.ceilingEntry(from) : table.higherEntry(from);
            }
            if (row == null || Arrays.compareUnsigned(row.getKey(), to) >= 0) {
                row = null;
                return false;
            }
            from = row.getKey();
            inclusive = false;
            return true;
        }

        @Override
        public byte[] key() {
            return current().getKey().clone();
        }

        @Override
        public byte[] value() {
            return current().getValue().clone();
        }

        private Map.Entry<byte[], byte[]> current() {
            if (row == null) {
                throw new IllegalStateException("Expected a current row, but next() did not return true.");
            }
            return row;
        }

        @Override
        public void close() {
            ended = true;
            row = null;
        }
    }
}
