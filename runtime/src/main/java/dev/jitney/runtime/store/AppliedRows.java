package dev.jitney.runtime.store;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Rows as they will be once the batch that is being filled is committed: what the batch writes lies over what the store has. So
 * whoever fills a batch reads what it has written, and nothing has to be committed for that.
 *
 * <p>It costs nothing while nobody reads. A read of a table indexes what the batch has for that table by then, each record once; the
 * index has the keys and no values, so it is bounded by the batch, and goes when the batch is {@linkplain RowBatch#clear cleared}.
 *
 * <p>What is read here is not durable. It must not leave the shard before the batch is committed: effects of a turn wait for it, also
 * those of a turn that has only read.
 *
 * <p>For the thread that fills the batch.
 */
public final class AppliedRows {
    private final MessagingStore store;
    private final RowBatch batch;
    private final @Nullable TableIndex[] tables = new TableIndex[Table.values().length];

    /** Of the contents of the batch that are indexed. */
    private long generation;

    private boolean indexed;

    /**
     * Lays a batch over a store.
     *
     * @param store what is committed
     * @param batch what will be committed next
     */
    public AppliedRows(MessagingStore store, RowBatch batch) {
        this.store = store;
        this.batch = batch;
    }

    /** The value of a key as of the last write to the batch, a copy, or null. */
    public byte @Nullable [] get(Table table, byte[] key) throws StoreException {
        TableIndex index = index(table);
        if (index != null) {
            Integer at = index.rows.get(key);
            if (at != null) {
                return at.equals(TableIndex.DELETED) ? null : batch.valueAt(at);
            }
            if (index.endOfDeletedRange(key) != null) {
                return null;
            }
        }
        return store.get(table, key);
    }

    /**
     * Rows from {@code from} (inclusive) to {@code to} (exclusive), as of the opening or later. The batch may be filled meanwhile,
     * but not cleared.
     */
    public StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException {
        TableIndex index = index(table);
        return index == null || Arrays.compareUnsigned(from, to) >= 0
                ? store.scan(table, from, to)
                : new OverlaidCursor(table, index, from, to);
    }

    /** What the batch has for a table; null if it has nothing. */
    private @Nullable TableIndex index(Table table) throws StoreException {
        if (indexed && generation != batch.generation()) {
            Arrays.fill(tables, null);
            indexed = false;
        }
        if (!batch.touches(table)) {
            return null;
        }
        TableIndex index = tables[table.ordinal()];
        if (index == null) {
            index = new TableIndex();
            tables[table.ordinal()] = index;
            generation = batch.generation();
            indexed = true;
        }
        index.follow(batch, table);
        return index;
    }

    /** What the batch does to one table, as far as it was followed. */
    private static final class TableIndex {
        static final Integer DELETED = -1;

        /** Where in the batch the last put of a key is, or {@link #DELETED}. */
        final NavigableMap<byte[], Integer> rows = new TreeMap<>(Arrays::compareUnsigned);

        /** In which nothing of the store is left: the ends by the first keys; no two of them touch. */
        private final NavigableMap<byte[], byte[]> deletedRanges = new TreeMap<>(Arrays::compareUnsigned);

        private int followedTo = RowBatchFormat.HEADER_BYTES;

        void follow(RowBatch batch, Table table) throws StoreException {
            if (followedTo == batch.end()) {
                return;
            }
            RowBatchReader records = batch.reader(followedTo);
            while (records.next()) {
                if (records.table() == table) {
                    switch (records.operation()) {
                        case PUT -> rows.put(records.key(), records.start());
                        case DELETE -> rows.put(records.key(), DELETED);
                        case DELETE_RANGE -> {
                            byte[] from = records.key();
                            byte[] to = records.argument();
                            rows.subMap(from, to).clear();
                            deleteRange(from, to);
                        }
                    }
                }
            }
            followedTo = batch.end();
        }

        private void deleteRange(byte[] from, byte[] to) {
            byte[] first = from;
            byte[] end = to;
            Map.Entry<byte[], byte[]> before = deletedRanges.floorEntry(from);
            if (before != null && Arrays.compareUnsigned(before.getValue(), from) >= 0) {
                first = before.getKey();
            }
            NavigableMap<byte[], byte[]> touched = deletedRanges.subMap(first, true, to, true);
            for (byte[] other : touched.values()) {
                end = Arrays.compareUnsigned(other, end) > 0 ? other : end;
            }
            touched.clear();
            deletedRanges.put(first, end);
        }

        /** The end of the deleted range a key is in, or null if it is in none. */
        byte @Nullable [] endOfDeletedRange(byte[] key) {
            Map.Entry<byte[], byte[]> before = deletedRanges.floorEntry(key);
            return before == null || Arrays.compareUnsigned(key, before.getValue()) >= 0 ? null : before.getValue();
        }
    }

    /**
     * Merges two walks in ascending order. Of a key that both have the row of the batch counts. The index is asked for the next
     * key each time, because it may grow while the walk is under way. The walk over the store jumps over deleted ranges.
     */
    private final class OverlaidCursor implements StoreCursor {
        private static final int OF_STORE = -1;

        private final Table table;
        private final TableIndex index;
        private final byte[] to;
        private final long openedIn = batch.generation();
        private StoreCursor committed;

        /** The next row of the store, if there is one. */
        private byte @Nullable [] committedKey;

        private boolean started;

        /** Up to where rows were seen. */
        private byte[] last;

        private boolean lastWasSeen;

        private byte @Nullable [] key;

        /** Where in the batch the current row is, or {@link #OF_STORE}. */
        private int at;

        OverlaidCursor(Table table, TableIndex index, byte[] from, byte[] to) throws StoreException {
            this.table = table;
            this.index = index;
            this.last = from;
            this.to = to;
            this.committed = store.scan(table, from, to);
        }

        @Override
        public boolean next() throws StoreException {
            if (openedIn != batch.generation()) {
                throw new IllegalStateException("Expected no commit while rows are being read, but there was one");
            }
            if (!started) {
                started = true;
                advance();
            } else if (key != null && at == OF_STORE) {
                advance(); // the current row was the store's
            }
            while (true) {
                Map.Entry<byte[], Integer> written =
                        lastWasSeen ? index.rows.higherEntry(last) : index.rows.ceilingEntry(last);
                byte[] writtenKey =
                        written == null || Arrays.compareUnsigned(written.getKey(), to) >= 0 ? null : written.getKey();
                byte[] storedKey = committedKey;
                if (storedKey != null && (writtenKey == null || Arrays.compareUnsigned(storedKey, writtenKey) < 0)) {
                    byte[] rangeEnd = index.endOfDeletedRange(storedKey);
                    if (rangeEnd == null) {
                        see(storedKey);
                        key = storedKey;
                        at = OF_STORE;
                        return true;
                    }
                    jump(rangeEnd);
                } else if (written != null && writtenKey != null) {
                    see(writtenKey);
                    if (storedKey != null && Arrays.equals(storedKey, writtenKey)) {
                        advance(); // replaced or deleted
                    }
                    if (!TableIndex.DELETED.equals(written.getValue())) {
                        key = writtenKey;
                        at = written.getValue();
                        return true;
                    }
                } else {
                    key = null;
                    return false;
                }
            }
        }

        /** Goes on behind a range that the batch deletes. */
        private void jump(byte[] rangeEnd) throws StoreException {
            if (Arrays.compareUnsigned(rangeEnd, to) >= 0) {
                committedKey = null;
                return;
            }
            committed.close();
            committed = store.scan(table, rangeEnd, to);
            advance();
        }

        private void see(byte[] seen) {
            last = seen;
            lastWasSeen = true;
        }

        private void advance() throws StoreException {
            committedKey = committed.next() ? committed.key() : null;
        }

        @Override
        public byte[] key() {
            return current().clone();
        }

        @Override
        public byte[] value() {
            current();
            return at == OF_STORE ? committed.value() : batch.valueAt(at);
        }

        private byte[] current() {
            byte[] current = key;
            if (current == null) {
                throw new IllegalStateException("Expected a current row, but next() did not answer true");
            }
            return current;
        }

        @Override
        public void close() {
            key = null;
            committed.close();
        }
    }
}
