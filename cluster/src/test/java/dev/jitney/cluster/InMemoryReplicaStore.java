package dev.jitney.cluster;

import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.ReplicaPosition;
import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.RowBatchReader;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a store in memory. A {@linkplain #restarted restart} loses everything that was not flushed. A checkpoint is a
 * directory with one file that contains all batches. Thread-safe.
 */
public final class InMemoryReplicaStore implements ReplicaStore {
    private static final byte[] BEHIND_ALL = {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF};

    private static final String FILE = "batches";

    private final List<byte[]> batches = new ArrayList<>();
    private final List<ReplicaPosition> positions = new ArrayList<>();
    private InMemoryMessagingStore rows = new InMemoryMessagingStore();
    private int flushed;
    private boolean closed;
    private boolean fails;
    private int reopens;
    private @Nullable StoreException failure;

    @Override
    public synchronized ReplicaPosition position() {
        return positions.isEmpty() ? ReplicaPosition.START : positions.get(positions.size() - 1);
    }

    @Override
    public synchronized void apply(byte[] batch, int length, ReplicaPosition position) throws StoreException {
        if (position.index() <= position().index()) {
            throw new IllegalArgumentException(
                    "Expected a position after " + position() + ", but got " + position + ".");
        }
        check();
        try {
            if (fails) {
                throw new StoreException(StoreException.Reason.IO, "The disk of the test fails.");
            }
            add(Arrays.copyOf(batch, length), position);
        } catch (StoreException e) {
            failure = e;
            throw e;
        }
    }

    private void add(byte[] batch, ReplicaPosition position) throws StoreException {
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
        found.fill(List.copyOf(batches.subList(0, flushed)), List.copyOf(positions.subList(0, flushed)));
        return found;
    }

    /** Returns the batches in the order in which they took effect. */
    public synchronized List<byte[]> batches() {
        return List.copyOf(batches);
    }

    /** Makes all further batches fail, until the store is opened again. */
    public synchronized void fail() {
        fails = true;
    }

    /** Returns how often the store was opened again. */
    public synchronized int reopens() {
        return reopens;
    }

    private void fill(List<byte[]> otherBatches, List<ReplicaPosition> otherPositions) throws StoreException {
        rows.close();
        rows = new InMemoryMessagingStore();
        batches.clear();
        positions.clear();
        for (int i = 0; i < otherBatches.size(); i++) {
            add(otherBatches.get(i), otherPositions.get(i));
        }
        flushed = batches.size();
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) throws StoreException {
        return open().get(table, key);
    }

    @Override
    public StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException {
        return open().scan(table, from, to);
    }

    @Override
    public synchronized StoreCursor snapshot(Table table) throws StoreException {
        // The cursor of the store in memory would see later rows.
        List<byte[]> copied = new ArrayList<>();
        try (StoreCursor cursor = scan(table, new byte[0], BEHIND_ALL)) {
            while (cursor.next()) {
                copied.add(cursor.key());
                copied.add(cursor.value());
            }
        }
        return new Copy(copied);
    }

    /** Changes a row behind the back of the cluster. */
    public synchronized void alter(Table table, byte[] key, byte[] value) throws StoreException {
        try (RowBatch batch = new RowBatch()) {
            batch.put(table, key, value);
            rows.commit(batch);
        }
    }

    /** A cursor over keys and values, one after the other. */
    private static final class Copy implements StoreCursor {
        private final List<byte[]> rows;
        private int at = -2;

        Copy(List<byte[]> rows) {
            this.rows = rows;
        }

        @Override
        public boolean next() {
            at += 2;
            return at < rows.size();
        }

        @Override
        public byte[] key() {
            return rows.get(at);
        }

        @Override
        public byte[] value() {
            return rows.get(at + 1);
        }

        @Override
        public void close() {}
    }

    private synchronized InMemoryMessagingStore open() throws StoreException {
        check();
        return rows;
    }

    @Override
    public synchronized long flushedIndex() throws StoreException {
        check();
        return flushed == 0 ? 0 : positions.get(flushed - 1).index();
    }

    @Override
    public synchronized void flush() throws StoreException {
        check();
        flushed = batches.size();
    }

    @Override
    public synchronized ReplicaPosition checkpoint(Path directory) throws StoreException {
        check();
        flush();
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(content)) {
            out.writeInt(batches.size());
            for (int i = 0; i < batches.size(); i++) {
                byte[] position = positions.get(i).encoded();
                out.writeInt(position.length);
                out.write(position);
                out.writeInt(batches.get(i).length);
                out.write(batches.get(i));
            }
            Path parent = directory.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.createDirectory(directory);
            Files.write(directory.resolve(FILE), content.toByteArray());
        } catch (IOException e) {
            throw new StoreException(StoreException.Reason.IO, "Failed to write a checkpoint: " + e, e);
        }
        return position();
    }

    @Override
    public synchronized boolean replaceBy(Path directory) throws StoreException {
        check();
        List<byte[]> otherBatches = new ArrayList<>();
        List<ReplicaPosition> otherPositions = new ArrayList<>();
        try {
            byte[] content = Files.readAllBytes(directory.resolve(FILE));
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
            for (int left = in.readInt(); left > 0; left--) {
                ReplicaPosition position = ReplicaPosition.decode(bytes(in));
                if (position == null) {
                    throw new IOException("Expected a position");
                }
                otherPositions.add(position);
                otherBatches.add(bytes(in));
            }
            long end = otherPositions.isEmpty()
                    ? 0
                    : otherPositions.get(otherPositions.size() - 1).index();
            if (end < position().index()) {
                return false;
            }
            Files.delete(directory.resolve(FILE));
            Files.delete(directory);
        } catch (IOException e) {
            throw new StoreException(StoreException.Reason.CORRUPT, "Failed to read a checkpoint: " + e, e);
        }
        fill(otherBatches, otherPositions);
        return true;
    }

    private static byte[] bytes(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }

    @Override
    public synchronized void reopen() throws StoreException {
        if (closed) {
            check();
        }
        failure = null;
        fails = false;
        reopens++;
        fill(List.copyOf(batches.subList(0, flushed)), List.copyOf(positions.subList(0, flushed)));
    }

    @Override
    public synchronized boolean acceptsGrowth() {
        return !closed && failure == null && rows.acceptsGrowth();
    }

    @Override
    public synchronized void check() throws StoreException {
        if (closed) {
            throw new StoreException(StoreException.Reason.IO, "Expected an open store, but it is closed");
        }
        if (failure != null) {
            throw failure;
        }
        rows.check();
    }

    @Override
    public synchronized void close() {
        closed = true;
        flushed = failure == null ? batches.size() : flushed;
        rows.close();
    }
}
