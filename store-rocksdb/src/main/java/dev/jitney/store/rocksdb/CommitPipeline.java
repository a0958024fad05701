package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.LogPosition;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.RowBatchReader;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.store.rocksdb.log.CommitFeed;
import dev.jitney.store.rocksdb.log.FileCommitLog;
import dev.jitney.store.rocksdb.log.LogDamageException;
import java.io.IOException;
import java.nio.file.Path;
import org.rocksdb.RocksDBException;

/**
 * The path of a batch to disk on a single node: a {@link FileCommitLog} and the {@link Tables} behind it. ADR 18 explains
 * the reasons for both.
 *
 * <table>
 * <caption>The states of a batch</caption>
 * <tr><th>step</th><th>state after it</th><th>readers find it in</th><th>after a crash it is</th><th>when</th></tr>
 * <tr><td></td><td>filled</td><td>nowhere</td><td>gone</td><td></td></tr>
 * <tr><td>{@link #append}</td><td>appended</td><td>the tables, which index it first</td><td>read from the log</td>
 * <td>a commit; effects may leave</td></tr>
 * <tr><td>{@link #index}</td><td>indexed</td><td>the write buffer</td><td>read from the log</td>
 * <td>after a commit, or before the next use</td></tr>
 * <tr><td>{@link Tables#spill}</td><td>spilled</td><td>RocksDB's memtables</td><td>read from the log</td>
 * <td>the buffer is full, or there is a scan, or the batch deletes a range</td></tr>
 * <tr><td>{@link #flush}</td><td>flushed</td><td>table files</td><td>in table files</td>
 * <td>memtables are full, the log is half or wholly full, the store closes, or space is short</td></tr>
 * <tr><td>{@link #retire}</td><td>retired</td><td>table files</td><td>in table files</td>
 * <td>the log needs room, or after a flush</td></tr>
 * </table>
 *
 * <p>Batches pass through the states in the order of their numbers; a later state includes the guarantees of the
 * earlier ones. A step that fails leaves batches in the state before it, in the log, and the store must be opened
 * again.
 *
 * <p>For the thread that commits, except {@link #tables}, {@link #last}, {@link #log} and {@link #logBytes}, which any thread may call.
 */
final class CommitPipeline implements WritePath {
    /** The number of log files when the tables are as far behind as they may be. */
    private static final int FILES = 4;

    private final Database database;
    private final FileCommitLog log;
    private final Tables tables;
    private final long logTotalBytes;
    private final CommitFeed feed;

    private CommitPipeline(Database database, FileCommitLog log, Tables tables, Sizing sizing, CommitFeed feed) {
        this.feed = feed;
        this.database = database;
        this.log = log;
        this.tables = tables;
        logTotalBytes = sizing.logTotalBytes();
    }

    /**
     * Opens the log and updates the tables up to its end, or creates a new log if the tables have no log position.
     * The first commit to a new log must be {@linkplain #flush flushed} before another is acknowledged, so that the
     * tables have its position.
     *
     * @param directory the directory of the log
     * @param marker    the durability marker, which checks that no commits are missing
     * @param feed      receives the commits
     * @throws StoreException {@code CORRUPT} if committed batches are missing
     */
    static CommitPipeline open(
            Database database, Path directory, Sizing sizing, DurabilityMarker marker, CommitFeed feed)
            throws StoreException, RocksDBException {
        LogPosition flushed = PositionRow.log(database);
        marker.checkTables(flushed);
        try {
            if (flushed == null) {
                FileCommitLog made = FileCommitLog.make(directory, fileBytes(sizing), feed);
                return new CommitPipeline(
                        database, made, tables(database, made.next().log(), sizing), sizing, feed);
            }
            Tables tables = tables(database, flushed.log(), sizing);
            FileCommitLog log = FileCommitLog.open(
                    directory,
                    flushed,
                    fileBytes(sizing),
                    feed,
                    (number, batch) -> restore(tables, directory, number, batch));
            CommitPipeline opened = new CommitPipeline(database, log, tables, sizing, feed);
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

    private static Tables tables(Database database, long log, Sizing sizing) {
        return new Tables(
                database,
                PositionRow.LOG,
                number -> new LogPosition(log, number).encoded(),
                sizing.recentBytes(),
                sizing.largeRecentBytes(),
                BufferExtension.OF_PROCESS);
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
            throw Faults.of("to replay the log in " + directory + " into the tables", e);
        }
    }

    @Override
    public LogPosition last() {
        LogPosition next = log.next();
        return new LogPosition(next.log(), next.number() - 1);
    }

    /** Returns 0, because the log has all batches on the disk already, and its files are used again. */
    @Override
    public long unwrittenBytes() {
        return 0;
    }

    @Override
    public long logBytes() {
        return log.sizeBytes();
    }

    /** Returns whether nothing was committed to this log yet. */
    boolean isNew() {
        return log.next().number() == 1;
    }

    @Override
    public Tables tables() {
        return tables;
    }

    /** Returns the log. */
    FileCommitLog log() {
        return log;
    }

    /** Makes a batch durable and readable. If this fails before the log has the batch, the batch has no effect. */
    void append(RowBatch batch) throws IOException, RocksDBException {
        tables.index(); // a reader may have found an error
        long number = log.next().number();
        byte[] content = batch.encoded();
        if (log.wantsRetirement(content.length)) {
            makeRoom();
        }
        log.append(content);
        tables.add(number, content, content.length, batch.deletesRange());
    }

    /** Indexes the last batch after its commit. A failure is reported to the next operation on the store. */
    void index() {
        tables.indexQuietly();
    }

    /** Writes all batches to table files, and retires them in the log. */
    void flush() throws RocksDBException {
        tables.flush();
        log.retire(last().number());
    }

    /** Retires the batches that background flushes have written to table files. */
    private void retire() throws RocksDBException {
        byte[] row = tables.flushed();
        LogPosition position = row == null ? null : LogPosition.decode(row);
        log.retire(position == null ? 0 : position.number());
    }

    /**
     * Bounds the log, and with it the time to open: starts a flush of tables that are far behind, or waits for one. The batches in
     * the write buffer, which has a limit of its own, do not count: a flush would write rows that are deleted a moment later.
     */
    private void makeRoom() throws RocksDBException {
        retire();
        long behind = log.unretiredBytes() - tables.bufferedBytes();
        if (behind >= logTotalBytes) {
            flush();
        } else if (behind >= logTotalBytes / 2) {
            tables.beginFlushOfOlder();
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>The log stays if an archive reads it, so that the next commits have the numbers that follow. Otherwise it is removed. If that
     * fails half-way, either the log is still there or the tables no longer have its position.
     */
    @Override
    public void finish(DurabilityMarker marker) throws IOException, RocksDBException {
        flush();
        if (feed.keepsLog()) {
            log.trim();
        } else if (marker.finished()) {
            PositionRow.LOG.remove(database);
            log.remove();
        }
    }

    @Override
    public void close() throws IOException {
        tables.close();
        log.close();
    }
}
