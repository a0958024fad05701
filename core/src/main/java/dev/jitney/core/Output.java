package dev.jitney.core;

import dev.jitney.model.MessageView;

/** Something a receiver is told, after the records it stands on are durable, in the order it was decided. */
public sealed interface Output {

    long receiverId();

    /** One delivery. */
    record Delivered(long receiverId, MessageView message) implements Output {}

    /** The answer to an accept that had to wait. */
    record SessionGranted(long receiverId, String sessionId, long lockedUntilMs) implements Output {}

    /** No session became available in time for an accept (SESS-5). */
    record AcceptTimedOut(long receiverId) implements Output {}

    /** The lock of the receiver's session has ended, and with it the receiver (SESS-10). */
    record SessionLost(long receiverId) implements Output {}

    /**
     * The answer to a drain: all that was available has been delivered and the rest of the credit is used up.
     *
     * @param deliveryLimit the limit the drain named; the receiver's count of deliveries now stands there
     */
    record Drained(long receiverId, long deliveryLimit) implements Output {}
}
