package dev.jitney.cluster;

import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.ReplicaPosition;
import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.RowBatchReader;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A copy of a store in memory. A {@linkplain #restarted restart} loses everything that was not flushed. Thread-safe. */
public final class InMemoryReplicaStore implements ReplicaStore {
    private static final String FILE = "batches";

    private final List<byte[]> batches = new ArrayList<>();
    private final List<ReplicaPosition> positions = new ArrayList<>();
    private InMemoryMessagingStore rows = new InMemoryMessagingStore();
    private int flushed;
    private boolean fails;
    private int reopens;

    @Override
    public synchronized ReplicaPosition position() {
        return positions.isEmpty() ? ReplicaPosition.START : positions.get(positions.size() - 1);
    }

    @Override
    public synchronized void apply(byte[] batch, ReplicaPosition position) throws StoreException {
        if (fails) {
            throw new StoreException(StoreException.Reason.IO, "The disk of the test fails.");
        }
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
    public synchronized InMemoryReplicaStore restarted() throws StoreException {
        InMemoryReplicaStore found = new InMemoryReplicaStore();
        for (int i = 0; i < flushed; i++) {
            found.apply(batches.get(i), positions.get(i));
        }
        found.flushed = flushed;
        return found;
    }

    /** Makes all further batches fail, until the store is opened again. */
    public synchronized void fail() {
        fails = true;
    }

    /** Returns how often the store was opened again. */
    public synchronized int reopens() {
        return reopens;
    }

    /** Returns the batches in the order in which they took effect. */
    public synchronized List<byte[]> batches() {
        return List.copyOf(batches);
    }

    @Override
    public synchronized byte @Nullable [] get(Table table, byte[] key) throws StoreException {
        return rows.get(table, key);
    }

    @Override
    public synchronized StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException {
        return rows.scan(table, from, to);
    }

    @Override
    public synchronized long flushedIndex() {
        return flushed == 0 ? 0 : positions.get(flushed - 1).index();
    }

    @Override
    public synchronized void flush() {
        flushed = batches.size();
    }

    @Override
    public synchronized boolean acceptsGrowth() {
        return rows.acceptsGrowth();
    }

    @Override
    public synchronized void check() throws StoreException {
        rows.check();
    }

    @Override
    public synchronized ReplicaPosition checkpoint(Path directory) throws StoreException {
        flush();
        try {
            Files.createDirectory(directory);
            try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(directory.resolve(FILE)))) {
                for (int i = 0; i < batches.size(); i++) {
                    out.writeInt(batches.get(i).length);
                    out.write(batches.get(i));
                    out.write(positions.get(i).encoded());
                }
            }
        } catch (IOException e) {
            throw new StoreException(StoreException.Reason.IO, "Could not write a checkpoint.", e);
        }
        return position();
    }

    @Override
    public synchronized void replaceBy(Path directory) throws StoreException {
        clear();
        Path file = directory.resolve(FILE);
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
            int positionBytes = ReplicaPosition.START.encoded().length;
            while (in.available() > 0) {
                byte[] batch = in.readNBytes(in.readInt());
                apply(batch, Objects.requireNonNull(ReplicaPosition.decode(in.readNBytes(positionBytes))));
            }
            flush();
            Files.delete(file);
            Files.delete(directory);
        } catch (IOException e) {
            throw new StoreException(StoreException.Reason.IO, "Could not read a checkpoint.", e);
        }
    }

    private void clear() {
        batches.clear();
        positions.clear();
        rows = new InMemoryMessagingStore();
        flushed = 0;
    }

    @Override
    public synchronized void reopen() throws StoreException {
        InMemoryReplicaStore found = restarted();
        clear();
        batches.addAll(found.batches);
        positions.addAll(found.positions);
        rows = found.rows;
        flushed = found.flushed;
        fails = false;
        reopens++;
    }

    @Override
    public void close() {
        // The content is the disk: a restart finds it.
    }
}
