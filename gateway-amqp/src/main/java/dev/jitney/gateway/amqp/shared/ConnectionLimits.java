package dev.jitney.gateway.amqp.shared;

/**
 * The limits of one connection.
 *
 * @param maxFrameSizeBytes largest frame in either direction, at least 512
 * @param idleTimeoutMs announced idle timeout; the connection is closed after twice that time; 0 for no limit
 * @param authenticationTimeoutMs time that a connection may stay open without a valid credential (wire reference 2.5)
 * @param unauthenticatedBytesMax bytes that it may send in that time
 * @param maxSessions sessions of a connection, 1 to 65,536
 * @param maxLinks links of a connection, over all sessions
 * @param inFlightBytesMax bytes of messages passed to shards and not yet answered, above which reading pauses
 * @param partialBytesMax bytes of incomplete messages, above which the connection is closed
 * @param unfinishedTimeoutMs time within which a message or frame must arrive completely, in milliseconds, plus a
 *                            second for each 16 KiB that has arrived
 * @param unsettledDeliveriesMax unsettled deliveries of a connection, at which it gets no more
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

    /** Creates limits with the default time for a message to arrive completely. */
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

    /** Returns a copy with another time for a message to arrive completely. */
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
     * Returns the defaults. The limit for incomplete messages depends on the heap: a quarter of it, but at least 16 and
     * at most 256 MiB.
     */
    public static ConnectionLimits defaults() {
        long partial =
                Math.min(256L << 20, Math.max(16L << 20, Runtime.getRuntime().maxMemory() / 4));
        return new ConnectionLimits(65_536, 120_000, 20_000, 256 * 1024, 5_000, 5_000, 8L << 20, partial, 50_000);
    }
}
