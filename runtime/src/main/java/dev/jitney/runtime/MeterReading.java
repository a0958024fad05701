package dev.jitney.runtime;

/**
 * What a {@link Meter} counted between two moments of the broker's clock (MET-1 to MET-3).
 *
 * @param sinceMs when counting began: when the entity came to be served, or the last reset; milliseconds since the epoch
 * @param untilMs when it was read, milliseconds since the epoch
 * @param sends operations of messages sent, pings and scheduled ones included
 * @param deliveries operations of messages handed out: received, peeked, received by number
 * @param emptyReceives receives, peeks and waits for a session that ended without any
 * @param calls calls that move no message: administration, rules, locks, sessions, cancelling, batch delete
 * @param transfers operations of messages forwarded
 * @param bytesIn encoded size of what was sent, and of session states set
 * @param bytesOut encoded size of what was handed out, and of session states got
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

    /** All operations, as the cloud bills them. */
    public long operations() {
        return sends + deliveries + emptyReceives + calls + transfers;
    }

    /** What was counted after an earlier reading. */
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
