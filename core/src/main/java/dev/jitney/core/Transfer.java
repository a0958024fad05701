package dev.jitney.core;

import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageEnvelope;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way from one entity to another (TransferPending): in the outbox of its source until the destination has
 * stored it.
 *
 * @param number taken from the sequence of the source; grows from one transfer to the next, so that the destination
 *     recognises what it has stored already
 * @param destinationId the entity it goes to
 * @param message as it is to be sent there
 * @param origin where a forwarded message comes from; null if a transaction sends it
 */
public record Transfer(
        long number,
        long destinationId,
        IncomingMessage message,
        @Nullable Origin origin) {

    /**
     * What a forwarded message was in its source, and is again if the destination does not take it (STATE-10).
     *
     * @param lane {@link Lane#MAIN} or {@link Lane#DEAD_LETTER}
     * @param envelope its number, times, delivery count and dead-letter source there; the rest is in the message
     */
    public record Origin(Lane lane, MessageEnvelope envelope) {

        /** Its number in the source. */
        public long sequenceNumber() {
            return envelope.sequenceNumber();
        }

        /** The same with another number. */
        public Origin numbered(long number) {
            return new Origin(lane, envelope.withSequenceNumber(number));
        }
    }

    /** What it counts towards the size of its source (QUOTA-2). */
    public int sizeBytes() {
        return message.content().sizeBytes();
    }
}
