package dev.jitney.simulation.disk;

import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.StoreBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** The messaging store of one process on a {@link SimulatedDisk}; the next process opens another one on the same disk. */
public final class SimulatedStore implements MessagingStore {
    private static final byte[] NOTHING = {};

    private final SimulatedDisk disk;
    private boolean closed;
    private boolean failed;
    private boolean suspended;

    /** Counts up when open cursors end. */
    private int era;

    public SimulatedStore(SimulatedDisk disk) {
        this.disk = disk;
    }

    @Override
    public StoreBatch newBatch() {
        return new Batch();
    }

    @Override
    public synchronized void commit(StoreBatch batch) throws StoreException {
        check();
        if (failed) {
            throw new StoreException(StoreException.Reason.IO, "Expected reopen() after the failure");
        }
        Batch filled = (Batch) batch;
        filled.requireOpen();
        try {
            disk.write(filled.writes, filled.sizeBytes);
        } catch (StoreException e) {
            failed = true;
            throw e;
        } finally {
            filled.writes = new ArrayList<>(); // the disk has those now
        }
    }

    @Override
    public synchronized byte @Nullable [] get(Table table, byte[] key) throws StoreException {
        check();
        disk.read();
        byte[] value = disk.rows(table).get(key);
        return value == null ? null : value.clone();
    }

    @Override
    public synchronized StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException {
        check();
        disk.read();
        return new Cursor(table, from.clone(), to.clone());
    }

    @Override
    public synchronized boolean acceptsGrowth() {
        return !closed && disk.acceptsGrowth();
    }

    @Override
    public synchronized void check() throws StoreException {
        if (closed || suspended) {
            throw new StoreException(StoreException.Reason.IO, "Expected an open store, but it is closed or suspended");
        }
    }

    @Override
    public synchronized void suspend() {
        suspended = true;
        era++;
    }

    @Override
    public synchronized void reopen() throws StoreException {
        if (closed) {
            throw new StoreException(StoreException.Reason.IO, "Expected an open store, but it is closed");
        }
        era++;
        disk.open();
        failed = false;
        suspended = false;
    }

    @Override
    public synchronized void close() {
        closed = true;
        era++;
    }

    private static final class Batch implements StoreBatch {
        private List<Write> writes = new ArrayList<>();
        private long sizeBytes;
        private boolean closed;

        @Override
        public void put(Table table, byte[] key, byte[] value) {
            add(new Write(Write.Kind.PUT, table, key, value));
        }

        @Override
        public void delete(Table table, byte[] key) {
            add(new Write(Write.Kind.DELETE, table, key, NOTHING));
        }

        @Override
        public void deleteRange(Table table, byte[] from, byte[] to) {
            if (Arrays.compareUnsigned(from, to) > 0) {
                throw new IllegalArgumentException("Expected a range that ends after its start.");
            }
            add(new Write(Write.Kind.DELETE_RANGE, table, from, to));
        }

        private void add(Write write) {
            requireOpen();
            writes.add(write);
            sizeBytes += write.sizeBytes();
        }

        @Override
        public boolean isEmpty() {
            return writes.isEmpty();
        }

        @Override
        public long sizeBytes() {
            return sizeBytes;
        }

        @Override
        public void clear() {
            requireOpen();
            writes.clear();
            sizeBytes = 0;
        }

        @Override
        public void close() {
            closed = true;
        }

        private void requireOpen() {
            if (closed) {
                throw new IllegalStateException("Expected an open batch, but it is closed");
            }
        }
    }

    /** Looks again where it was after each commit, so it sees what is committed while it walks, as the port allows. */
    private final class Cursor implements StoreCursor {
        private final NavigableMap<byte[], byte[]> rows;
        private final byte[] to;
        private final int openedIn = era;
        private byte[] from;
        private boolean inclusive = true;
        private boolean ended;
        private Iterator<Map.Entry<byte[], byte[]>> ahead = Collections.emptyIterator();
        private long writes = -1;
        private byte @Nullable [] value;

        Cursor(Table table, byte[] from, byte[] to) {
            this.rows = disk.rows(table);
            this.from = from;
            this.to = to;
        }

        @Override
        public boolean next() throws StoreException {
            synchronized (SimulatedStore.this) {
                check();
                if (ended || openedIn != era) {
                    throw new StoreException(StoreException.Reason.IO, "Expected an open cursor, but it is closed");
                }
                if (writes != disk.writes()) {
                    writes = disk.writes();
                    ahead = rows.tailMap(from, inclusive).entrySet().iterator();
                }
                value = null;
                if (ahead.hasNext()) {
                    Map.Entry<byte[], byte[]> row = ahead.next();
                    if (Arrays.compareUnsigned(row.getKey(), to) < 0) {
                        from = row.getKey();
                        inclusive = false;
                        value = row.getValue();
                    }
                }
                return value != null;
            }
        }

        @Override
        public byte[] key() {
            current();
            return from.clone();
        }

        @Override
        public byte[] value() {
            return current().clone();
        }

        private byte[] current() {
            if (value == null) {
                throw new IllegalStateException("Expected a current row, but next() did not answer true");
            }
            return value;
        }

        @Override
        public void close() {
            ended = true;
        }
    }
}
