package dev.jitney.fuzz.target;

import dev.jitney.runtime.store.StoreBatch;
import dev.jitney.runtime.store.Table;
import java.util.ArrayList;
import java.util.List;

/** A batch that keeps what is put into it. */
final class WrittenRows implements StoreBatch {
    final List<Row> rows = new ArrayList<>();

    @Override
    public void put(Table table, byte[] key, byte[] value) {
        rows.add(new Row(table, key, value));
    }

    @Override
    public void delete(Table table, byte[] key) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void deleteRange(Table table, byte[] from, byte[] to) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isEmpty() {
        return rows.isEmpty();
    }

    @Override
    public long sizeBytes() {
        return 0;
    }

    @Override
    public void clear() {
        rows.clear();
    }

    @Override
    public void close() {}
}
