package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.CommitLog;
import dev.jitney.runtime.store.LogPosition;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.store.rocksdb.log.FileCommitLog;
import dev.jitney.store.rocksdb.log.LogDamageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.rocksdb.RocksDBException;

/**
 * Imports the log of a store of format version 2, which Jitney 0.2.0 and older versions wrote. Its batches are in
 * RocksDB's format, with the column families of the same database and the row with their position in the log, so
 * RocksDB accepts them unchanged.
 *
 * <p>It makes the same changes to the store as the older version does when it opens and then closes it cleanly. So
 * both versions can open every state that a crash may leave, until the first commit to a new log contains the new
 * format version.
 *
 * <p>It stays until 1.0.0: every version before that opens the data directories of all older ones
 * (docs/guides/upgrades.md).
 */
final class FormatTwoLog {
    private FormatTwoLog() {}

    /**
     * Writes all batches to table files and removes the log; does nothing if there is no log because the store was
     * closed cleanly. After a crash at any point it may be called again.
     *
     * @param directory the directory of the log
     * @param marker    the durability marker, which checks that no commits are missing
     * @param done      receives each step
     */
    static void takeOver(
            Database database, Path directory, Sizing sizing, DurabilityMarker marker, Consumer<OpeningStep> done)
            throws StoreException, RocksDBException, IOException {
        LogPosition flushed = PositionRow.log(database);
        marker.checkTables(flushed);
        if (flushed == null) {
            return;
        }
        try (CommitLog log = FileCommitLog.open(
                directory, flushed, CommitPipeline.fileBytes(sizing), (number, batch) -> database.write(batch))) {
            LogPosition last = new LogPosition(flushed.log(), log.next().number() - 1);
            marker.checkLog(last);
            done.accept(OpeningStep.OLD_LOG_REPLAYED);
            database.flush();
            done.accept(OpeningStep.OLD_LOG_FLUSHED);
            marker.opened(last);
            if (!marker.finished()) {
                throw new StoreException(
                        StoreException.Reason.IO,
                        "Expected to record in " + DurabilityMarker.FILE_NAME + " that the old log in " + directory
                                + " is no longer needed, but that failed");
            }
            done.accept(OpeningStep.OLD_LOG_UNMARKED);
            PositionRow.LOG.remove(database);
            log.remove();
            done.accept(OpeningStep.OLD_LOG_REMOVED);
        } catch (LogDamageException e) {
            throw new StoreException(StoreException.Reason.CORRUPT, String.valueOf(e.getMessage()), e);
        }
    }
}
