package dev.jitney.fuzz.target;

import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.Table;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A store with at most one row in a table, returned for every key. Scans return the row with its own key. */
final class RowStore implements MessagingStore {
    private final Map<Table, Row> rows = new EnumMap<>(Table.class);

    RowStore(Row... rows) {
        for (Row row : rows) {
            this.rows.put(row.table(), row);
        }
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        Row row = rows.get(table);
        return row == null ? null : row.value().clone();
    }

    @Override
    public StoreCursor scan(Table table, byte[] from, byte[] to) {
        Row row = rows.get(table);
        boolean within = row != null
                && Arrays.compareUnsigned(row.key(), from) >= 0
                && Arrays.compareUnsigned(row.key(), to) < 0;
        return new StoreCursor() {
            private boolean before = true;

            @Override
            public boolean next() {
                boolean first = before && within;
                before = false;
                return first;
            }

            @Override
            public byte[] key() {
                return Objects.requireNonNull(row).key().clone();
            }

            @Override
            public byte[] value() {
                return Objects.requireNonNull(row).value().clone();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void commit(RowBatch batch) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean acceptsGrowth() {
        return true;
    }

    @Override
    public void check() {}

    @Override
    public void suspend() {}

    @Override
    public void reopen() {}

    @Override
    public void close() {}
}
