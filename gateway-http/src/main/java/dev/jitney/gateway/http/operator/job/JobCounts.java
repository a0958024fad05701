package dev.jitney.gateway.http.operator.job;

import dev.jitney.model.EntityKind;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;

/** The number of messages that a purge finds, as of the last commit. */
final class JobCounts {

    private JobCounts() {}

    static long active(Entity entity, SubQueue subQueue) {
        MessageCounts counts = entity.counts();
        return switch (subQueue) {
            case MAIN -> entity.kind() == EntityKind.TOPIC ? 0 : counts.active();
            case DEAD_LETTER -> counts.deadLetter();
            case TRANSFER_DEAD_LETTER -> counts.transferDeadLetter();
        };
    }
}
