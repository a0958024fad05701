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
 * A messaging store in memory that checks the contract of {@link MessagingStore} and injects faults.
 *
 * <p>It is stricter than an engine. It throws an {@link AssertionError} if a key of a {@linkplain Table#writtenOnce
 * written-once} table is put or deleted twice, if two threads commit at once, or if a closed batch is used. An engine
 * would silently store wrong data. The store keeps every such key in memory, so it is for tests only.
 *
 * <p>Its content is what a disk would hold. {@link #crash} returns the store as the next process would find it and
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
    private boolean refusesConfirmation;
    private boolean refusesAfterCommit;
    private boolean readFails;
    private int refusedReopens;
    private int reopens;
    private long commits;

    /** Creates an empty store. */
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
        confirm(); // a node that does not lead commits nothing either
        Thread thread = Thread.currentThread();
        if (!committer.compareAndSet(null, thread)) {
            throw new AssertionError("Expected one commit at a time, but " + thread + " and " + committer.get()
                    + " commit at the same time");
        }
        try {
            commitChecked(batch);
            refusesConfirmation |= refusesAfterCommit;
        } finally {
            committer.set(null);
        }
    }

    private synchronized void commitChecked(RowBatch batch) throws StoreException {
        requireUsable();
        List<Operation> operations = operations(batch);
        if (failed) {
            throw new StoreException(
                    StoreException.Reason.IO, "Expected reopen() after the failed commit, but got another commit");
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
    public synchronized void confirm() throws StoreException {
        if (refusesConfirmation) {
            throw new StoreException(StoreException.Reason.IO, "Another node leads.");
        }
    }

    @Override
    public synchronized boolean isConfirmed() {
        return !refusesConfirmation;
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
            throw new StoreException(StoreException.Reason.IO, "Injected fault: the disk is missing");
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
     * @param stored whether its batch is stored anyway, as if the disk's answer was lost
     */
    public synchronized void failNextCommit(StoreException.Reason reason, boolean stored) {
        fault = new Fault(reason, stored);
    }

    /** Refuses to confirm that this store is in use, and all commits; or confirms it again. */
    public synchronized void refuseConfirmation(boolean now) {
        refusesConfirmation = now;
    }

    /** Makes the store refuse confirmations as soon as the next commit has succeeded. */
    public synchronized void refuseConfirmationAfterCommit() {
        refusesAfterCommit = true;
    }

    /** Makes every commit fail without storing its batch, until this is turned off again. */
    public synchronized void refuseCommits(boolean now) {
        refusesCommits = now;
    }

    /** Makes the next read fail. The store works again afterwards. */
    public synchronized void failNextRead() {
        readFails = true;
    }

    /**
     * Makes some rows of a table unreadable, like checksum errors of an engine, in copies of this store too.
     *
     * @param which selects the rows by their keys
     */
    public synchronized void damage(Table table, Predicate<byte[]> which) {
        damaged.put(table, which);
    }

    /** Makes all rows readable again. */
    public synchronized void mend() {
        damaged.clear();
    }

    /** Makes the next calls of {@link #reopen} fail. */
    public synchronized void refuseReopens(int count) {
        refusedReopens = count;
    }

    /** Removes the disk, or brings it back unchanged. */
    public synchronized void setGone(boolean now) {
        gone = now;
    }

    /** Returns whether the store is suspended. */
    public synchronized boolean isSuspended() {
        return suspended;
    }

    /** Returns the number of calls of {@link #reopen}. */
    public synchronized int reopens() {
        return reopens;
    }

    /** Sets the result of {@link #acceptsGrowth}. */
    public synchronized void setAcceptsGrowth(boolean accepts) {
        acceptsGrowth = accepts;
    }

    /** Ends this store like kill -9, and returns a new one with the committed rows. */
    public synchronized InMemoryMessagingStore crash() {
        InMemoryMessagingStore survivor = copy();
        close();
        return survivor;
    }

    /** Returns another store with the rows committed so far. This store stays usable. */
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

    /** Returns the number of committed batches. */
    public synchronized long commits() {
        return commits;
    }

    /** Returns the number of rows of a table. */
    public synchronized int size(Table table) {
        return rowsOf(table).size();
    }

    /** Returns the keys of a table, in order. */
    public synchronized List<byte[]> keys(Table table) {
        return List.copyOf(rowsOf(table).keySet());
    }

    /** Returns the number of open cursors. */
    public synchronized int openCursors() {
        return cursors.size();
    }

    // ---- inside ----

    /** Checks the operations of a batch in their order, without changing rows, and stops at the first violation. */
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
                        throw broken(table, key, "to be put once", "it was put again");
                    }
                    if (contains(deletedRangesOf(table), key) || contains(rangesHere, key)) {
                        throw broken(table, key, "never to be put again after deleteRange", "it was");
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
                        throw broken(table, key, "to exist when it is deleted", "it did not");
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
            throw new StoreException(StoreException.Reason.IO, "Injected fault: the disk is missing");
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

    /** One write. The argument is the value of a put, the end of a range, or empty. */
    private record Operation(RowBatchReader.Operation kind, Table table, byte[] key, byte[] argument) {
        KeyRange range() {
            return new KeyRange(key, argument);
        }
    }

    /** Decodes the operations of a batch, as if read from a disk. */
    private static List<Operation> operations(RowBatch batch) throws StoreException {
        List<Operation> operations = new ArrayList<>();
        RowBatchReader rows = RowBatchReader.of(batch.encoded());
        while (rows.next()) {
            operations.add(new Operation(rows.operation(), rows.table(), rows.key(), rows.argument()));
        }
        return operations;
    }

    /**
     * A cursor that looks up the next greater key each time. So it may see rows committed during the scan, as the port
     * allows.
     */
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
                throw new IllegalStateException("Expected a current row, but next() did not return true");
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
