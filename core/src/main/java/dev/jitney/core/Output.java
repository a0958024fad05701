package dev.jitney.core;

import dev.jitney.model.MessageView;

/** An event for a receiver. It is sent after the records of its decision are durable, in the order of decisions. */
public sealed interface Output {

    long receiverId();

    /** A delivery. */
    record Delivered(long receiverId, MessageView message) implements Output {}

    /** The answer to an accept that had to wait. */
    record SessionGranted(long receiverId, String sessionId, long lockedUntilMs) implements Output {}

    /** No session became available in time for an accept (SESS-5). */
    record AcceptTimedOut(long receiverId) implements Output {}

    /** The lock of the receiver's session has ended, and with it the receiver (SESS-10). */
    record SessionLost(long receiverId) implements Output {}

    /**
     * The answer to a drain: all available messages have been delivered, and the remaining credit is used up.
     *
     * @param deliveryLimit the limit that the drain named; the receiver's delivery count is set to it
     */
    record Drained(long receiverId, long deliveryLimit) implements Output {}
}
