package dev.jitney.core.transaction.decide;

import dev.jitney.core.queue.decide.Admission;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.Rejection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue or topic in another shard, with only the parts of its description that are known here. Messages reach it
 * through the outbox (TX-4).
 *
 * @param entityId its number in its store
 * @param maxMessageSizeBytes maximum size of a message
 */
public record Destination(long entityId, long maxMessageSizeBytes, Limits limits, boolean requiresSession) {

    @Nullable
    Rejection refuse(List<IncomingMessage> messages) {
        return Admission.refuse(messages, limits, requiresSession, maxMessageSizeBytes);
    }
}
