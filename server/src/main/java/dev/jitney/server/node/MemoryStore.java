package dev.jitney.server.node;

import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.RowBatchReader;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** A store in memory for the few messages of a {@link Warmth}. One thread commits, others may read. */
final class MemoryStore implements MessagingStore {
    private final Map<Table, NavigableMap<byte[], byte[]>> rows = new EnumMap<>(Table.class);

    MemoryStore() {
        for (Table table : Table.values()) {
            rows.put(table, new ConcurrentSkipListMap<>(Arrays::compareUnsigned));
        }
    }

    @Override
    public void commit(RowBatch batch) throws StoreException {
        RowBatchReader changes = RowBatchReader.of(batch.encoded());
        while (changes.next()) {
            NavigableMap<byte[], byte[]> table = rowsOf(changes.table());
            switch (changes.operation()) {
                case PUT -> table.put(changes.key(), changes.argument());
                case DELETE -> table.remove(changes.key());
                case DELETE_RANGE ->
                    table.subMap(changes.key(), changes.argument()).clear();
            }
        }
    }

    private NavigableMap<byte[], byte[]> rowsOf(Table table) {
        return Objects.requireNonNull(rows.get(table));
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        byte[] value = rowsOf(table).get(key);
        return value == null ? null : value.clone();
    }

    @Override
    public StoreCursor scan(Table table, byte[] from, byte[] to) {
        return new Cursor(rowsOf(table).subMap(from, to).entrySet().iterator());
    }

    @Override
    public boolean acceptsGrowth() {
        return true;
    }

    @Override
    public void check() {
        // It always works.
    }

    @Override
    public void suspend() {
        throw new UnsupportedOperationException("Expected no stop of this store.");
    }

    @Override
    public void reopen() {
        // It is always open.
    }

    @Override
    public void close() {
        rows.values().forEach(Map::clear);
    }

    private static final class Cursor implements StoreCursor {
        private final Iterator<Map.Entry<byte[], byte[]>> rows;
        private Map.@Nullable Entry<byte[], byte[]> row;

        Cursor(Iterator<Map.Entry<byte[], byte[]>> rows) {
            this.rows = rows;
        }

        @Override
        public boolean next() {
            row = rows.hasNext() ? rows.next() : null;
            return row != null;
        }

        @Override
        public byte[] key() {
            return Objects.requireNonNull(row).getKey().clone();
        }

        @Override
        public byte[] value() {
            return Objects.requireNonNull(row).getValue().clone();
        }

        @Override
        public void close() {
            row = null;
        }
    }
}
