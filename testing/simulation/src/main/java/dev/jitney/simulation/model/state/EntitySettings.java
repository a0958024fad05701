package dev.jitney.simulation.model.state;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an entity that the model uses.
 *
 * @param duplicatesMs the window of duplicate detection in milliseconds; 0 if the entity detects none
 */
public record EntitySettings(
        boolean topic,
        long lockMs,
        long timeToLiveMs,
        int maxDeliveries,
        boolean deadLettersExpired,
        boolean sessions,
        long duplicatesMs,
        @Nullable String forwardTo,
        @Nullable String forwardDeadLettersTo,
        EntityStatus status,
        long idleMs,
        boolean deadLettersFailures,
        int fragments) {

    /** The settings of a fragment whose entity is not created yet. */
    public static final EntitySettings NONE = new EntitySettings(
            false, 0, 0, 0, false, false, 0, null, null, EntityStatus.DISABLED, Long.MAX_VALUE, false, 1);

    /**
     * Returns the settings in a description.
     *
     * @param partitions the number of fragments of a partitioned entity
     */
    public static EntitySettings of(EntityDescription description, int partitions) {
        if (description instanceof QueueDescription q) {
            return new EntitySettings(
                    false,
                    q.lockDurationMs(),
                    q.defaultMessageTimeToLiveMs(),
                    q.maxDeliveryCount(),
                    q.deadLetteringOnMessageExpiration(),
                    q.requiresSession(),
                    q.requiresDuplicateDetection() ? q.duplicateDetectionHistoryTimeWindowMs() : 0,
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
                    0,
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
                t.requiresDuplicateDetection() ? t.duplicateDetectionHistoryTimeWindowMs() : 0,
                null,
                null,
                t.status(),
                t.autoDeleteOnIdleMs(),
                false,
                t.enablePartitioning() ? partitions : 1);
    }

    /** Returns whether the entity detects duplicates. */
    public boolean detectsDuplicates() {
        return duplicatesMs > 0;
    }

    /** Returns whether the entity is partitioned. */
    public boolean isPartitioned() {
        return fragments > 1;
    }

    /** Returns whether the entity forwards messages instead of keeping them. */
    public boolean forwards() {
        return forwardTo != null;
    }
}
