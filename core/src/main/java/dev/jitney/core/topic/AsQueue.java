package dev.jitney.core.topic;

import dev.jitney.model.EntityStatus;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;

/**
 * The description of a topic or subscription in the form of a queue, for the state, which stores messages of all kinds of
 * entities in the same way.
 */
public final class AsQueue {

    private AsQueue() {}

    /**
     * Returns the description of a topic: scheduled messages wait in it (SCHED-7), and can be peeked while it is disabled
     * (SUSP-2).
     */
    public static QueueDescription of(TopicDescription topic) {
        return QueueDescription.named(topic.path())
                .defaultMessageTimeToLiveMs(topic.defaultMessageTimeToLiveMs())
                .maxSizeInMegabytes(topic.maxSizeInMegabytes())
                .maxMessageSizeInKilobytes(topic.maxMessageSizeInKilobytes())
                .autoDeleteOnIdleMs(topic.autoDeleteOnIdleMs())
                .enablePartitioning(topic.enablePartitioning())
                .requiresDuplicateDetection(topic.requiresDuplicateDetection())
                .duplicateDetectionHistoryTimeWindowMs(topic.duplicateDetectionHistoryTimeWindowMs())
                .status(topic.status() == EntityStatus.DISABLED ? EntityStatus.SEND_DISABLED : topic.status())
                .build();
    }

    /** Returns the description of a subscription. Its quota and its maximum message size are those of the topic. */
    public static QueueDescription of(SubscriptionDescription subscription, TopicDescription topic) {
        return QueueDescription.named(subscription.path())
                .lockDurationMs(subscription.lockDurationMs())
                .maxSizeInMegabytes(topic.maxSizeInMegabytes())
                .maxMessageSizeInKilobytes(topic.maxMessageSizeInKilobytes())
                .requiresSession(subscription.requiresSession())
                .defaultMessageTimeToLiveMs(subscription.defaultMessageTimeToLiveMs())
                .deadLetteringOnMessageExpiration(subscription.deadLetteringOnMessageExpiration())
                .maxDeliveryCount(subscription.maxDeliveryCount())
                .autoDeleteOnIdleMs(subscription.autoDeleteOnIdleMs())
                .forwardTo(subscription.forwardTo())
                .forwardDeadLetteredMessagesTo(subscription.forwardDeadLetteredMessagesTo())
                .status(subscription.status())
                .build();
    }
}
