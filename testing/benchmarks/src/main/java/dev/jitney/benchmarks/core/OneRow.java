package dev.jitney.benchmarks.core;

import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.Table;
import org.jspecify.annotations.Nullable;

/** A store that returns one row for every key. */
final class OneRow implements MessagingStore {
    private final byte[] value;

    OneRow(byte[] value) {
        this.value = value;
    }

    @Override
    public void commit(RowBatch batch) {}

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        return value;
    }

    @Override
    public StoreCursor scan(Table table, byte[] from, byte[] to) {
        throw new UnsupportedOperationException("Expected a read of a single row, but got another operation.");
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
