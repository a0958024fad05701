package dev.jitney.benchmarks.core;

import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.Table;
import org.jspecify.annotations.Nullable;

/** A store with one row, whatever key is asked for. */
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
