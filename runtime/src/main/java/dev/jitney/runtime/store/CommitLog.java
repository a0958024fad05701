package dev.jitney.runtime.store;

import java.io.IOException;

/**
 * The log of one store: the order of its batches, and the place where they are durable before tables have them.
 *
 * <p>A store appends every batch, and may take its time to bring the rows into tables. When it has them in table files it
 * {@linkplain #retire retires} the batches, and the log may use their space again. What is not retired comes back, in order, when
 * the log is opened; each kind of log has a way of its own to be opened. The log knows nothing of what is in a batch.
 *
 * <p>For one thread but for {@link #sizeBytes}.
 */
public interface CommitLog extends AutoCloseable {

    /** Where the next batch will be. Numbers of batches begin with 1 and have no gaps. */
    LogPosition next();

    /**
     * Appends the {@link #next} batch; it is durable when this returns.
     *
     * @param batch encoded as {@link RowBatchFormat} says, at least one byte
     * @throws IOException if it is not known whether it is. The log then takes nothing more until it is opened again, which tells
     */
    void append(byte[] batch) throws IOException;

    /**
     * Whether a batch of so many bytes takes more space than the log has at hand: the time to {@link #retire} what can be, or
     * to bring more into table files.
     */
    boolean wantsRetirement(int bytes);

    /** Lets go of all batches up to a number, because they are in table files. */
    void retire(long upTo);

    /** Bytes of the log that hold batches which are not retired, more or less. */
    long unretiredBytes();

    /** Bytes the log takes, with those that it keeps to write on them again. Any thread may ask. */
    long sizeBytes();

    /**
     * Closes the log and removes it, for when everything is in table files that need no log.
     *
     * @throws IOException if something of it is left
     */
    void remove() throws IOException;

    @Override
    void close() throws IOException;
}
