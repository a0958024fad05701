package dev.jitney.core;

import dev.jitney.model.IncomingMessage;

/**
 * A message on its way from one entity to another (TransferPending): in the outbox of its source until the destination has
 * stored it.
 *
 * @param number taken from the sequence of the source; grows from one transfer to the next, so that the destination
 *     recognises what it has stored already
 * @param destinationId the entity it goes to
 * @param message as it is to be sent there
 */
public record Transfer(long number, long destinationId, IncomingMessage message) {

    /** What it counts towards the size of its source (QUOTA-2). */
    public int sizeBytes() {
        return message.content().sizeBytes();
    }
}
