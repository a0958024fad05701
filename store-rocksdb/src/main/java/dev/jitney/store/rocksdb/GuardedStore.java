package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.DeletedKeys;
import dev.jitney.runtime.store.DiskFigures;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.store.rocksdb.files.DatabaseFiles;
import dev.jitney.store.rocksdb.files.DirectoryLock;
import dev.jitney.store.rocksdb.files.OwnerOnly;
import dev.jitney.store.rocksdb.log.FileCommitLog;
import dev.jitney.store.rocksdb.space.DiskSpace;
import dev.jitney.store.rocksdb.space.SpaceReclaimer;
import dev.jitney.store.rocksdb.space.TableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.RocksDBException;

/**
 * The directory of a store with its database: what the store of a single node and a replica share. It opens and closes the
 * database, reads from it, and watches over the directory and its disk.
 *
 * <p>One thread writes, others may read at the same time. Use of the store after {@link #close}, or before a required
 * {@link #reopen}, throws a {@link StoreException} and never accesses freed memory: every use of the database holds a
 * read lock, closing it the write lock.
 *
 * <p>The directory contains {@code jitney.lock}, locked while the store is open, and {@code db}, the files of RocksDB.
 * Another file identifies the store: see {@link StoreHome}.
 *
 * @param <W> the path of batches into the tables
 */
final class GuardedStore<W extends WritePath> {
    /** The maximum free space that an attempt to open requires for its own small files. */
    private static final long OPENING_BYTES_MAX = 8 << 20;

    private final Path directory;
    private final RocksDbOptions options;
    private final Sizing sizing;
    private final DirectoryLock directoryLock;
    private final StoreHome home;
    private final DiskSpace space;
    private final DurabilityMarker marker;
    private final DatabaseFiles databaseFiles;
    private final Opening<W> opening;

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    /** Guarded by itself; cursors open and close under the read lock. */
    private final Set<RocksDbCursor> cursors = new HashSet<>();

    // Written under the write lock.
    private @Nullable Database database;
    private @Nullable W path;
    private @Nullable SpaceReclaimer reclaimer;
    private volatile boolean closed;
    private volatile boolean suspended;

    /** The failure of the last commit or reopening; no commits until it is null again. */
    private volatile @Nullable StoreException failure;

    private GuardedStore(
            Path directory, RocksDbOptions options, Sizing sizing, DirectoryLock directoryLock, Opening<W> opening)
            throws IOException {
        this.opening = opening;
        this.directory = directory;
        this.options = options;
        this.sizing = sizing;
        this.directoryLock = directoryLock;
        home = StoreHome.of(directory, directoryLock, options.spaceCheckIntervalMs());
        marker = new DurabilityMarker(directory);
        databaseFiles = new DatabaseFiles(directory.resolve("db"));
        space = DiskSpace.of(directory, this::owedBytes, sizing.reserveBytes(), options.spaceCheckIntervalMs());
    }

    /**
     * Opens a store.
     *
     * @param make    whether to create a store if there is none
     * @param opening opens the path of batches into the tables
     * @throws StoreException {@code IN_USE} if this or another process has it open, {@code CORRUPT} if its data is
     *         damaged, was written by a newer version or is missing, {@code DISK_FULL} if there is no room even to
     *         open it
     */
    static <W extends WritePath> GuardedStore<W> open(
            Path directory, RocksDbOptions options, boolean make, Opening<W> opening) throws StoreException {
        Path absolute = directory.toAbsolutePath().normalize();
        DirectoryLock directoryLock = null;
        try {
            if (make) {
                createDurably(absolute);
            } else if (!opening.isInterrupted(absolute)) {
                StoreHome.requireDatabase(absolute, StoreException.Reason.CORRUPT);
            }
            directoryLock = DirectoryLock.acquire(absolute);
            opening.complete(absolute);
            if (make) {
                createDurably(absolute.resolve("db"));
            }
            OwnerOnly.tighten(absolute.toRealPath());
            Sizing sizing = Sizing.of(options, Files.getFileStore(absolute).getTotalSpace());
            GuardedStore<W> store = new GuardedStore<>(absolute, options, sizing, directoryLock, opening);
            store.openDatabase(make);
            // The lock file's name must survive a power failure, too.
            FileCommitLog.sync(absolute);
            return store;
        } catch (IOException e) {
            release(directoryLock);
            throw new StoreException(
                    StoreException.Reason.IO, "Failed to open the messaging store in " + absolute + ": " + e, e);
        } catch (StoreException | RuntimeException | Error e) {
            release(directoryLock);
            throw e;
        }
    }

    /** Returns the absolute directory of this store. */
    Path directory() {
        return directory;
    }

    /** Returns the free bytes below which no growth is accepted. */
    long reserveBytes() {
        return sizing.reserveBytes();
    }

    /** Passes a batch to the write path, unless an earlier one has failed. */
    void write(Write<W> write) throws StoreException {
        lock.readLock().lock();
        try {
            requireOpen();
            requireNoFailure();
            pass(write);
        } finally {
            lock.readLock().unlock();
        }
    }

    private void pass(Write<W> write) throws StoreException {
        try {
            write.to(requirePath());
        } catch (StoreException e) {
            throw failed(e);
        } catch (RocksDBException | IOException e) {
            throw failed(Faults.of("to commit to the messaging store in " + directory, e));
        }
    }

    /** Throws if an earlier write or reopening has failed. */
    void requireNoFailure() throws StoreException {
        StoreException before = failure;
        if (before != null) {
            throw new StoreException(
                    before.reason(), "Expected reopen() after a failed commit: " + before.getMessage(), before);
        }
    }

    /** Counts a batch that {@link #write} has written. */
    void written(long bytes, DeletedKeys deleted) {
        space.written(bytes);
        if (reclaimer != null) {
            reclaimer.deleted(deleted);
        }
    }

    /** Does the remaining work of a batch, if none has failed. */
    void afterWrite(AfterWrite<W> work) {
        lock.readLock().lock();
        try {
            if (failure == null && path != null) {
                work.on(path);
            }
        } finally {
            lock.readLock().unlock();
        }
    }

    private StoreException failed(StoreException why) {
        failure = why;
        return why;
    }

    byte @Nullable [] get(Table table, byte[] key) throws StoreException {
        return guarded(db -> requirePath().tables().get(table, key));
    }

    StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException {
        return open(db -> new RocksDbCursor(this, db, table, from, to));
    }

    /** Returns a cursor over all rows of a table, as of the last batch if none is added meanwhile. */
    StoreCursor snapshot(Table table) throws StoreException {
        return open(db -> new RocksDbCursor(this, db, table));
    }

    private StoreCursor open(Use<RocksDbCursor> opening) throws StoreException {
        return guarded(db -> {
            requirePath().tables().spill();
            RocksDbCursor cursor = opening.of(db);
            synchronized (cursors) {
                cursors.add(cursor);
            }
            return cursor;
        });
    }

    /**
     * Returns whether there is room for more messages. In this method a store that is short of space also notices that
     * there is room again, or starts to reclaim the space of deleted messages.
     */
    boolean acceptsGrowth() {
        if (closed || failure != null) {
            return false;
        }
        boolean room = space.hasRoom();
        if (!room && lock.readLock().tryLock()) {
            try {
                if (reclaimer != null) {
                    reclaimer.wanted();
                }
            } finally {
                lock.readLock().unlock();
            }
        }
        return room;
    }

    /** Returns the disk usage; null while the database is closed or closing. */
    @Nullable
    DiskFigures disk() {
        if (closed || !lock.readLock().tryLock()) {
            return null;
        }
        try {
            if (database == null || path == null || suspended) {
                return null;
            }
            return new DiskFigures(
                    space.lastUsableBytes(), database.tableFileBytes(), path.logBytes(), space.bytesUntilFull());
        } catch (RocksDBException e) {
            return null;
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Detects faults that writes would not detect in time; a store with one refuses writes until {@link #reopen}. */
    void check() throws StoreException {
        if (closed) {
            throw Faults.closed(directory);
        }
        StoreException before = failure;
        if (before != null) {
            throw before;
        }
        // While the files are being replaced, they are not where the check expects them.
        if (home.isCheckDue() && lock.readLock().tryLock()) {
            try {
                home.check();
                takeNote();
                databaseFiles.tighten();
                requireNoBackgroundErrors();
            } catch (StoreException e) {
                failure = e;
                throw e;
            } finally {
                lock.readLock().unlock();
            }
        }
    }

    /**
     * Closes files and releases locks until {@link #reopen}. If the directory is already missing, files stay open until
     * it is back.
     */
    void suspend() {
        lock.writeLock().lock();
        try {
            if (!closed) {
                takeNote();
                suspended = true;
                failure = new StoreException(
                        StoreException.Reason.IO, "The messaging store in " + directory + " is suspended");
                if (home.isThere()) {
                    closeDatabase();
                    directoryLock.close();
                }
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Opens the same store again after a failure or {@link #suspend}. */
    void reopen() throws StoreException {
        lock.writeLock().lock();
        try {
            if (closed) {
                throw Faults.closed(directory);
            }
            completeChange();
            // Check first: closing the database writes to its path, which may contain other files by now.
            home.checkWholly(database != null);
            closeDatabase();
            long needed = Math.min(OPENING_BYTES_MAX, sizing.reserveBytes() / 8);
            long usable = space.usableBytes();
            if (usable < needed) {
                throw new StoreException(
                        StoreException.Reason.DISK_FULL,
                        "Expected at least " + needed + " bytes of free space in " + directory + ", but there are "
                                + usable + ". Make room; Jitney then opens the store automatically.");
            }
            openDatabase(false);
            failure = null;
            suspended = false;
        } catch (StoreException e) {
            failure = e;
            throw e;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Completes a change of the files that has failed half-way. */
    private void completeChange() throws StoreException {
        try {
            if (database == null && directoryLock.isSameFile()) {
                opening.complete(directory);
            }
        } catch (IOException e) {
            throw Faults.of("to replace the files of the messaging store in " + directory, e);
        }
    }

    /** Closes the database, changes its files, and opens it again. After a failure, {@link #reopen} is required. */
    void replaceFiles(Change change) throws StoreException {
        lock.writeLock().lock();
        try {
            requireOpen();
            requireNoFailure();
            home.checkWholly(true);
            closeDatabase();
            change.run();
            openDatabase(false);
        } catch (StoreException e) {
            throw failed(e);
        } catch (IOException | RuntimeException e) {
            throw failed(Faults.of("to replace the files of the messaging store in " + directory, e));
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Closes the store for good. */
    void close() {
        lock.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                try {
                    finishWrites();
                    closeDatabase();
                } finally {
                    directoryLock.close();
                }
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Runs an operation on the database while it cannot be closed. */
    <T extends @Nullable Object> T guarded(Use<T> use) throws StoreException {
        lock.readLock().lock();
        try {
            return use.of(requireOpen());
        } catch (RocksDBException e) {
            throw Faults.of("to read from the messaging store in " + directory, e);
        } finally {
            lock.readLock().unlock();
        }
    }

    /**
     * Uses the write path while the database cannot be closed, unless a write has failed.
     *
     * @param doing the beginning of the error, such as "to flush"
     */
    <T extends @Nullable Object> T withPath(String doing, PathUse<W, T> use) throws StoreException {
        lock.readLock().lock();
        try {
            requireOpen();
            requireNoFailure();
            return use.of(requirePath());
        } catch (RocksDBException | IOException e) {
            throw Faults.of(doing + " the messaging store in " + directory, e);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Returns whether the store is open, no write has failed, and batches still take this path: it was not opened again. */
    boolean writesTo(W expected) {
        lock.readLock().lock();
        try {
            return !closed && !suspended && failure == null && path == expected;
        } finally {
            lock.readLock().unlock();
        }
    }

    void closeCursor(RocksDbCursor cursor) {
        lock.readLock().lock();
        try {
            synchronized (cursors) {
                cursors.remove(cursor);
            }
            cursor.end();
        } finally {
            lock.readLock().unlock();
        }
    }

    /**
     * Throws if background work has failed. Without its own log, RocksDB continues after a failed flush until its
     * memtables are full; then commits would block forever.
     */
    private void requireNoBackgroundErrors() throws StoreException {
        if (lock.readLock().tryLock()) {
            try {
                if (database != null && database.backgroundErrors() > 0) {
                    boolean full = space.usableBytes() < OPENING_BYTES_MAX;
                    throw new StoreException(
                            full ? StoreException.Reason.DISK_FULL : StoreException.Reason.IO,
                            "Failed to write the table files of the messaging store in " + directory
                                    + (full ? ": no space left on its disk" : ""));
                }
            } catch (RocksDBException e) {
                throw Faults.of("to read the state of the messaging store in " + directory, e);
            } finally {
                lock.readLock().unlock();
            }
        }
    }

    private void takeNote() {
        if (lock.readLock().tryLock()) {
            try {
                if (path != null) {
                    marker.reached(path.last());
                }
            } finally {
                lock.readLock().unlock();
            }
        }
    }

    /**
     * Returns the bytes that compactions need in addition to their share of the reserve, and those of batches that only the
     * memory has. 0 while the database is closed or closing.
     */
    private long owedBytes() {
        if (!lock.readLock().tryLock()) {
            return 0;
        }
        try {
            WritePath into = path;
            long unwritten = into == null ? 0 : into.unwrittenBytes();
            return database == null
                    ? 0
                    : unwritten + Math.max(0, database.neededToCompact() - sizing.compactionReserveBytes());
        } catch (RocksDBException e) {
            return 0;
        } finally {
            lock.readLock().unlock();
        }
    }

    private Database requireOpen() throws StoreException {
        Database open = database;
        if (closed) {
            throw Faults.closed(directory);
        }
        if (open == null || suspended) {
            StoreException why = failure;
            throw new StoreException(
                    why == null ? StoreException.Reason.IO : why.reason(),
                    "Expected an open messaging store in " + directory + ", but it waits for reopen()",
                    why);
        }
        return open;
    }

    /** Returns the write path while the database is open. */
    private W requirePath() {
        return Objects.requireNonNull(path);
    }

    private void openDatabase(boolean make) throws StoreException {
        Path db = directory.resolve("db");
        if (Files.exists(db.resolve("CURRENT"))) {
            marker.checkManifest();
        }
        Database opened = new Database(db, options, sizing, make);
        W writing = null;
        try {
            writing = opening.open(opened, directory, sizing, marker);
            marker.opened(writing.last());
        } catch (RocksDBException | IOException e) {
            close(opened, writing);
            throw Faults.of("to open the messaging store in " + directory, e);
        } catch (StoreException | RuntimeException | Error e) {
            close(opened, writing);
            throw e;
        }
        SpaceReclaimer reclaiming = new SpaceReclaimer(
                filesOf(opened, writing), space::hasRoom, "jitney-reclaim-" + directory.getFileName());
        if (!space.hasRoom()) {
            reclaiming.deletedBefore();
        }
        reclaimer = reclaiming;
        path = writing;
        database = opened;
        databaseFiles.tightenAll();
    }

    private static TableFiles filesOf(Database database, WritePath path) {
        return new TableFiles() {
            @Override
            public void flush() throws RocksDBException {
                path.tables().spill();
                database.flush();
            }

            @Override
            public void compact(Table table, byte[] from, byte[] to, CompactRangeOptions options)
                    throws RocksDBException {
                database.compact(table, from, to, options);
            }
        };
    }

    /** Writes all batches to table files, so that the next start need not read the log. */
    private void finishWrites() {
        if (path != null && failure == null && home.isThere()) {
            try {
                path.finish(marker);
            } catch (IOException | RocksDBException e) {
                // The next start reads the log instead.
            }
        }
    }

    /**
     * Closes the database. Closing writes to its path; if other files are there by now, the database stays open until
     * the process ends.
     */
    private void closeDatabase() {
        Database open = database;
        W writing = path;
        SpaceReclaimer reclaiming = reclaimer;
        database = null;
        path = null;
        reclaimer = null;
        synchronized (cursors) {
            cursors.forEach(RocksDbCursor::end);
            cursors.clear();
        }
        if (reclaiming != null) {
            reclaiming.close();
        }
        if (writing != null && failure == null && !closed) {
            marker.reached(writing.last());
        }
        marker.close();
        if (open != null && home.isThere()) {
            close(open, writing);
            databaseFiles.tighten();
        } else {
            close(null, writing);
        }
    }

    private static void close(@Nullable Database open, @Nullable WritePath writing) {
        try {
            if (writing != null) {
                writing.close();
            }
        } catch (IOException e) {
            // Every write was synced, so closing cannot lose data.
        }
        if (open != null) {
            open.close();
        }
    }

    /** Creates a directory and its missing parents, and syncs each name in its parent. */
    private static void createDurably(Path directory) throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        for (Path path = directory; path != null && !Files.exists(path); path = path.getParent()) {
            missing.push(path);
        }
        for (Path path : missing) {
            OwnerOnly.createDirectories(path);
            Path parent = path.getParent();
            if (parent != null) {
                FileCommitLog.sync(parent);
            }
        }
    }

    private static void release(@Nullable DirectoryLock held) {
        if (held != null) {
            held.close();
        }
    }

    /** Opens the write path of an open database. */
    @FunctionalInterface
    interface Opening<W extends WritePath> {
        /**
         * @param directory the directory of the store
         * @param marker    the durability marker, which checks that no data is missing
         * @throws StoreException if the store is not of the expected kind, or data is missing; nothing stays open then
         */
        W open(Database database, Path directory, Sizing sizing, DurabilityMarker marker)
                throws StoreException, RocksDBException, IOException;

        /** Returns whether the files are being replaced, so that there may be no database for the moment. */
        default boolean isInterrupted(Path directory) {
            return false;
        }

        /** Completes a change of the files that was interrupted, before the database is opened. */
        default void complete(Path directory) throws IOException {}
    }

    /** A change of the files of a closed database. */
    @FunctionalInterface
    interface Change {
        void run() throws IOException;
    }

    /** A use of the write path. */
    @FunctionalInterface
    interface PathUse<W extends WritePath, T extends @Nullable Object> {
        T of(W path) throws StoreException, RocksDBException, IOException;
    }

    /** A change through the write path. */
    @FunctionalInterface
    interface Write<W extends WritePath> {
        void to(W path) throws StoreException, RocksDBException, IOException;
    }

    /** Work after a write, which does not fail. */
    @FunctionalInterface
    interface AfterWrite<W extends WritePath> {
        void on(W path);
    }

    /** An operation on the open database. */
    @FunctionalInterface
    interface Use<T extends @Nullable Object> {
        T of(Database database) throws RocksDBException, StoreException;
    }
}
