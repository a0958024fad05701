package dev.jitney.core.queue.decide;

import dev.jitney.core.Record;
import dev.jitney.core.Transfer.Origin;
import dev.jitney.model.Rejection;
import org.jspecify.annotations.Nullable;

/**
 * The removal of a chosen message, or its refusal.
 *
 * @param removal null exactly when {@code rejection} is not
 * @param origin the message in its queue, to restore it if a transfer fails; null with a rejection
 */
public record TakenMessage(
        @Nullable Record removal,
        @Nullable Origin origin,
        @Nullable Rejection rejection) {

    static TakenMessage refused(Rejection reason) {
        return new TakenMessage(null, null, reason);
    }
}
