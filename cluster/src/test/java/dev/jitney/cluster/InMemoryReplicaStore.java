package dev.jitney.cluster;

import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.ReplicaPosition;
import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.RowBatchReader;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A copy of a store in memory. A {@linkplain #restarted restart} loses everything that was not flushed. */
final class InMemoryReplicaStore implements ReplicaStore {
    private final List<byte[]> batches = new ArrayList<>();
    private final List<ReplicaPosition> positions = new ArrayList<>();
    private final InMemoryMessagingStore rows = new InMemoryMessagingStore();
    private int flushed;

    @Override
    public ReplicaPosition position() {
        return positions.isEmpty() ? ReplicaPosition.START : positions.get(positions.size() - 1);
    }

    @Override
    public void apply(byte[] batch, ReplicaPosition position) throws StoreException {
        if (position.index() <= position().index()) {
            throw new AssertionError("Expected a position after " + position() + ", but got " + position + ".");
        }
        try (RowBatch copy = copy(batch)) {
            rows.commit(copy);
        }
        batches.add(batch);
        positions.add(position);
    }

    private static RowBatch copy(byte[] batch) throws StoreException {
        RowBatch copy = new RowBatch();
        RowBatchReader reader = RowBatchReader.of(batch);
        while (reader.next()) {
            switch (reader.operation()) {
                case PUT -> copy.put(reader.table(), reader.key(), reader.argument());
                case DELETE -> copy.delete(reader.table(), reader.key());
                case DELETE_RANGE -> copy.deleteRange(reader.table(), reader.key(), reader.argument());
            }
        }
        return copy;
    }

    /** Returns this copy as a restart finds it. */
    InMemoryReplicaStore restarted() throws StoreException {
        InMemoryReplicaStore found = new InMemoryReplicaStore();
        for (int i = 0; i < flushed; i++) {
            found.apply(batches.get(i), positions.get(i));
        }
        found.flushed = flushed;
        return found;
    }

    /** Returns the batches in the order in which they took effect. */
    List<byte[]> batches() {
        return batches;
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) throws StoreException {
        return rows.get(table, key);
    }

    @Override
    public StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException {
        return rows.scan(table, from, to);
    }

    @Override
    public long flushedIndex() {
        return flushed == 0 ? 0 : positions.get(flushed - 1).index();
    }

    @Override
    public void flush() {
        flushed = batches.size();
    }

    @Override
    public boolean acceptsGrowth() {
        return rows.acceptsGrowth();
    }

    @Override
    public void check() throws StoreException {
        rows.check();
    }

    @Override
    public void close() {
        rows.close();
    }
}
