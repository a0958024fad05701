package dev.jitney.server.backup;

import dev.jitney.runtime.store.StoreException;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import dev.jitney.store.rocksdb.StoreBackup;
import java.nio.file.Path;

/** The copy of the store of a single node: a checkpoint, and the commits behind it. */
final class SingleNodeCopy implements StoreCopy {
    private final StoreBackup backup;

    SingleNodeCopy(RocksDbMessagingStore store, Path work) throws StoreException {
        backup = store.beginBackup(work);
    }

    @Override
    public void cut() throws StoreException {
        backup.cut();
    }

    @Override
    public void finish() throws StoreException {
        backup.finish();
    }

    @Override
    public long log() {
        return backup.log();
    }

    @Override
    public long lastCommit() {
        return backup.lastCommit();
    }

    @Override
    public void close() {
        backup.close();
    }
}
