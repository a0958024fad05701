package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.LogPosition;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * The tables of a store behind its log: the last batches in a {@link WriteBuffer}, everything older in RocksDB, whose own log is
 * not used. It takes batches that are durable elsewhere, in their order, and says how far it has them in table files.
 *
 * <p>What goes into RocksDB carries the place in the log up to which RocksDB has everything, in one row of the default column
 * family. Memtables of all tables are flushed together, at one point between two batches, so this row of the table files says
 * exactly which batches are in them: those behind it are needed from the log when the store opens, those up to it are not.
 *
 * <p>One thread adds batches; others may read meanwhile, spill and flush.
 */
final class Tables {
    private static final byte[] POSITION = "log".getBytes(StandardCharsets.US_ASCII);

    /** What is written to RocksDB at once, more or less: what the processor still has at hand when RocksDB copies it. */
    private static final int SPILL_BYTES = 256 << 10;

    private final Database database;
    private final long log;
    private final long bufferBytesMax;

    /** Guarded by itself, and so is that RocksDB has all that is not in it. */
    private final WriteBuffer buffer = new WriteBuffer();

    // Used with the buffer.
    private final RocksDbRows spilling;

    /** The last batch, if it is not indexed yet. */
    private byte @Nullable [] newest;

    private long newestNumber;

    /** Rows that were to spill are lost to readers; the store has to be opened again. */
    private @Nullable RocksDBException failed;

    /** @param log of which batches come */
    Tables(Database database, long log, Sizing sizing) {
        this.database = database;
        this.log = log;
        bufferBytesMax = sizing.recentBytes();
        spilling = new RocksDbRows(database.familyIds());
    }

    /**
     * The place in a log up to which RocksDB had everything when it was opened.
     *
     * @return null if it knows of no log
     * @throws StoreException {@code CORRUPT} if the row cannot be one
     */
    static @Nullable LogPosition position(Database database) throws StoreException, RocksDBException {
        byte[] row = database.get(POSITION);
        if (row == null) {
            return null;
        }
        LogPosition position = LogPosition.decode(row);
        if (position == null) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected 16 bytes that say how much of the log is in the tables, but got " + row.length);
        }
        return position;
    }

    /** Forgets the log, in the table files when this returns. Everything has to be in them before. */
    static void removePosition(Database database) throws RocksDBException {
        database.deleteFlushed(POSITION);
    }

    /** Gives a batch to RocksDB at once, as a store does that opens. */
    void restore(long number, byte[] batch) throws RocksDBException {
        synchronized (buffer) {
            writeThrough(number, batch);
        }
    }

    /**
     * Takes a batch that is durable: it can be read from now on. {@link #index} may follow when there is time; else whoever needs
     * it does it.
     *
     * @param deletesRange whether the batch does that, which the buffer cannot
     */
    void add(long number, byte[] batch, boolean deletesRange) throws RocksDBException {
        synchronized (buffer) {
            if (deletesRange) {
                spill();
                writeThrough(number, batch);
            } else {
                newest = batch;
                newestNumber = number;
            }
        }
    }

    private void writeThrough(long number, byte[] batch) throws RocksDBException {
        spilling.addAll(batch);
        writeSpilling(number);
    }

    /** Puts the newest batch into the index, and older ones into RocksDB if the buffer is full. */
    void index() throws RocksDBException {
        synchronized (buffer) {
            if (failed != null) {
                throw failed;
            }
            byte[] batch = newest;
            if (batch != null) {
                newest = null;
                buffer.add(batch, newestNumber);
                if (buffer.bytes() > bufferBytesMax) {
                    spill(bufferBytesMax / 2);
                }
            }
        }
    }

    /** Does as {@link #index}, but that a failure is told to who uses the store next. */
    void indexQuietly() {
        synchronized (buffer) {
            try {
                index();
            } catch (RocksDBException e) {
                failed = e;
            }
        }
    }

    /** Gives RocksDB everything it does not have yet, so that it can be scanned. */
    void spill() throws RocksDBException {
        synchronized (buffer) {
            index();
            spill(0);
        }
    }

    private void spill(long keep) throws RocksDBException {
        while (buffer.bytes() > keep) {
            writeSpilling(buffer.take(keep, spilling, SPILL_BYTES));
        }
    }

    private void writeSpilling(long upTo) throws RocksDBException {
        try {
            database.write(spilling.encodedWith(POSITION, new LogPosition(log, upTo).encoded()));
        } catch (RocksDBException e) {
            failed = e;
            throw e;
        } finally {
            spilling.clear();
        }
    }

    /** A row as of the last batch. */
    byte @Nullable [] get(Table table, byte[] key) throws RocksDBException {
        WriteBuffer.Found found;
        synchronized (buffer) {
            index();
            found = buffer.find(table, key);
        }
        return found.known() ? found.value() : database.get(table, key);
    }

    /** Writes everything to table files. */
    void flush() throws RocksDBException {
        spill();
        database.flush();
    }

    /** Begins to write everything to table files. */
    void beginFlush() throws RocksDBException {
        spill();
        database.beginFlush();
    }

    /** The number of the last batch that is in table files with all before it, 0 if that is not known. */
    long flushed() throws RocksDBException {
        byte[] row = database.getFlushed(POSITION);
        LogPosition position = row == null ? null : LogPosition.decode(row);
        return position == null ? 0 : position.number();
    }
}
