package dev.jitney.core;

import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageEnvelope;
import org.jspecify.annotations.Nullable;

/**
 * A message in transfer from one entity to another (TransferPending). It is in the outbox of its source until the
 * destination has stored it.
 *
 * @param number assigned from the sequence of the source; grows with each transfer, so that the destination recognizes
 *     stored transfers
 * @param destinationId the destination entity
 * @param message the message to send to the destination
 * @param origin the origin of a forwarded message; null if a transaction sends the message
 */
public record Transfer(
        long number,
        long destinationId,
        IncomingMessage message,
        @Nullable Origin origin) {

    /**
     * The message in its source before forwarding, which is restored if the destination refuses the message (STATE-10).
     *
     * @param lane {@link Lane#MAIN} or {@link Lane#DEAD_LETTER}
     * @param envelope its number, times, delivery count and dead-letter source there; all other parts are in the message
     */
    public record Origin(Lane lane, MessageEnvelope envelope) {

        /** Returns the number in the source. */
        public long sequenceNumber() {
            return envelope.sequenceNumber();
        }

        /** Returns the same origin with another number. */
        public Origin numbered(long number) {
            return new Origin(lane, envelope.withSequenceNumber(number));
        }
    }

    /** Returns the bytes that count towards the size of the source (QUOTA-2). */
    public int sizeBytes() {
        return message.content().sizeBytes();
    }
}
