package dev.jitney.simulation.model.state;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import org.jspecify.annotations.Nullable;

/** What the model has to know of a description. */
public record EntitySettings(
        boolean topic,
        long lockMs,
        long timeToLiveMs,
        int maxDeliveries,
        boolean deadLettersExpired,
        boolean sessions,
        boolean detectsDuplicates,
        @Nullable String forwardTo,
        @Nullable String forwardDeadLettersTo,
        EntityStatus status,
        long idleMs,
        boolean deadLettersFailures,
        int fragments) {

    /** Of a fragment whose entity is not there yet. */
    public static final EntitySettings NONE = new EntitySettings(
            false, 0, 0, 0, false, false, false, null, null, EntityStatus.DISABLED, Long.MAX_VALUE, false, 1);

    /** @param partitions how many fragments a partitioned entity has */
    public static EntitySettings of(EntityDescription description, int partitions) {
        if (description instanceof QueueDescription q) {
            return new EntitySettings(
                    false,
                    q.lockDurationMs(),
                    q.defaultMessageTimeToLiveMs(),
                    q.maxDeliveryCount(),
                    q.deadLetteringOnMessageExpiration(),
                    q.requiresSession(),
                    q.requiresDuplicateDetection(),
                    q.forwardTo(),
                    q.forwardDeadLetteredMessagesTo(),
                    q.status(),
                    q.autoDeleteOnIdleMs(),
                    false,
                    q.enablePartitioning() ? partitions : 1);
        } else if (description instanceof SubscriptionDescription s) {
            return new EntitySettings(
                    false,
                    s.lockDurationMs(),
                    s.defaultMessageTimeToLiveMs(),
                    s.maxDeliveryCount(),
                    s.deadLetteringOnMessageExpiration(),
                    s.requiresSession(),
                    false,
                    s.forwardTo(),
                    s.forwardDeadLetteredMessagesTo(),
                    s.status(),
                    s.autoDeleteOnIdleMs(),
                    s.deadLetteringOnFilterEvaluationExceptions(),
                    1);
        }
        TopicDescription t = (TopicDescription) description;
        return new EntitySettings(
                true,
                0,
                t.defaultMessageTimeToLiveMs(),
                0,
                false,
                false,
                t.requiresDuplicateDetection(),
                null,
                null,
                t.status(),
                t.autoDeleteOnIdleMs(),
                false,
                t.enablePartitioning() ? partitions : 1);
    }

    /** Whether there are several fragments. */
    public boolean isPartitioned() {
        return fragments > 1;
    }

    /** Whether messages are handed on instead of kept. */
    public boolean forwards() {
        return forwardTo != null;
    }
}
