package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.store.rocksdb.log.CommitLog;
import dev.jitney.store.rocksdb.log.LogDamageException;
import dev.jitney.store.rocksdb.log.LogPosition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * The way of a batch to disk: into the log, where it is safe, then among the {@link RecentRows}, where it can be read, and
 * later into RocksDB, if then something of it is left. RocksDB's own log is not used; ADR 18 tells why.
 *
 * <p>Every batch that goes into RocksDB puts its place in the log into one row of the default column family. Memtables of
 * all tables are flushed together, at one point between two batches, so this row of the table files says exactly which
 * batches are in them: those behind it are read from the log when the store opens, those up to it are not needed there
 * any more.
 *
 * <p>For the thread that commits, but for what says otherwise.
 */
final class Commits implements AutoCloseable {
    static final byte[] POSITION = "log".getBytes(StandardCharsets.US_ASCII);

    /** In so many files the log is divided when the tables are as far behind as they may be. */
    private static final int FILES = 4;

    /** What is written to RocksDB at once, more or less: what the processor still has at hand when RocksDB copies it. */
    private static final int LEAVING_BYTES = 256 << 10;

    private final Database database;
    private final CommitLog log;
    private final long logTotalBytes;
    private final long recentBytesMax;
    private final long logId;

    /** Guarded by itself, and so is that RocksDB has all that is not in it. */
    private final RecentRows recent = new RecentRows();

    // Used with recent.
    private final RocksDbBatch leaving;

    /** The last batch, if it is in the log only. */
    private byte @Nullable [] latest;

    private int latestSize;
    private long latestNumber;

    /** What was to leave is lost to readers; the store has to be opened again. */
    private @Nullable RocksDBException failed;

    private Commits(Database database, CommitLog log, Sizing sizing) {
        this.database = database;
        this.log = log;
        logTotalBytes = sizing.logTotalBytes();
        recentBytesMax = sizing.recentBytes();
        logId = log.next().log();
        leaving = new RocksDbBatch(database.familyIds());
    }

    /**
     * Opens the log and brings the tables up to its end, or makes a new one where the tables know of none. The first
     * commit to a new one must be {@linkplain #flush flushed} before another is acknowledged, so that they know of it.
     *
     * @param directory of the log
     * @param mark      what there has to be at least
     * @throws StoreException {@code CORRUPT} if batches are missing that had been committed
     */
    static Commits open(Database database, Path directory, Sizing sizing, SyncedMark mark)
            throws StoreException, RocksDBException {
        long fileBytes = sizing.logTotalBytes() / FILES;
        try {
            byte[] row = database.get(POSITION);
            if (row == null) {
                mark.checkTables(null);
                return new Commits(database, CommitLog.make(directory, fileBytes), sizing);
            }
            LogPosition flushed = LogPosition.decode(row);
            if (flushed == null) {
                throw new StoreException(
                        StoreException.Reason.CORRUPT,
                        "Expected 16 bytes that say how much of " + directory + " is in the tables, but got "
                                + row.length);
            }
            mark.checkTables(flushed);
            CommitLog log = CommitLog.open(directory, flushed, fileBytes, database::write);
            Commits commits = new Commits(database, log, sizing);
            try {
                mark.checkLog(commits.last());
            } catch (StoreException e) {
                log.close();
                throw e;
            }
            return commits;
        } catch (LogDamageException e) {
            throw new StoreException(StoreException.Reason.CORRUPT, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw Faults.of("to open the log in " + directory, e);
        }
    }

    /** The last commit. */
    LogPosition last() {
        return new LogPosition(logId, log.next().number() - 1);
    }

    /** Bytes of all files of the log. Any thread may ask. */
    long logBytes() {
        return log.sizeBytes();
    }

    /** Whether nothing was committed to this log yet. */
    boolean isNew() {
        return log.next().number() == 1;
    }

    /**
     * Makes a batch durable and readable; nothing of it is if this fails before the log has it. {@link #finish} may follow when
     * there is time; else whoever needs it does it.
     */
    void commit(RocksDbBatch batch) throws IOException, RocksDBException {
        synchronized (recent) {
            complete(); // somebody who read may have found that something is wrong
        }
        LogPosition position = log.next();
        byte[] content = batch.encodedWith(POSITION, position.encoded());
        if (log.beginsFile(content.length)) {
            makeRoom();
        }
        log.append(content, content.length);
        synchronized (recent) {
            if (batch.deletesRange()) {
                leave(0);
                database.write(content);
            } else {
                latest = content;
                latestSize = batch.size();
                latestNumber = position.number();
            }
        }
    }

    /** Puts the last batch in its place. What goes wrong is told to who uses the store next. */
    void finish() {
        synchronized (recent) {
            try {
                complete();
            } catch (RocksDBException e) {
                failed = e;
            }
        }
    }

    /** Everything that is in the log is among the recent rows or in RocksDB from now on. */
    private void complete() throws RocksDBException {
        requireWhole();
        byte[] content = latest;
        if (content != null) {
            latest = null;
            recent.add(content, latestSize, latestNumber);
            if (recent.bytes() > recentBytesMax) {
                leave(recentBytesMax / 2);
            }
        }
    }

    /** A row as of the last commit. Any thread. */
    byte @Nullable [] get(Table table, byte[] key) throws RocksDBException {
        RecentRows.Found found;
        synchronized (recent) {
            complete();
            found = recent.find(database.familyId(table), key);
        }
        return found.known() ? found.value() : database.get(table, key);
    }

    /** Gives RocksDB all it does not have yet, so that it can be scanned. Any thread. */
    void apply() throws RocksDBException {
        synchronized (recent) {
            complete();
            leave(0);
        }
    }

    private void leave(long keep) throws RocksDBException {
        while (recent.bytes() > keep) {
            long upTo = recent.take(keep, leaving, LEAVING_BYTES);
            try {
                database.write(leaving.encodedWith(POSITION, new LogPosition(logId, upTo).encoded()));
            } catch (RocksDBException e) {
                failed = e;
                throw e;
            } finally {
                leaving.clear();
            }
        }
    }

    private void requireWhole() throws RocksDBException {
        if (failed != null) {
            throw failed;
        }
    }

    /** Writes everything to table files. */
    void flush() throws RocksDBException {
        apply();
        database.flush();
        log.flushed(last().number());
    }

    /** Removes the log, after {@link #flush}. If that fails half-way, the log is still there or not known of any more. */
    void removeLog() throws IOException, RocksDBException {
        database.deleteFlushed(POSITION);
        log.delete();
    }

    /** Bounds the log, and with it the time to open: tables that are far behind are flushed, or waited for. */
    private void makeRoom() throws RocksDBException {
        byte[] row = database.getFlushed(POSITION);
        LogPosition flushed = row == null ? null : LogPosition.decode(row);
        if (flushed != null) {
            log.flushed(flushed.number());
        }
        long unflushed = log.unflushedBytes();
        if (unflushed >= logTotalBytes) {
            flush();
        } else if (unflushed >= logTotalBytes / 2) {
            apply();
            database.beginFlush();
        }
    }

    @Override
    public void close() throws IOException {
        log.close();
    }
}
