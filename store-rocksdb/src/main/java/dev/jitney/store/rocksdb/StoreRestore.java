package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.LogPosition;
import dev.jitney.runtime.store.RowBatchReader;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.store.rocksdb.log.CommitFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdb.RocksDBException;

/** Makes a store of a single node of the files of a {@link StoreBackup}. */
public final class StoreRestore {
    private StoreRestore() {}

    /**
     * Adds the commits to the tables, and deletes their file. The store has a new log then, and is closed. After a failure the
     * directory is useless.
     *
     * @param directory the directory with the files of the backup, which become the store
     * @param options   the options of the store
     * @param log       {@link StoreBackup#log}
     * @param last      {@link StoreBackup#lastCommit}
     * @throws StoreException if the files do not belong together, are damaged, or cannot be written
     */
    public static void restore(Path directory, RocksDbOptions options, long log, long last) throws StoreException {
        Path commits = directory.resolve(StoreBackup.COMMITS);
        GuardedStore.open(directory, options, false, (database, home, sizing, marker) -> {
                    PositionRow.LOG.require(database, home);
                    apply(database, sizing, commits, log, last);
                    return RocksDbMessagingStore.openPipeline(database, home, sizing, marker, step -> {});
                })
                .close();
        try {
            Files.delete(commits);
        } catch (IOException e) {
            throw Faults.of("to delete " + commits, e);
        }
    }

    private static void apply(Database database, Sizing sizing, Path commits, long log, long last)
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
        database.flush();
        PositionRow.LOG.remove(database);
    }

    /** Carries the two checked exceptions of a commit out of a callback that has one. */
    private static final class StoreOrTablesException extends IOException {
        private static final long serialVersionUID = 1L;

        StoreOrTablesException(Exception cause) {
            super(String.valueOf(cause.getMessage()), cause);
        }
    }
}
