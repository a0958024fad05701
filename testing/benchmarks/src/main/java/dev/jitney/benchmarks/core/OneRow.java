package dev.jitney.benchmarks.core;

import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.StoreBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.Table;
import org.jspecify.annotations.Nullable;

/** Store and batch at once: keeps the last row. */
final class OneRow implements StoreBatch, MessagingStore {
    private byte @Nullable [] value;
    private byte @Nullable [] deleted;

    /** The last row that was put. */
    byte @Nullable [] value() {
        return value;
    }

    /** The key of the last row that was deleted. */
    byte @Nullable [] deleted() {
        return deleted;
    }

    @Override
    public void put(Table table, byte[] key, byte[] row) {
        value = row;
    }

    @Override
    public void delete(Table table, byte[] key) {
        deleted = key;
    }

    @Override
    public void deleteRange(Table table, byte[] from, byte[] to) {
        deleted = from;
    }

    @Override
    public boolean isEmpty() {
        return value == null;
    }

    @Override
    public long sizeBytes() {
        byte[] row = value;
        return row == null ? 0 : row.length;
    }

    @Override
    public void clear() {
        value = null;
    }

    @Override
    public StoreBatch newBatch() {
        return this;
    }

    @Override
    public void commit(StoreBatch batch) {}

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        return value;
    }

    @Override
    public StoreCursor scan(Table table, byte[] from, byte[] to) {
        throw new UnsupportedOperationException("Expected single rows only.");
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
