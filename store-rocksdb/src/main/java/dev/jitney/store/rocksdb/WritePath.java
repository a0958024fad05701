package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.LogPosition;
import java.io.IOException;
import org.rocksdb.RocksDBException;

/**
 * The path of batches into the tables of an open store. It differs by the log that makes batches durable: a single node has
 * its own, see {@link CommitPipeline}.
 *
 * <p>For the thread that writes, except {@link #tables}, {@link #logBytes} and {@link #unwrittenBytes}, which any thread may use.
 */
interface WritePath extends AutoCloseable {

    /** Returns the tables that receive the batches. */
    Tables tables();

    /** Returns the last batch in the store's own log; its number is 0 if the store needs no log of its own. */
    LogPosition last();

    /** Returns the bytes of all files of the store's own log. */
    long logBytes();

    /** Returns the bytes of batches that will still be written to the disk of the store. */
    long unwrittenBytes();

    /**
     * Writes all batches to table files before the store closes, so that the next start need not read a log.
     *
     * @param marker the durability marker, which must not require a log that this removes
     */
    void finish(DurabilityMarker marker) throws IOException, RocksDBException;

    @Override
    void close() throws IOException;
}
