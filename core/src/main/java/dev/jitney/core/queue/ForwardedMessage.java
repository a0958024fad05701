package dev.jitney.core.queue;

import dev.jitney.core.Record;
import dev.jitney.core.Transfer.Origin;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageEnvelope;
import org.jspecify.annotations.Nullable;

/**
 * A message that an entity hands on (FWD-1, FWD-11).
 *
 * @param message as the destination is to take it, this transfer counted among its hops
 * @param origin what it was in the entity
 * @param removal takes it out of there; null if it was never kept there
 */
public record ForwardedMessage(
        IncomingMessage message, Origin origin, @Nullable Record removal) {

    /** Whether it has made as many transfers as a message may, before this one (FWD-9). */
    public boolean isTooFar() {
        return message.hops() > MessageEnvelope.HOPS_MAX;
    }
}
