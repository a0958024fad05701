package dev.jitney.runtime.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A messaging store in memory that checks the contract of {@link MessagingStore} and fails on request.
 *
 * <p>It is stricter than an engine: putting or deleting a key of a {@linkplain Table#writtenOnce written-once} table
 * twice, committing from two threads at once, or using a closed batch is an {@link AssertionError} here, where an
 * engine would quietly store the wrong thing. For that it remembers every such key, so it is for tests only.
 *
 * <p>What it holds is what a disk would hold. {@link #crash} answers the store as the next process would find it and
 * makes this one unusable.
 */
public final class InMemoryMessagingStore implements MessagingStore {
    private final Map<Table, NavigableMap<byte[], byte[]>> rows = new EnumMap<>(Table.class);
    private final Map<Table, Set<byte[]>> everPut = new EnumMap<>(Table.class);
    private final Map<Table, List<KeyRange>> deletedRanges = new EnumMap<>(Table.class);
    private final Map<Table, Predicate<byte[]>> damaged = new EnumMap<>(Table.class);
    private final Set<Cursor> cursors = new HashSet<>();
    private final AtomicReference<@Nullable Thread> committer = new AtomicReference<>();

    private boolean open = true;
    private boolean failed;
    private boolean gone;
    private boolean suspended;
    private boolean acceptsGrowth = true;
    private @Nullable Fault fault;
    private boolean refusesCommits;
    private boolean readFails;
    private int refusedReopens;
    private int reopens;
    private long commits;

    /** An empty store. */
    public InMemoryMessagingStore() {
        for (Table table : Table.values()) {
            rows.put(table, new TreeMap<>(Arrays::compareUnsigned));
            everPut.put(table, new TreeSet<>(Arrays::compareUnsigned));
            deletedRanges.put(table, new ArrayList<>());
        }
    }

    // ---- the port ----

    @Override
    public void commit(RowBatch batch) throws StoreException {
        Thread thread = Thread.currentThread();
        if (!committer.compareAndSet(null, thread)) {
            throw new AssertionError(
                    "Expected one commit at a time, but " + thread + " and " + committer.get() + " commit together");
        }
        try {
            commitChecked(batch);
        } finally {
            committer.set(null);
        }
    }

    private synchronized void commitChecked(RowBatch batch) throws StoreException {
        requireUsable();
        List<Operation> operations = operations(batch);
        if (failed) {
            throw new StoreException(
                    StoreException.Reason.IO, "Expected reopen() after the failed commit, but was asked to commit");
        }
        check(operations);
        Fault due = fault;
        fault = null;
        if (due == null && refusesCommits) {
            due = new Fault(StoreException.Reason.IO, false);
        }
        if (due == null || due.stored) {
            operations.forEach(this::apply);
            commits++;
        }
        if (due != null) {
            failed = true;
            throw new StoreException(due.reason, "Injected fault");
        }
    }

    @Override
    public synchronized byte @Nullable [] get(Table table, byte[] key) throws StoreException {
        requireReadable();
        byte[] value = rowsOf(table).get(key);
        requireIntact(table, key, value);
        return value == null ? null : value.clone();
    }

    @Override
    public synchronized StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException {
        requireReadable();
        Cursor cursor = new Cursor(table, from.clone(), to.clone());
        cursors.add(cursor);
        return cursor;
    }

    @Override
    public synchronized boolean acceptsGrowth() {
        return open && acceptsGrowth;
    }

    @Override
    public synchronized void check() throws StoreException {
        requireUsable();
    }

    @Override
    public synchronized void suspend() {
        suspended = true;
        endCursors();
    }

    @Override
    public synchronized void reopen() throws StoreException {
        requireOpen();
        endCursors();
        reopens++;
        if (gone) {
            failed = true;
            throw new StoreException(StoreException.Reason.IO, "Injected fault: the disk has gone");
        }
        if (refusedReopens > 0) {
            refusedReopens--;
            failed = true;
            throw new StoreException(StoreException.Reason.DISK_FULL, "Injected fault: not usable yet");
        }
        failed = false;
        suspended = false;
    }

    @Override
    public synchronized void close() {
        open = false;
        endCursors();
    }

    // ---- for tests ----

    /**
     * Makes the next commit fail.
     *
     * @param stored whether its batch is there nevertheless, as after a lost answer of the disk
     */
    public synchronized void failNextCommit(StoreException.Reason reason, boolean stored) {
        fault = new Fault(reason, stored);
    }

    /** Makes every commit fail, with nothing of its batch stored, until it is told otherwise. */
    public synchronized void refuseCommits(boolean now) {
        refusesCommits = now;
    }

    /** Makes the next read fail, after which the store works as before. */
    public synchronized void failNextRead() {
        readFails = true;
    }

    /**
     * Makes some rows of a table unreadable, as an engine does whose checksums do not match, in copies of this store too.
     *
     * @param which tells them by their keys
     */
    public synchronized void damage(Table table, Predicate<byte[]> which) {
        damaged.put(table, which);
    }

    /** All rows can be read again. */
    public synchronized void mend() {
        damaged.clear();
    }

    /** Makes so many calls of {@link #reopen} fail before one works. */
    public synchronized void refuseReopens(int count) {
        refusedReopens = count;
    }

    /** Takes the disk away, or brings it back as it was. */
    public synchronized void setGone(boolean now) {
        gone = now;
    }

    /** Whether it was asked to let go and not to come back since. */
    public synchronized boolean isSuspended() {
        return suspended;
    }

    /** How often {@link #reopen} was called. */
    public synchronized int reopens() {
        return reopens;
    }

    /** Sets what {@link #acceptsGrowth} answers. */
    public synchronized void setAcceptsGrowth(boolean accepts) {
        acceptsGrowth = accepts;
    }

    /** Ends this store as kill -9 would, and answers another one with what was committed. */
    public synchronized InMemoryMessagingStore crash() {
        InMemoryMessagingStore survivor = copy();
        close();
        return survivor;
    }

    /** Another store with what is committed here at this moment; this one lives on. */
    public synchronized InMemoryMessagingStore copy() {
        InMemoryMessagingStore copy = new InMemoryMessagingStore();
        for (Table table : Table.values()) {
            copy.rowsOf(table).putAll(rowsOf(table));
            copy.everPutOf(table).addAll(everPutOf(table));
            copy.deletedRangesOf(table).addAll(deletedRangesOf(table));
        }
        copy.damaged.putAll(damaged);
        return copy;
    }

    /** Number of committed batches. */
    public synchronized long commits() {
        return commits;
    }

    /** Number of rows of a table. */
    public synchronized int size(Table table) {
        return rowsOf(table).size();
    }

    /** Keys of the rows of a table, in order. */
    public synchronized List<byte[]> keys(Table table) {
        return List.copyOf(rowsOf(table).keySet());
    }

    /** Number of cursors that were opened and not closed. */
    public synchronized int openCursors() {
        return cursors.size();
    }

    // ---- inside ----

    /** Walks through the operations of a batch in their order, without changing rows, and stops at a broken rule. */
    private void check(List<Operation> operations) {
        Map<Table, Set<byte[]>> live = new EnumMap<>(Table.class);
        Map<Table, Set<byte[]>> gone = new EnumMap<>(Table.class);
        Map<Table, List<KeyRange>> goneRanges = new EnumMap<>(Table.class);
        for (Operation operation : operations) {
            Table table = operation.table;
            Set<byte[]> liveHere = live.computeIfAbsent(table, t -> new TreeSet<>(Arrays::compareUnsigned));
            Set<byte[]> goneHere = gone.computeIfAbsent(table, t -> new TreeSet<>(Arrays::compareUnsigned));
            List<KeyRange> rangesHere = goneRanges.computeIfAbsent(table, t -> new ArrayList<>());
            byte[] key = operation.key;
            switch (operation.kind) {
                case PUT -> {
                    boolean before = everPutOf(table).contains(key) || liveHere.contains(key) || goneHere.contains(key);
                    if (table.writtenOnce() && before) {
                        throw broken(table, key, "to be put once", "it is put again");
                    }
                    if (contains(deletedRangesOf(table), key) || contains(rangesHere, key)) {
                        throw broken(table, key, "never to be put again after deleteRange", "it is");
                    }
                    liveHere.add(key);
                    goneHere.remove(key);
                }
                case DELETE -> {
                    boolean there = liveHere.contains(key)
                            || (rowsOf(table).containsKey(key)
                                    && !goneHere.contains(key)
                                    && !contains(rangesHere, key));
                    if (table.writtenOnce() && !there) {
                        throw broken(table, key, "to exist when it is deleted", "it does not");
                    }
                    liveHere.remove(key);
                    goneHere.add(key);
                }
                case DELETE_RANGE -> {
                    KeyRange range = operation.range();
                    liveHere.removeIf(range::contains);
                    rangesHere.add(range);
                }
            }
        }
    }

    private void apply(Operation operation) {
        NavigableMap<byte[], byte[]> table = rowsOf(operation.table);
        switch (operation.kind) {
            case PUT -> {
                table.put(operation.key, operation.argument);
                if (operation.table.writtenOnce()) {
                    everPutOf(operation.table).add(operation.key);
                }
            }
            case DELETE -> table.remove(operation.key);
            case DELETE_RANGE -> {
                table.subMap(operation.key, operation.argument).clear();
                deletedRangesOf(operation.table).add(operation.range());
            }
        }
    }

    private static AssertionError broken(Table table, byte[] key, String expected, String but) {
        return new AssertionError(
                "Expected key " + Arrays.toString(key) + " of " + table + " " + expected + ", but " + but);
    }

    private static boolean contains(List<KeyRange> ranges, byte[] key) {
        for (KeyRange range : ranges) {
            if (range.contains(key)) {
                return true;
            }
        }
        return false;
    }

    private NavigableMap<byte[], byte[]> rowsOf(Table table) {
        return Objects.requireNonNull(rows.get(table));
    }

    private Set<byte[]> everPutOf(Table table) {
        return Objects.requireNonNull(everPut.get(table));
    }

    private List<KeyRange> deletedRangesOf(Table table) {
        return Objects.requireNonNull(deletedRanges.get(table));
    }

    private void requireOpen() throws StoreException {
        if (!open) {
            throw new StoreException(StoreException.Reason.IO, "Expected an open store, but it is closed");
        }
    }

    private void requireReadable() throws StoreException {
        requireUsable();
        if (readFails) {
            readFails = false;
            throw new StoreException(StoreException.Reason.IO, "Injected fault: a row cannot be read");
        }
    }

    private void requireIntact(Table table, byte[] key, byte @Nullable [] value) throws StoreException {
        Predicate<byte[]> which = damaged.get(table);
        if (which != null && value != null && which.test(key)) {
            throw new StoreException(StoreException.Reason.CORRUPT, "Injected damage: a checksum does not match");
        }
    }

    private void requireUsable() throws StoreException {
        requireOpen();
        if (suspended) {
            throw new StoreException(StoreException.Reason.IO, "Expected reopen() after suspend()");
        }
        if (gone) {
            failed = true;
            throw new StoreException(StoreException.Reason.IO, "Injected fault: the disk has gone");
        }
    }

    private void endCursors() {
        cursors.forEach(cursor -> cursor.ended = true);
        cursors.clear();
    }

    private record Fault(StoreException.Reason reason, boolean stored) {}

    private record KeyRange(byte[] from, byte[] to) {
        boolean contains(byte[] key) {
            return Arrays.compareUnsigned(from, key) <= 0 && Arrays.compareUnsigned(key, to) < 0;
        }
    }

    /** One write: the argument is the value of a put, the end of a range, or empty. */
    private record Operation(RowBatchReader.Operation kind, Table table, byte[] key, byte[] argument) {
        KeyRange range() {
            return new KeyRange(key, argument);
        }
    }

    /** What is encoded in a batch, read as from a disk. */
    private static List<Operation> operations(RowBatch batch) throws StoreException {
        List<Operation> operations = new ArrayList<>();
        RowBatchReader rows = RowBatchReader.of(batch.encoded());
        while (rows.next()) {
            operations.add(new Operation(rows.operation(), rows.table(), rows.key(), rows.argument()));
        }
        return operations;
    }

    /** Looks for the next greater key each time, so it sees what is committed while it walks, as the port allows. */
    private final class Cursor implements StoreCursor {
        private final Table table;
        private final byte[] to;
        private byte[] from;
        private boolean inclusive = true;
        private Map.@Nullable Entry<byte[], byte[]> row;
        private boolean ended;

        Cursor(Table table, byte[] from, byte[] to) {
            this.table = table;
            this.from = from;
            this.to = to;
        }

        @Override
        public boolean next() throws StoreException {
            synchronized (InMemoryMessagingStore.this) {
                requireUsable();
                if (ended) {
                    throw new StoreException(StoreException.Reason.IO, "Expected an open cursor, but it is closed");
                }
                row = inclusive
                        ? rowsOf(table).ceilingEntry(from)
                        : rowsOf(table).higherEntry(from);
                if (row == null || Arrays.compareUnsigned(row.getKey(), to) >= 0) {
                    row = null;
                    return false;
                }
                requireIntact(table, row.getKey(), row.getValue());
                from = row.getKey();
                inclusive = false;
                return true;
            }
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
                throw new IllegalStateException("Expected a current row, but next() did not answer true");
            }
            return row;
        }

        @Override
        public void close() {
            synchronized (InMemoryMessagingStore.this) {
                ended = true;
                row = null;
                cursors.remove(this);
            }
        }
    }
}
