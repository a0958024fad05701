package dev.jitney.runtime;

/**
 * Counts operations and bytes of one entity or namespace as the cloud bills them (MET-1, MET-3): one operation per started
 * 64 KB of each message sent, delivered or forwarded, pings included, and one per call that moves no message and per receive
 * that ends empty. What is refused and what the broker does by itself is free, and so is settling: it belongs to the
 * delivery. Any thread may call it.
 *
 * <p>Totals only grow, which is what {@code /metrics} shows; a reset moves the moment that {@link #read} counts from.
 */
public interface Meter {
    /** All operations since the process started, whatever was reset. */
    long operations();

    /** Bytes of all messages sent since the process started, whatever was reset. */
    long bytesIn();

    /** Bytes of all messages handed out since the process started, whatever was reset. */
    long bytesOut();

    /**
     * What was counted since the last reset, or since the beginning.
     *
     * @param nowMs the broker's time, milliseconds since the epoch (MET-2)
     */
    MeterReading read(long nowMs);

    /**
     * Counts from zero again. What is counted at this very moment falls on one side or the other.
     *
     * @param nowMs the broker's time, milliseconds since the epoch (MET-2)
     * @return what was counted until now
     */
    MeterReading reset(long nowMs);

    /** How many operations a message is, by its size in bytes. */
    static int units(int sizeBytes) {
        int unitBytes = 64 * 1024;
        return Math.max(1, (sizeBytes + unitBytes - 1) / unitBytes);
    }
}
