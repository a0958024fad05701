package dev.jitney.core;

import dev.jitney.model.MessageView;

/** Something a receiver is told, after the records it stands on are durable, in the order it was decided. */
public sealed interface Output {

    long receiverId();

    /** One delivery. */
    record Delivered(long receiverId, MessageView message) implements Output {}

    /**
     * The answer to a drain: all that was available has been delivered and the rest of the credit is used up.
     *
     * @param deliveryLimit the limit the drain named; the receiver's count of deliveries now stands there
     */
    record Drained(long receiverId, long deliveryLimit) implements Output {}
}
