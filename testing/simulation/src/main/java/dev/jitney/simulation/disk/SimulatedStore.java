package dev.jitney.simulation.disk;

import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
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
        byte[] value = disk.tables().rows(table).get(key);
        return value == null ? null : value.clone();
    }

    @Override
    public synchronized StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException {
        check();
        disk.read();
        int openedIn = era;
        return new TablesCursor(disk.tables(), table, from.clone(), to.clone(), () -> check(openedIn));
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

    private synchronized void check(int openedIn) throws StoreException {
        check();
        if (openedIn != era) {
            throw new StoreException(StoreException.Reason.IO, "Expected an open cursor, but it is closed");
        }
    }
}
