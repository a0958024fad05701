package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.DiskFigures;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.store.rocksdb.log.CommitFeed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * The messaging store of a single node on RocksDB, in a directory of its own.
 *
 * <p>One thread commits, others may read at the same time, as {@link MessagingStore} specifies. Use of the store
 * after {@link #close}, or before a required {@link #reopen}, throws a {@link StoreException}.
 *
 * <p>In addition to the files of {@link GuardedStore}, the directory contains {@code log}, see {@link CommitPipeline}.
 */
public final class RocksDbMessagingStore implements MessagingStore {
    private final GuardedStore<CommitPipeline> store;

    private final CommitFeed feed;

    private RocksDbMessagingStore(GuardedStore<CommitPipeline> store, CommitFeed feed) {
        this.store = store;
        this.feed = feed;
    }

    /**
     * Opens the store in a directory, or creates a new one that survives a power failure from this moment on.
     *
     * @throws StoreException {@code IN_USE} if this or another process has it open, {@code CORRUPT} if its data is
     *         damaged, was written by a newer version or belongs to a cluster, {@code DISK_FULL} if there is no room
     *         even to open it
     */
    public static RocksDbMessagingStore open(Path directory, RocksDbOptions options) throws StoreException {
        return open(directory, options, true, step -> {});
    }

    /**
     * Opens the store in a directory that must contain one.
     *
     * @throws StoreException as {@link #open}, and {@code CORRUPT} if there is none
     */
    public static RocksDbMessagingStore openExisting(Path directory, RocksDbOptions options) throws StoreException {
        return open(directory, options, false, step -> {});
    }

    /**
     * Opens a store.
     *
     * @param make  whether to create a store if there is none
     * @param steps receives each change that the opening makes on disk, after the change
     */
    static RocksDbMessagingStore open(Path directory, RocksDbOptions options, boolean make, Consumer<OpeningStep> steps)
            throws StoreException {
        CommitFeed feed = new CommitFeed();
        return new RocksDbMessagingStore(
                GuardedStore.open(
                        directory,
                        options,
                        make,
                        (database, home, sizing, marker) -> openPipeline(database, home, sizing, marker, feed, steps)),
                feed);
    }

    static CommitPipeline openPipeline(
            Database database,
            Path directory,
            Sizing sizing,
            DurabilityMarker marker,
            CommitFeed feed,
            Consumer<OpeningStep> steps)
            throws StoreException, RocksDBException, IOException {
        Path log = directory.resolve("log");
        int version = StoreFormat.read(database, directory);
        PositionRow.LOG.require(database, directory);
        if (version == StoreFormat.VERSION_WITH_OLD_LOG) {
            FormatTwoLog.takeOver(database, log, sizing, marker, steps);
        }
        CommitPipeline opened = CommitPipeline.open(database, log, sizing, marker, feed);
        try {
            steps.accept(OpeningStep.LOG_OPENED);
            if (opened.isNew()) {
                opened.append(StoreFormat.batch());
                steps.accept(OpeningStep.FORMAT_APPENDED);
                opened.flush();
                steps.accept(OpeningStep.FORMAT_FLUSHED);
            }
            return opened;
        } catch (RocksDBException | IOException | RuntimeException | Error e) {
            try {
                opened.close();
            } catch (IOException other) {
                e.addSuppressed(other);
            }
            throw e;
        }
    }

    /** Returns the absolute directory of this store. */
    public Path directory() {
        return store.directory();
    }

    /** Returns the free bytes below which no growth is accepted. */
    public long reserveBytes() {
        return store.reserveBytes();
    }

    /**
     * Begins a backup of this store while it is in use: writes a checkpoint of the tables into a directory. Any thread except the
     * committing one may call it. It takes as long as a flush of the tables, and commits continue meanwhile. One backup at a time.
     *
     * @param directory the new directory of the copy, on the file system of the store
     * @throws StoreException if the store is not open or has failed, or the copy cannot be written
     */
    public StoreBackup beginBackup(Path directory) throws StoreException {
        return StoreBackup.begin(store, directory);
    }

    /** Returns the commits of this store for a reader, such as an archive. Any thread may call it. */
    public CommitFeed feed() {
        return feed;
    }

    @Override
    public void commit(RowBatch rows) throws StoreException {
        store.write(pipeline -> {
            if (!rows.isEmpty()) {
                pipeline.append(rows);
                store.written(rows.sizeBytes(), rows.deleted());
            }
        });
    }

    @Override
    public void afterCommit() {
        store.afterWrite(CommitPipeline::index);
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) throws StoreException {
        return store.get(table, key);
    }

    @Override
    public StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException {
        return store.scan(table, from, to);
    }

    /**
     * {@inheritDoc}
     *
     * <p>In this method a store that is short of space also notices that there is room again, or starts to reclaim
     * the space of deleted messages. So call it from time to time even if there is nothing to send.
     */
    @Override
    public boolean acceptsGrowth() {
        return store.acceptsGrowth();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Null while the database is closed or closing.
     */
    @Override
    public @Nullable DiskFigures disk() {
        return store.disk();
    }

    @Override
    public void check() throws StoreException {
        store.check();
    }

    /**
     * {@inheritDoc}
     *
     * <p>If the directory is already missing, files stay open until it is back.
     */
    @Override
    public void suspend() {
        store.suspend();
    }

    @Override
    public void reopen() throws StoreException {
        store.reopen();
    }

    @Override
    public void close() {
        store.close();
    }
}
