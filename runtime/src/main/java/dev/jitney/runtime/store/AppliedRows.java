package dev.jitney.runtime.store;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A view of the rows as they will be after the commit of the current batch: the writes of the batch on top of the
 * store. So the thread that fills a batch can read its own writes without a commit.
 *
 * <p>It costs nothing until something is read. A read of a table indexes the records of the batch for that table, each
 * record once. The index has keys and no values, so the batch bounds its size. It is dropped when the batch is
 * {@linkplain RowBatch#clear cleared}.
 *
 * <p>Rows read here may not be durable. They must not leave the shard before the commit of the batch. So all effects of
 * a turn wait for the commit, even in a turn that has only read.
 *
 * <p>For the thread that fills the batch.
 */
public final class AppliedRows {
    private final MessagingStore store;
    private final RowBatch batch;
    private final @Nullable TableIndex[] tables = new TableIndex[Table.values().length];

    /** The generation of the batch that the indexes belong to. */
    private long generation;

    private boolean indexed;

    /**
     * Creates a view of a batch over a store.
     *
     * @param store the committed rows
     * @param batch the rows of the next commit
     */
    public AppliedRows(MessagingStore store, RowBatch batch) {
        this.store = store;
        this.batch = batch;
    }

    /** Returns whether the batch has writes to a table. If not, the rows of the table are committed. */
    public boolean touches(Table table) {
        return batch.touches(table);
    }

    /** Returns the value of a key after the last write to the batch, as a copy, or null. */
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
     * Returns a cursor over rows from {@code from} (inclusive) to {@code to} (exclusive), as of the opening or later.
     * Writes to the batch are allowed while the cursor is open, but the batch must not be cleared.
     */
    public StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException {
        TableIndex index = index(table);
        return index == null || Arrays.compareUnsigned(from, to) >= 0
                ? store.scan(table, from, to)
                : new OverlaidCursor(table, index, from, to);
    }

    /** Returns the index of the batch for a table, or null if the batch has no records for it. */
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

    /** An index of the batch's records for one table. */
    private static final class TableIndex {
        static final Integer DELETED = -1;

        /** The position in the batch of the last put of a key, or {@link #DELETED}. */
        final NavigableMap<byte[], Integer> rows = new TreeMap<>(Arrays::compareUnsigned);

        /**
         * The ranges in which all rows of the store are deleted: end keys by start keys. The ranges do not touch each
         * other.
         */
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

        /** Returns the end of the deleted range that contains a key, or null. */
        byte @Nullable [] endOfDeletedRange(byte[] key) {
            Map.Entry<byte[], byte[]> before = deletedRanges.floorEntry(key);
            return before == null || Arrays.compareUnsigned(key, before.getValue()) >= 0 ? null : before.getValue();
        }
    }

    /**
     * Merges the rows of the batch and of the store in ascending order. If both have a key, the row of the batch wins.
     * The next key is looked up in the index each time, because the index may grow during the scan. The scan of the
     * store skips deleted ranges.
     */
    private final class OverlaidCursor implements StoreCursor {
        private static final int OF_STORE = -1;

        private final Table table;
        private final TableIndex index;
        private final byte[] to;
        private final long openedIn = batch.generation();
        private StoreCursor committed;

        /** The next key of the store, or null. */
        private byte @Nullable [] committedKey;

        private boolean started;

        /** The last key returned, or the start of the scan. */
        private byte[] last;

        private boolean lastWasSeen;

        private byte @Nullable [] key;

        /** The position of the current row in the batch, or {@link #OF_STORE}. */
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
                advance(); // the current row came from the store
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

        /** Continues after a range that the batch deletes. */
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
                throw new IllegalStateException("Expected a current row, but next() did not return true");
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
