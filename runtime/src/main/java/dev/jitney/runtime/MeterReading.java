package dev.jitney.runtime;

/**
 * The operations and bytes that a {@link Meter} counted between two instants of the broker's clock (MET-1 to MET-3).
 *
 * @param sinceMs       start of counting, which is the start of service of the entity or the last reset; milliseconds
 *                      since the epoch
 * @param untilMs       time of the reading, milliseconds since the epoch
 * @param sends         operations of messages sent, including pings and scheduled messages
 * @param deliveries    operations of messages delivered: received, peeked, received by number
 * @param emptyReceives receives, peeks and waits for a session that ended empty
 * @param calls         calls that move no message: administration, rules, locks, sessions, cancellation, batch delete
 * @param transfers     operations of messages forwarded
 * @param bytesIn       encoded size of the messages sent and of the session states set
 * @param bytesOut      encoded size of the messages delivered and of the session states read
 */
public record MeterReading(
        long sinceMs,
        long untilMs,
        long sends,
        long deliveries,
        long emptyReceives,
        long calls,
        long transfers,
        long bytesIn,
        long bytesOut) {

    /** Returns all operations, as the cloud bills them. */
    public long operations() {
        return sends + deliveries + emptyReceives + calls + transfers;
    }

    /** Returns the operations and bytes counted after an earlier reading. */
    public MeterReading after(MeterReading earlier) {
        return new MeterReading(
                earlier.untilMs,
                untilMs,
                sends - earlier.sends,
                deliveries - earlier.deliveries,
                emptyReceives - earlier.emptyReceives,
                calls - earlier.calls,
                transfers - earlier.transfers,
                bytesIn - earlier.bytesIn,
                bytesOut - earlier.bytesOut);
    }
}
