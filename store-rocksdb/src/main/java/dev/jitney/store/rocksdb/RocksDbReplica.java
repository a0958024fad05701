package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.DeletedKeys;
import dev.jitney.runtime.store.DiskFigures;
import dev.jitney.runtime.store.ReplicaPosition;
import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.store.rocksdb.files.OwnerOnly;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * The copy of a messaging store on one node of a cluster, on RocksDB, in a directory of its own. {@link ReplicaPipeline}
 * has the path of a batch, {@link TablesSwap} the replacement of the tables.
 *
 * <p>One thread applies batches, others may read at the same time, as {@link ReplicaStore} specifies.
 */
public final class RocksDbReplica implements ReplicaStore {
    private final GuardedStore<ReplicaPipeline> store;
    private final Opener opener;

    private RocksDbReplica(GuardedStore<ReplicaPipeline> store, Opener opener) {
        this.store = store;
        this.opener = opener;
    }

    /**
     * Opens the replica in a directory, or creates an empty one.
     *
     * @throws StoreException {@code IN_USE} if this or another process has it open, {@code CORRUPT} if its data is
     *         damaged, was written by a newer version or belongs to a single node, {@code DISK_FULL} if there is no
     *         room even to open it
     */
    public static RocksDbReplica open(Path directory, RocksDbOptions options) throws StoreException {
        return open(directory, options, true, step -> {});
    }

    /**
     * Opens the replica in a directory that must contain one.
     *
     * @throws StoreException as {@link #open}, and {@code CORRUPT} if there is none
     */
    public static RocksDbReplica openExisting(Path directory, RocksDbOptions options) throws StoreException {
        return open(directory, options, false, step -> {});
    }

    /**
     * Opens a replica.
     *
     * @param make  whether to create a replica if there is none
     * @param steps receives each change that a replacement of the tables makes on disk, after the change
     */
    static RocksDbReplica open(Path directory, RocksDbOptions options, boolean make, Consumer<TablesSwap.Step> steps)
            throws StoreException {
        Path home = directory.toAbsolutePath().normalize();
        Opener opener = new Opener(new TablesSwap(home, steps));
        return new RocksDbReplica(GuardedStore.open(home, options, make, opener), opener);
    }

    /** Returns the absolute directory of this replica. */
    public Path directory() {
        return store.directory();
    }

    @Override
    public ReplicaPosition position() {
        ReplicaPipeline last = opener.opened;
        return last == null ? ReplicaPosition.START : last.position();
    }

    @Override
    public void apply(byte[] batch, int length, ReplicaPosition position) throws StoreException {
        // First, because a call that failed may have added its batch, and then the position must not be compared.
        store.check();
        if (position.index() <= position().index()) {
            throw new IllegalArgumentException(
                    "Expected a position after index " + position().index() + ", but got " + position + ".");
        }
        store.write(pipeline -> {
            DeletedKeys deleted = new DeletedKeys();
            pipeline.apply(batch, length, position, deleted);
            store.written(length, deleted);
        });
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) throws StoreException {
        store.requireNoFailure();
        return store.get(table, key);
    }

    @Override
    public StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException {
        store.requireNoFailure();
        return store.scan(table, from, to);
    }

    /**
     * {@inheritDoc}
     *
     * <p>No batch is added meanwhile, so RocksDB has exactly the rows of the last one when the latest ones have left the heap.
     */
    @Override
    public StoreCursor snapshot(Table table) throws StoreException {
        store.requireNoFailure();
        return store.snapshot(table);
    }

    @Override
    public long flushedIndex() throws StoreException {
        return store.withPath("to read the position of", ReplicaPipeline::flushedIndex);
    }

    @Override
    public void flush() throws StoreException {
        store.withPath("to flush", pipeline -> {
            pipeline.tables().flush();
            return true;
        });
    }

    /**
     * {@inheritDoc}
     *
     * <p>Only for a moment at its end, batches and reads wait.
     */
    @Override
    public ReplicaPosition checkpoint(Path directory) throws StoreException {
        Path target = directory.toAbsolutePath().normalize();
        ReplicaPosition position = store.withPath("to write a checkpoint of", pipeline -> {
            if (target.getParent() != null) {
                OwnerOnly.createDirectories(target.getParent());
            }
            return pipeline.checkpoint(target);
        });
        OwnerOnly.tighten(target);
        return position;
    }

    @Override
    public boolean replaceBy(Path directory) throws StoreException {
        Path incoming = directory.toAbsolutePath().normalize();
        store.requireNoFailure();
        if (!IncomingCheckpoint.isReady(incoming, store.directory(), position())) {
            return false;
        }
        store.replaceFiles(() -> {
            opener.swap.begin(incoming);
            opener.swap.complete();
        });
        return true;
    }

    @Override
    public void reopen() throws StoreException {
        store.reopen();
    }

    /**
     * {@inheritDoc}
     *
     * <p>In this method a store that is short of space also notices that there is room again, or starts to reclaim
     * the space of deleted messages. So call it from time to time.
     */
    @Override
    public boolean acceptsGrowth() {
        return store.acceptsGrowth();
    }

    @Override
    public @Nullable DiskFigures disk() {
        return store.disk();
    }

    @Override
    public void check() throws StoreException {
        store.check();
    }

    /** Writes all batches to table files, and closes the replica. */
    @Override
    public void close() {
        store.close();
    }

    /** Opens the pipeline each time when the database is opened. */
    private static final class Opener implements GuardedStore.Opening<ReplicaPipeline> {
        private final TablesSwap swap;
        /** The last opened pipeline; its position stays valid while the database is closed. */
        private volatile @Nullable ReplicaPipeline opened;

        Opener(TablesSwap swap) {
            this.swap = swap;
        }

        @Override
        public boolean isInterrupted(Path directory) {
            return swap.isInterrupted();
        }

        @Override
        public void complete(Path directory) throws IOException {
            swap.complete();
        }

        @Override
        public ReplicaPipeline open(Database database, Path directory, Sizing sizing, DurabilityMarker marker)
                throws StoreException, RocksDBException {
            ReplicaPipeline pipeline = ReplicaPipeline.open(database, directory, sizing, marker);
            swap.end();
            opened = pipeline;
            return pipeline;
        }
    }
}
