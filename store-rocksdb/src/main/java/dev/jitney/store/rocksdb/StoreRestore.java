package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.LogPosition;
import dev.jitney.runtime.store.RowBatchReader;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.store.rocksdb.log.CommitFeed;
import dev.jitney.store.rocksdb.log.CommitFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdb.RocksDBException;

/**
 * Makes a store of a single node of the files of a {@link StoreBackup}, and of later commits. The store is complete after {@link
 * #finish}; without it, the directory is useless. For one thread.
 */
public final class StoreRestore implements AutoCloseable {
    private final Path directory;
    private final RocksDbOptions options;
    private final GuardedStore<RestorePath> store;
    private long last;

    private StoreRestore(Path directory, RocksDbOptions options, GuardedStore<RestorePath> store, long last) {
        this.directory = directory;
        this.options = options;
        this.store = store;
        this.last = last;
    }

    /**
     * Adds the commits of a backup to its tables, and deletes their file.
     *
     * @param directory the directory with the files of the backup, which become the store
     * @param options   the options of the store
     * @param log       {@link StoreBackup#log}
     * @param last      {@link StoreBackup#lastCommit}
     * @throws StoreException if the files do not belong together, are damaged, or cannot be written
     */
    public static StoreRestore begin(Path directory, RocksDbOptions options, long log, long last)
            throws StoreException {
        Path commits = directory.resolve(StoreBackup.COMMITS);
        GuardedStore<RestorePath> opened =
                GuardedStore.open(directory, options, false, (database, home, sizing, marker) -> {
                    PositionRow.LOG.require(database, home);
                    return new RestorePath(database, apply(database, sizing, commits, log, last));
                });
        boolean complete = false;
        try {
            Files.delete(commits);
            complete = true;
            return new StoreRestore(directory, options, opened, last);
        } catch (IOException e) {
            throw Faults.of("to delete " + commits, e);
        } finally {
            if (!complete) {
                opened.close();
            }
        }
    }

    /** Makes a store of the files of a backup, without later commits. */
    public static void restore(Path directory, RocksDbOptions options, long log, long last) throws StoreException {
        try (StoreRestore restore = begin(directory, options, log, last)) {
            restore.finish();
        }
    }

    private static Tables apply(Database database, Sizing sizing, Path commits, long log, long last)
            throws StoreException, RocksDBException, IOException {
        LogPosition position = PositionRow.log(database);
        if (position == null || position.log() != log) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected tables and commits of the same store in " + commits.getParent()
                            + ", but they belong to different ones. Verify the backup");
        }
        Tables tables = new Tables(database, PositionRow.LOG, number -> new LogPosition(log, number).encoded(), sizing);
        CommitFile.<StoreOrTablesException>read(commits, position, last, (number, batch) -> {
            try {
                RowBatchReader.check(batch);
                tables.restore(number, batch);
            } catch (StoreException | RocksDBException e) {
                throw new StoreOrTablesException(e);
            }
        });
        return tables;
    }

    /** Returns the number of the last commit that the store has. */
    public long last() {
        return last;
    }

    /**
     * Adds a later commit.
     *
     * @param number one more than {@link #last}
     * @throws StoreException if it is not a batch of rows, or cannot be written
     */
    public void add(long number, byte[] batch) throws StoreException {
        if (number != last + 1) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected commit " + (last + 1) + " for the store in " + directory + ", but got " + number);
        }
        RowBatchReader.check(batch);
        store.write(path -> path.tables().restore(number, batch));
        last = number;
    }

    /** Completes the store. It has a new log then, and is closed. */
    public void finish() throws StoreException {
        store.withPath("to complete", path -> {
            path.database().flush();
            PositionRow.LOG.remove(path.database());
            return true;
        });
        store.close();
        GuardedStore.open(
                        directory,
                        options,
                        false,
                        (database, home, sizing, marker) -> RocksDbMessagingStore.openPipeline(
                                database, home, sizing, marker, new CommitFeed(), step -> {}))
                .close();
    }

    @Override
    public void close() {
        store.close();
    }

    /** Writes commits to the tables. Nothing is durable before {@link StoreRestore#finish}. */
    private record RestorePath(Database database, Tables tables) implements WritePath {
        @Override
        public LogPosition last() {
            return new LogPosition(0, 0);
        }

        @Override
        public long logBytes() {
            return 0;
        }

        @Override
        public long unwrittenBytes() {
            return 0;
        }

        @Override
        public void finish(DurabilityMarker marker) {
            // StoreRestore.finish does it, and reports a failure.
        }

        @Override
        public void close() {
            // The database closes on its own.
        }
    }

    /** Carries the two checked exceptions of a commit out of a callback that has one. */
    private static final class StoreOrTablesException extends IOException {
        private static final long serialVersionUID = 1L;

        StoreOrTablesException(Exception cause) {
            super(String.valueOf(cause.getMessage()), cause);
        }
    }
}
