package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.CommitLog;
import dev.jitney.runtime.store.LogPosition;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.RowBatchReader;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.store.rocksdb.log.FileCommitLog;
import dev.jitney.store.rocksdb.log.LogDamageException;
import java.io.IOException;
import java.nio.file.Path;
import org.rocksdb.RocksDBException;

/**
 * The way of a batch to disk on a single node: a {@link CommitLog} and the {@link Tables} behind it. ADR 18 tells why there are
 * both.
 *
 * <table>
 * <caption>The states of a batch</caption>
 * <tr><th>step</th><th>state after it</th><th>who reads it finds it in</th><th>after a crash it is</th><th>when</th></tr>
 * <tr><td></td><td>filled</td><td>nowhere</td><td>gone</td><td></td></tr>
 * <tr><td>{@link #append}</td><td>appended</td><td>the tables, which index it first</td><td>read from the log</td>
 * <td>a commit; effects may leave</td></tr>
 * <tr><td>{@link #index}</td><td>indexed</td><td>the write buffer</td><td>read from the log</td>
 * <td>after a commit, or before the next use</td></tr>
 * <tr><td>{@link #spill}</td><td>spilled</td><td>RocksDB's memtables</td><td>read from the log</td>
 * <td>the buffer is full, or there is a scan, or the batch deletes a range</td></tr>
 * <tr><td>{@link #flush}</td><td>flushed</td><td>table files</td><td>in table files</td>
 * <td>memtables are full, the log is half or wholly full, the store closes, or space is short</td></tr>
 * <tr><td>{@link #retire}</td><td>retired</td><td>table files</td><td>in table files</td>
 * <td>the log needs room, or after a flush</td></tr>
 * </table>
 *
 * <p>Batches go through each state in the order of their numbers; a later state includes what the earlier ones promise. A step that
 * fails leaves batches in the state before it, in the log, and the store has to be opened again.
 *
 * <p>For the thread that commits, but for {@link #spill} and {@link #logBytes}, which any thread may call.
 */
final class CommitPipeline implements AutoCloseable {
    /** In so many files the log is divided when the tables are as far behind as they may be. */
    private static final int FILES = 4;

    private final Database database;
    private final CommitLog log;
    private final Tables tables;
    private final long logTotalBytes;

    private CommitPipeline(Database database, CommitLog log, Tables tables, Sizing sizing) {
        this.database = database;
        this.log = log;
        this.tables = tables;
        logTotalBytes = sizing.logTotalBytes();
    }

    /**
     * Opens the log and brings the tables up to its end, or makes a new one where the tables know of none. The first
     * commit to a new one must be {@linkplain #flush flushed} before another is acknowledged, so that they know of it.
     *
     * @param directory of the log
     * @param marker    what there has to be at least
     * @throws StoreException {@code CORRUPT} if batches are missing that had been committed
     */
    static CommitPipeline open(Database database, Path directory, Sizing sizing, DurabilityMarker marker)
            throws StoreException, RocksDBException {
        LogPosition flushed = Tables.position(database);
        marker.checkTables(flushed);
        try {
            if (flushed == null) {
                CommitLog made = FileCommitLog.make(directory, fileBytes(sizing));
                return new CommitPipeline(
                        database, made, new Tables(database, made.next().log(), sizing), sizing);
            }
            Tables tables = new Tables(database, flushed.log(), sizing);
            CommitLog log = FileCommitLog.open(
                    directory,
                    flushed,
                    fileBytes(sizing),
                    (number, batch) -> restore(tables, directory, number, batch));
            CommitPipeline opened = new CommitPipeline(database, log, tables, sizing);
            try {
                marker.checkLog(opened.last());
            } catch (StoreException e) {
                log.close();
                throw e;
            }
            return opened;
        } catch (LogDamageException e) {
            throw new StoreException(StoreException.Reason.CORRUPT, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw Faults.of("to open the log in " + directory, e);
        }
    }

    static long fileBytes(Sizing sizing) {
        return sizing.logTotalBytes() / FILES;
    }

    private static void restore(Tables tables, Path directory, long number, byte[] batch) throws StoreException {
        try {
            RowBatchReader.check(batch);
            tables.restore(number, batch);
        } catch (StoreException e) {
            throw new StoreException(
                    e.reason(), "Commit " + number + " of the log in " + directory + ": " + e.getMessage(), e);
        } catch (RocksDBException e) {
            throw Faults.of("to bring the log in " + directory + " into the tables", e);
        }
    }

    /** The last commit. */
    LogPosition last() {
        LogPosition next = log.next();
        return new LogPosition(next.log(), next.number() - 1);
    }

    /** Bytes of all files of the log. Any thread may ask. */
    long logBytes() {
        return log.sizeBytes();
    }

    /** Whether nothing was committed to this log yet. */
    boolean isNew() {
        return log.next().number() == 1;
    }

    /** What can be read of all this. Any thread may read. */
    Tables tables() {
        return tables;
    }

    /** Makes a batch durable and readable; nothing of it is if this fails before the log has it. */
    void append(RowBatch batch) throws IOException, RocksDBException {
        tables.index(); // somebody who read may have found that something is wrong
        long number = log.next().number();
        byte[] content = batch.encoded();
        if (log.wantsRetirement(content.length)) {
            makeRoom();
        }
        log.append(content);
        tables.add(number, content, batch.deletesRange());
    }

    /** Does for the last batch what nobody waits for. What goes wrong is told to who uses the store next. */
    void index() {
        tables.indexQuietly();
    }

    /** Gives RocksDB all it does not have yet. Any thread. */
    void spill() throws RocksDBException {
        tables.spill();
    }

    /** Writes everything to table files, and retires it. */
    void flush() throws RocksDBException {
        tables.flush();
        log.retire(last().number());
    }

    /** Retires what has come into table files by itself. */
    private void retire() throws RocksDBException {
        log.retire(tables.flushed());
    }

    /** Bounds the log, and with it the time to open: tables that are far behind are flushed, or waited for. */
    private void makeRoom() throws RocksDBException {
        retire();
        long unretired = log.unretiredBytes();
        if (unretired >= logTotalBytes) {
            flush();
        } else if (unretired >= logTotalBytes / 2) {
            tables.beginFlush();
        }
    }

    /** Removes the log, after {@link #flush}. If that fails half-way, the log is still there or not known of any more. */
    void removeLog() throws IOException, RocksDBException {
        Tables.removePosition(database);
        log.remove();
    }

    @Override
    public void close() throws IOException {
        log.close();
    }
}
