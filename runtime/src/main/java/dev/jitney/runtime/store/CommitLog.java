package dev.jitney.runtime.store;

import java.io.IOException;

/**
 * The write-ahead log of one store. It defines the order of batches, and makes them durable before the tables have
 * them.
 *
 * <p>A store appends every batch, and may write the rows to its tables later. Once they are in table files, the store
 * {@linkplain #retire retires} the batches, and the log may reuse their space. Opening the log returns all batches not
 * retired, in order; each kind of log is opened in its own way. The log does not interpret the contents of a batch.
 *
 * <p>For one thread, except {@link #sizeBytes}.
 */
public interface CommitLog extends AutoCloseable {

    /** Returns the position of the next batch. Numbers of batches begin with 1 and have no gaps. */
    LogPosition next();

    /**
     * Appends the {@link #next} batch. The batch is durable when this method returns.
     *
     * @param batch encoded as specified by {@link RowBatchFormat}, at least one byte
     * @throws IOException if the outcome is unknown. The log then refuses appends until it is opened again, which
     *     reveals the outcome.
     */
    void append(byte[] batch) throws IOException;

    /**
     * Returns whether a batch of this size needs more space than the log has available. The caller should then {@link
     * #retire} batches, or write more of them to table files.
     */
    boolean wantsRetirement(int bytes);

    /** Retires all batches up to a number, because they are in table files. */
    void retire(long upTo);

    /** Returns the approximate bytes of batches that are not retired. */
    long unretiredBytes();

    /** Returns the bytes that the log takes on disk, including space kept for reuse. Any thread may call it. */
    long sizeBytes();

    /**
     * Closes and deletes the log, when everything is in table files that need no log.
     *
     * @throws IOException if a file of the log could not be deleted
     */
    void remove() throws IOException;

    @Override
    void close() throws IOException;
}
