package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.StoreException;
import dev.jitney.store.rocksdb.log.CommitLog;
import dev.jitney.store.rocksdb.log.LogDamageException;
import dev.jitney.store.rocksdb.log.LogPosition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.rocksdb.RocksDBException;

/**
 * The way of a batch to disk: into the log, where it is safe, then into the memtables, where it can be read. RocksDB's own
 * log is not used; ADR 18 tells why.
 *
 * <p>Every batch puts its place in the log into one row of the default column family. Memtables of all tables are flushed
 * together, at one point between two batches, so this row of the table files says exactly which batches are in them:
 * those behind it are read from the log when the store opens, those up to it are not needed there any more.
 *
 * <p>For the thread that commits.
 */
final class Commits implements AutoCloseable {
    static final byte[] POSITION = "log".getBytes(StandardCharsets.US_ASCII);

    /** In so many files the log is divided when the tables are as far behind as they may be. */
    private static final int FILES = 4;

    private final Database database;
    private final CommitLog log;
    private final long logTotalBytes;

    private Commits(Database database, CommitLog log, Sizing sizing) {
        this.database = database;
        this.log = log;
        logTotalBytes = sizing.logTotalBytes();
    }

    /**
     * Opens the log and brings the tables up to its end, or makes a new one where the tables know of none. The first
     * commit to a new one must be {@linkplain #flush flushed} before another is acknowledged, so that they know of it.
     *
     * @param directory of the log
     * @throws StoreException {@code CORRUPT} if batches are missing that had been committed
     */
    static Commits open(Database database, Path directory, Sizing sizing) throws StoreException, RocksDBException {
        long fileBytes = sizing.logTotalBytes() / FILES;
        try {
            byte[] row = database.get(POSITION);
            if (row == null) {
                return new Commits(database, CommitLog.make(directory, fileBytes), sizing);
            }
            LogPosition flushed = LogPosition.decode(row);
            if (flushed == null) {
                throw new StoreException(
                        StoreException.Reason.CORRUPT,
                        "Expected 16 bytes that say how much of " + directory + " is in the tables, but got "
                                + row.length);
            }
            CommitLog log = CommitLog.open(directory, flushed, fileBytes, database::write);
            Commits commits = new Commits(database, log, sizing);
            if (log.next().number() > flushed.number() + 1) {
                // What was read may never have been synced, if the last thing the log had was a sync that failed.
                commits.flush();
            }
            return commits;
        } catch (LogDamageException e) {
            throw new StoreException(StoreException.Reason.CORRUPT, e.getMessage(), e);
        } catch (IOException e) {
            throw Faults.of("to open the log in " + directory, e);
        }
    }

    /** Whether nothing was committed to this log yet. */
    boolean isNew() {
        return log.next().number() == 1;
    }

    /** Makes a batch durable and readable; nothing of it is if this fails before the log has it. */
    void commit(RocksDbBatch batch) throws IOException, RocksDBException {
        byte[] content = batch.encodedWith(POSITION, log.next().encoded());
        if (log.beginsFile(content.length)) {
            makeRoom();
        }
        log.append(content, content.length);
        database.write(content);
    }

    /** Writes everything to table files. */
    void flush() throws RocksDBException {
        database.flush();
        log.flushed(log.next().number() - 1);
    }

    /**
     * Leaves everything in table files and no log: the next start has nothing to read, and the directory becomes smaller.
     * If that fails half-way, the log is still there.
     */
    void finish() throws IOException, RocksDBException {
        flush();
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
        if (unflushed >= 2 * logTotalBytes) {
            flush();
        } else if (unflushed >= logTotalBytes / FILES * (FILES - 1)) {
            database.beginFlush();
        }
    }

    @Override
    public void close() throws IOException {
        log.close();
    }
}
