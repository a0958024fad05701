package dev.jitney.gateway.http.operator.message;

import dev.jitney.model.EntityKind;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;

/** The number of messages of a queue or sub-queue, as of the last commit. */
public final class QueueCounts {

    private QueueCounts() {}

    /**
     * Returns the number.
     *
     * @param withScheduled whether the scheduled messages of a queue or topic count
     */
    public static long of(Entity entity, SubQueue subQueue, boolean withScheduled) {
        MessageCounts counts = entity.counts();
        long scheduled = withScheduled ? counts.scheduled() : 0;
        return switch (subQueue) {
            case MAIN -> entity.kind() == EntityKind.TOPIC ? scheduled : counts.active() + scheduled;
            case DEAD_LETTER -> counts.deadLetter();
            case TRANSFER_DEAD_LETTER -> counts.transferDeadLetter();
        };
    }
}
