package dev.jitney.gateway.amqp.shared;

/**
 * What one connection may cost.
 *
 * @param maxFrameSizeBytes largest frame either way, at least 512
 * @param idleTimeoutMs silence we announce as our limit; the connection is closed after twice that; 0 for no limit
 * @param authenticationTimeoutMs how long a connection may stay without a valid credential (wire reference 2.5)
 * @param unauthenticatedBytesMax how many bytes it may send in that time
 * @param maxSessions sessions of a connection, 1 to 65,536
 * @param maxLinks links of a connection, over all sessions
 * @param inFlightBytesMax bytes of messages handed to shards and not answered, from which on reading pauses
 * @param partialBytesMax bytes of messages that have not arrived whole, from which on the connection is closed
 * @param unfinishedTimeoutMs how long a message or frame may take to arrive whole, in milliseconds; a second more for
 *     each 16 KiB that has come
 * @param unsettledDeliveriesMax deliveries a connection may hold unsettled before it gets no more
 */
public record ConnectionLimits(
        int maxFrameSizeBytes,
        long idleTimeoutMs,
        long authenticationTimeoutMs,
        long unauthenticatedBytesMax,
        int maxSessions,
        int maxLinks,
        long inFlightBytesMax,
        long partialBytesMax,
        long unfinishedTimeoutMs,
        int unsettledDeliveriesMax) {

    private static final long UNFINISHED_TIMEOUT_MS = 60_000;

    public ConnectionLimits {
        if (maxFrameSizeBytes < 512) {
            throw new IllegalArgumentException(
                    "Expected a maximum frame size of at least 512 bytes, but got " + maxFrameSizeBytes + ".");
        }
        if (maxSessions < 1 || maxSessions > 65_536) {
            throw new IllegalArgumentException("Expected 1 to 65536 sessions, but got " + maxSessions + ".");
        }
    }

    /** The limits with the usual time for a message to arrive whole. */
    public ConnectionLimits(
            int maxFrameSizeBytes,
            long idleTimeoutMs,
            long authenticationTimeoutMs,
            long unauthenticatedBytesMax,
            int maxSessions,
            int maxLinks,
            long inFlightBytesMax,
            long partialBytesMax,
            int unsettledDeliveriesMax) {
        this(
                maxFrameSizeBytes,
                idleTimeoutMs,
                authenticationTimeoutMs,
                unauthenticatedBytesMax,
                maxSessions,
                maxLinks,
                inFlightBytesMax,
                partialBytesMax,
                UNFINISHED_TIMEOUT_MS,
                unsettledDeliveriesMax);
    }

    /** The same with another time for a message to arrive whole. */
    public ConnectionLimits withUnfinishedTimeout(long valueMs) {
        return new ConnectionLimits(
                maxFrameSizeBytes,
                idleTimeoutMs,
                authenticationTimeoutMs,
                unauthenticatedBytesMax,
                maxSessions,
                maxLinks,
                inFlightBytesMax,
                partialBytesMax,
                valueMs,
                unsettledDeliveriesMax);
    }

    /**
     * The defaults. What may have arrived of unfinished messages depends on the heap: a quarter of it, but 16 to
     * 256 MiB.
     */
    public static ConnectionLimits defaults() {
        long partial =
                Math.min(256L << 20, Math.max(16L << 20, Runtime.getRuntime().maxMemory() / 4));
        return new ConnectionLimits(65_536, 120_000, 20_000, 256 * 1024, 5_000, 5_000, 8L << 20, partial, 50_000);
    }
}
