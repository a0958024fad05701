package dev.jitney.core.topic;

import dev.jitney.model.EntityStatus;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;

/** What the state of a queue has to know of a topic or a subscription, which hold their messages the same way. */
public final class AsQueue {

    private AsQueue() {}

    /** A topic: scheduled messages wait in it (SCHED-7), and may be peeked at while it is disabled (SUSP-2). */
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

    /** A subscription; its quota is the topic's, which is asked before a message is taken. */
    public static QueueDescription of(SubscriptionDescription subscription) {
        return QueueDescription.named(subscription.path())
                .lockDurationMs(subscription.lockDurationMs())
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
