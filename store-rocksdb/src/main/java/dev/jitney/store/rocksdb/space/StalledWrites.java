package dev.jitney.store.rocksdb.space;

import java.util.concurrent.TimeUnit;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Ends writes that wait for space on a full disk. When all memtables are full and RocksDB cannot write one of them for lack of space, it
 * looks for space every few seconds, and a write waits for that without a limit. The store must fail instead, because the thread of the
 * shard would hang: requests get refused then, and the store is opened again when there is room.
 *
 * <p>A thread looks at the database while writes are made. RocksDB permits no other operation on a database whose write it has ended. For
 * one writing thread at a time.
 */
public final class StalledWrites implements AutoCloseable {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(500);

    /** The looks in a row that find writes stopped after a failed flush, before the writes are ended. RocksDB may find space meanwhile. */
    private static final int LOOKS = 3;

    private final RocksDB db;
    private final BackgroundThread looking = new BackgroundThread("jitney-stalled-writes", this::look, ns -> LOOK_NS);
    private volatile boolean writing;
    private volatile boolean ended;

    /** For the thread that looks. */
    private int stopped;

    /** @param db the open database, which must be closed after this object */
    public StalledWrites(RocksDB db) {
        this.db = db;
    }

    /** Notes that a write begins. Cheap. */
    public void begin() {
        writing = true;
        looking.wake();
    }

    /** Notes that a write has ended, or has failed. */
    public void end() {
        writing = false;
    }

    /** Returns whether this object has ended a write, and with it the use of the database. */
    public boolean hasEnded() {
        return ended;
    }

    private void look() {
        if (ended) {
            return;
        }
        try {
            stopped = isStopped() ? stopped + 1 : 0;
        } catch (RocksDBException e) {
            return; // the database has failed, so its writes fail themselves
        }
        if (stopped == LOOKS) {
            ended = true;
            db.cancelAllBackgroundWork(false);
        } else if (writing) {
            looking.wake(); // a write that waits begins once
        }
    }

    /** Returns whether a write waits, or would wait, for a flush that has failed before. */
    private boolean isStopped() throws RocksDBException {
        return db.getLongProperty("rocksdb.is-write-stopped") != 0
                && db.getLongProperty("rocksdb.background-errors") > 0;
    }

    @Override
    public void close() {
        looking.close();
    }
}
