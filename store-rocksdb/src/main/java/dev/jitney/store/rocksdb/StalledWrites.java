package dev.jitney.store.rocksdb;

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
final class StalledWrites implements AutoCloseable {
    private static final long LOOK_MS = 500;

    /** The looks in a row that find writes stopped after a failed flush, before the writes are ended. RocksDB may find space meanwhile. */
    private static final int LOOKS = 3;

    private final RocksDB db;
    private final Thread thread;
    private volatile boolean writing;
    private volatile boolean resting;
    private volatile boolean ended;

    // Guarded by this.
    private boolean closed;

    StalledWrites(RocksDB db) {
        this.db = db;
        thread = new Thread(this::look, "jitney-stalled-writes");
        thread.setDaemon(true);
        thread.start();
    }

    /** Notes that a write begins. Cheap. */
    void begin() {
        writing = true;
        if (resting) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /** Notes that a write has ended, or has failed. */
    void end() {
        writing = false;
    }

    /** Returns whether this object has ended a write, and with it the use of the database. */
    boolean hasEnded() {
        return ended;
    }

    private void look() {
        try {
            int stopped = 0;
            while (await()) {
                stopped = isStopped() ? stopped + 1 : 0;
                if (stopped == LOOKS) {
                    ended = true;
                    db.cancelAllBackgroundWork(false);
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // only the end of the process interrupts this thread
        } catch (RocksDBException e) {
            // The database has failed, so its writes fail themselves.
        }
    }

    /** Waits for a write, and for the time of the next look. Returns false after the end. */
    private synchronized boolean await() throws InterruptedException {
        resting = true;
        while (!closed && !writing) {
            wait();
        }
        resting = false;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LOOK_MS);
        while (!closed && end - System.nanoTime() > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, end - System.nanoTime());
        }
        return !closed;
    }

    /** Returns whether a write waits, or would wait, for a flush that has failed before. */
    private boolean isStopped() throws RocksDBException {
        return db.getLongProperty("rocksdb.is-write-stopped") != 0
                && db.getLongProperty("rocksdb.background-errors") > 0;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true; // the thread uses a native object, which must not be freed before it ends
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
