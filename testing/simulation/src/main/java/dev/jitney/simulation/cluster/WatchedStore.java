package dev.jitney.simulation.cluster;

import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import org.jspecify.annotations.Nullable;

/**
 * The store of a leader's broker, which reports each successful opening.
 *
 * @param store  the store of the product
 * @param opened is called when the store works again after a fault or a stop
 */
record WatchedStore(MessagingStore store, Runnable opened) implements MessagingStore {
    @Override
    public void commit(RowBatch batch) throws StoreException {
        store.commit(batch);
    }

    @Override
    public void afterCommit() {
        store.afterCommit();
    }

    @Override
    public void confirm() throws StoreException {
        store.confirm();
    }

    @Override
    public boolean isConfirmed() {
        return store.isConfirmed();
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) throws StoreException {
        return store.get(table, key);
    }

    @Override
    public StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException {
        return store.scan(table, from, to);
    }

    @Override
    public boolean acceptsGrowth() {
        return store.acceptsGrowth();
    }

    @Override
    public void check() throws StoreException {
        store.check();
    }

    @Override
    public void suspend() {
        store.suspend();
    }

    @Override
    public void reopen() throws StoreException {
        store.reopen();
        opened.run();
    }

    @Override
    public void close() {
        store.close();
    }
}
