package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.Table;
import java.nio.file.Path;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * The tables of a store behind a log: the latest batches in a {@link WriteBuffer}, everything older in RocksDB,
 * whose own log is not used. It receives batches that are durable elsewhere, in order, and reports how many of them
 * are in table files.
 *
 * <p>Each write to RocksDB also sets the position up to which RocksDB has all batches, in a {@link PositionRow}.
 * Memtables of all tables are flushed together, at one point between two batches. So this row in the table files
 * determines exactly which batches are in them: only later ones are read from the log when the store opens.
 *
 * <p>One thread adds batches; others may read, spill and flush at the same time.
 */
final class Tables {
    /**
     * The approximate bytes of one write to RocksDB: a size that stays in the processor's cache until RocksDB copies
     * it.
     */
    private static final int SPILL_BYTES = 256 << 10;

    /** The share of a row in the usual size of the buffer above which rows are large. Most messages have a row that adds and one that removes them. */
    private static final int LARGE_ROW_BYTES = 512;

    private final Database database;
    private final PositionRow row;
    private final LongFunction<byte[]> positions;
    private final long bufferBytesMax;
    private final long largeBufferBytesMax;
    private final BufferExtension extension;

    /** The bytes of the extension that the buffer uses. Guarded by the buffer. */
    private long extendedBytes;

    /** Guarded by the buffer. */
    private boolean closed;

    /** Guarded by itself; the same lock ensures that RocksDB has all rows that are not in it. */
    private final WriteBuffer buffer = new WriteBuffer();

    // Guarded by the buffer.
    private final RocksDbRows spilling;

    /** The last batch, if it is not indexed yet. */
    private byte @Nullable [] newest;

    private int newestLength;
    private long newestNumber;

    /** The error after which rows that left the buffer are missing for readers; the store must be opened again. */
    private @Nullable RocksDBException failed;

    /**
     * @param row       the row for positions
     * @param positions returns the value of the row for the number of a batch; called with numbers in ascending order
     */
    Tables(Database database, PositionRow row, LongFunction<byte[]> positions, Sizing sizing) {
        this(database, row, positions, sizing.recentBytes(), sizing.recentBytes(), BufferExtension.OF_PROCESS);
    }

    /**
     * @param bufferBytesMax      the size of the write buffer above which older batches move to RocksDB
     * @param largeBufferBytesMax the same while its rows are large, at least as much; the excess counts in the extension
     */
    Tables(
            Database database,
            PositionRow row,
            LongFunction<byte[]> positions,
            long bufferBytesMax,
            long largeBufferBytesMax,
            BufferExtension extension) {
        this.database = database;
        this.row = row;
        this.positions = positions;
        this.bufferBytesMax = bufferBytesMax;
        this.largeBufferBytesMax = largeBufferBytesMax;
        this.extension = extension;
        spilling = new RocksDbRows(database.familyIds());
    }

    /** Writes a batch to RocksDB immediately, while the store opens. */
    void restore(long number, byte[] batch) throws RocksDBException {
        synchronized (buffer) {
            writeThrough(number, batch, batch.length);
        }
    }

    /**
     * Adds a durable batch, which can be read from now on. The caller may {@link #index} it later; otherwise the next
     * operation that needs the index does.
     *
     * @param batch        an array that begins with the batch, which must not change any more
     * @param length       the bytes of the batch
     * @param deletesRange whether the batch deletes a range, which the buffer does not support
     */
    void add(long number, byte[] batch, int length, boolean deletesRange) throws RocksDBException {
        synchronized (buffer) {
            if (deletesRange) {
                spill();
                writeThrough(number, batch, length);
            } else {
                newest = batch;
                newestLength = length;
                newestNumber = number;
            }
        }
    }

    private void writeThrough(long number, byte[] batch, int length) throws RocksDBException {
        spilling.addAll(batch, length);
        writeSpilling(number);
    }

    /** Indexes the newest batch, and moves older ones to RocksDB if the buffer is full. */
    void index() throws RocksDBException {
        synchronized (buffer) {
            if (failed != null) {
                throw failed;
            }
            byte[] batch = newest;
            if (batch != null) {
                newest = null;
                buffer.add(batch, newestLength, newestNumber);
                if (buffer.bytes() > bufferBytesMax && buffer.bytes() > limit()) {
                    // Not more at once, so that a turn does not take long after rows were large.
                    spill(Math.max(0, buffer.bytes() - Math.max(bufferBytesMax / 2, 2L * batch.length)));
                }
                extended();
            }
        }
    }

    /** Returns the bytes of batches that the buffer may have now, which it exceeds by one batch at most. */
    private long limit() {
        if (buffer.rows() > bufferBytesMax / LARGE_ROW_BYTES) {
            return bufferBytesMax;
        }
        return Math.min(largeBufferBytesMax, bufferBytesMax + extendedBytes + Math.max(0, extension.freeBytes()));
    }

    /** Counts what the buffer uses of the extension. */
    private void extended() {
        long bytes = closed ? 0 : Math.max(0, buffer.bytes() - bufferBytesMax);
        extension.use(extendedBytes, bytes);
        extendedBytes = bytes;
    }

    /** Calls {@link #index}, but reports a failure only to the next operation on the store. */
    void indexQuietly() {
        synchronized (buffer) {
            try {
                index();
            } catch (RocksDBException e) {
                failed = e;
            }
        }
    }

    /** Writes all batches in the buffer to RocksDB, so that it can be scanned. */
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
        extended();
    }

    private void writeSpilling(long upTo) throws RocksDBException {
        try {
            database.write(spilling.encodedWith(row.key(), positions.apply(upTo)));
        } catch (RocksDBException e) {
            failed = e;
            throw e;
        } finally {
            spilling.clear();
        }
    }

    /** Returns a row as of the last batch. */
    byte @Nullable [] get(Table table, byte[] key) throws RocksDBException {
        WriteBuffer.Found found;
        synchronized (buffer) {
            index();
            found = buffer.find(table, key);
        }
        return found.known() ? found.value() : database.get(table, key);
    }

    /** Writes all batches to table files. */
    void flush() throws RocksDBException {
        spill();
        database.flush();
    }

    /**
     * Begins to write the batches that have moved to RocksDB to table files. The newest ones stay in the buffer, where most of their
     * rows will be deleted before they move. Does nothing if no flush can begin at the moment.
     */
    void beginFlushOfOlder() throws RocksDBException {
        database.beginFlush();
    }

    /** Returns the bytes of batches that are not in RocksDB. */
    long bufferedBytes() {
        synchronized (buffer) {
            return buffer.bytes();
        }
    }

    /** Ends the use of the extension by this object, which is not used any more. */
    void close() {
        synchronized (buffer) {
            closed = true;
            extended();
        }
    }

    /** Begins to write all batches to table files. Returns false if that is not possible at the moment. */
    boolean beginFlush() throws RocksDBException {
        spill();
        return database.beginFlush();
    }

    /**
     * Writes a copy of the tables with exactly the batches up to one position. Most of the work is done while batches may
     * be added. Only the rest of it holds the lock: between two writes of older batches, RocksDB may lack rows that later
     * batches in the buffer have replaced or deleted.
     *
     * @param directory the directory of the copy, which must not exist
     * @return the position, as a value of the row; null if nothing was ever written
     */
    byte @Nullable [] checkpoint(Path directory) throws RocksDBException {
        flush();
        synchronized (buffer) {
            spill();
            database.checkpoint(directory);
            return row.read(database);
        }
    }

    /**
     * Writes a copy of the tables as a crash at this moment could leave them. Others add batches and read meanwhile. The copy
     * needs the batches behind the position of its own row, at least up to the newest one that was added before this returned.
     * Rows that those batches replace or delete may be missing in it.
     *
     * @param directory the directory of the copy, which must not exist
     * @return a position that the copy has, as a value of the row, or an earlier one
     */
    byte @Nullable [] checkpointForReplay(Path directory) throws RocksDBException {
        database.flush();
        byte[] position = flushed();
        database.checkpoint(directory);
        return position;
    }

    /** Returns the position in table files as a value of the row, or null: they contain all batches up to it. */
    byte @Nullable [] flushed() throws RocksDBException {
        return row.readFlushed(database);
    }
}
