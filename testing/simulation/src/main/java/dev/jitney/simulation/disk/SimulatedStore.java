package dev.jitney.simulation.disk;

import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** The messaging store of one process on a {@link SimulatedDisk}. The next process opens another store on the same disk. */
public final class SimulatedStore implements MessagingStore {
    private final SimulatedDisk disk;
    private boolean closed;
    private boolean failed;
    private boolean suspended;

    /** The number of times that all open cursors were closed. */
    private int era;

    public SimulatedStore(SimulatedDisk disk) {
        this.disk = disk;
    }

    @Override
    public synchronized void commit(RowBatch batch) throws StoreException {
        check();
        if (failed) {
            throw new StoreException(
                    StoreException.Reason.IO, "Expected reopen() after the failure, but another method was called");
        }
        byte[] encoded = batch.encoded();
        try {
            disk.write(encoded);
        } catch (StoreException e) {
            failed = true;
            throw e;
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

    /**
     * A cursor that searches its position again after each commit. It sees rows that are committed during the scan, as
     * the port allows.
     */
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
                throw new IllegalStateException("Expected a current row, but next() did not return true");
            }
            return value;
        }

        @Override
        public void close() {
            ended = true;
        }
    }
}
