package dev.jitney.runtime;

/**
 * Counts operations and bytes of one entity or namespace as the cloud bills them (MET-1, MET-3). Any thread may call
 * it.
 *
 * <p>Each message sent, delivered or forwarded, pings included, is one operation per started 64 KB. A call that moves
 * no message is one operation, and so is a receive that ends empty. Refused requests and the broker's own work are
 * free. Settling is free too: it belongs to the delivery.
 *
 * <p>Totals only grow, as {@code /metrics} requires. A reset moves the start of the interval that {@link #read}
 * returns.
 */
public interface Meter {
    /** Returns all operations since the process started, regardless of resets. */
    long operations();

    /** Returns the bytes of all messages sent since the process started, regardless of resets. */
    long bytesIn();

    /** Returns the bytes of all messages delivered since the process started, regardless of resets. */
    long bytesOut();

    /**
     * Returns the operations and bytes counted since the last reset, or since counting began.
     *
     * @param nowMs the broker's time, milliseconds since the epoch (MET-2)
     */
    MeterReading read(long nowMs);

    /**
     * Restarts counting from zero. An operation counted at the same moment falls on either side.
     *
     * @param nowMs the broker's time, milliseconds since the epoch (MET-2)
     * @return the operations and bytes counted until now
     */
    MeterReading reset(long nowMs);

    /** Returns the number of operations that a message of a size in bytes counts as. */
    static int units(int sizeBytes) {
        int unitBytes = 64 * 1024;
        return Math.max(1, (sizeBytes + unitBytes - 1) / unitBytes);
    }
}
