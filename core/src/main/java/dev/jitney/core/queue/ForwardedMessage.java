package dev.jitney.core.queue;

import dev.jitney.core.Record;
import dev.jitney.core.Transfer.Origin;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageEnvelope;
import org.jspecify.annotations.Nullable;

/**
 * A message that an entity forwards (FWD-1, FWD-11).
 *
 * @param message the message for the destination, with this transfer counted among its hops
 * @param origin the message in the source entity
 * @param removal removes the message from the source; null if it was never stored there
 */
public record ForwardedMessage(
        IncomingMessage message, Origin origin, @Nullable Record removal) {

    /** Returns whether the message had already made the maximum number of transfers before this one (FWD-9). */
    public boolean isTooFar() {
        return message.hops() > MessageEnvelope.HOPS_MAX;
    }
}
