package dev.jitney.core.namespace;

import dev.jitney.model.EntityNames;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.Limits;
import dev.jitney.model.Rejection;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Judges topic descriptions: ranges, gates of the tier, what may change later (semantics chapter 19). */
public final class TopicRules {

    private TopicRules() {}

    /** Judges a topic that is to be created; null if it may be. */
    public static @Nullable Rejection refuseCreation(TopicDescription topic, Limits limits) {
        Rejection refusal = EntityNames.refusePath(topic.path());
        if (refusal == null) {
            refusal = TierGates.refuseTopics(limits);
        }
        if (refusal == null) {
            refusal = SizeRules.entity(topic.maxSizeInMegabytes(), limits);
        }
        if (refusal == null) {
            refusal = SizeRules.message(topic.maxMessageSizeInKilobytes(), limits);
        }
        return refusal != null ? refusal : refuseProperties(topic, limits);
    }

    /** Judges a change; null if it may be made. A size that stays as it is may stay, whatever the limits are by now. */
    public static @Nullable Rejection refuseUpdate(TopicDescription old, TopicDescription changed, Limits limits) {
        Rejection refusal = refuseFixed(old, changed);
        if (refusal == null && old.maxSizeInMegabytes() != changed.maxSizeInMegabytes()) {
            refusal = SizeRules.entity(changed.maxSizeInMegabytes(), limits);
        }
        if (refusal == null && !Objects.equals(old.maxMessageSizeInKilobytes(), changed.maxMessageSizeInKilobytes())) {
            refusal = SizeRules.message(changed.maxMessageSizeInKilobytes(), limits);
        }
        return refusal != null ? refusal : refuseProperties(changed, limits);
    }

    private static @Nullable Rejection refuseFixed(TopicDescription old, TopicDescription changed) {
        if (old.enablePartitioning() != changed.enablePartitioning()) {
            return DescriptionChecks.partitioningFixed("topic", old.path(), old.enablePartitioning());
        }
        String fixed = null;
        if (old.requiresDuplicateDetection() != changed.requiresDuplicateDetection()) {
            fixed = "RequiresDuplicateDetection";
        } else if (old.enableSubscriptionPartitioning() != changed.enableSubscriptionPartitioning()) {
            fixed = "EnableSubscriptionPartitioning";
        } else if (old.enableFilteringMessagesBeforePublishing() != changed.enableFilteringMessagesBeforePublishing()) {
            fixed = "EnableFilteringMessagesBeforePublishing";
        }
        return fixed == null ? null : DescriptionChecks.fixed(fixed, "topic", old.path());
    }

    private static @Nullable Rejection refuseProperties(TopicDescription topic, Limits limits) {
        boolean premium = limits.tier() == TierProfile.PREMIUM;
        Rejection refusal = null;
        if (topic.status() == EntityStatus.RECEIVE_DISABLED) { // SUSP-2
            refusal = DescriptionChecks.argument(
                    "Expected Status Active, Disabled or SendDisabled of a topic, but got ReceiveDisabled.");
        }
        if (refusal == null) {
            refusal = DescriptionChecks.express(topic.enableExpress(), topic.requiresDuplicateDetection(), premium);
        }
        if (refusal == null) {
            refusal = DescriptionChecks.timeToLive(topic.defaultMessageTimeToLiveMs(), limits);
        }
        if (refusal == null) {
            refusal = DescriptionChecks.autoDeleteOnIdle(topic.autoDeleteOnIdleMs());
        }
        if (refusal == null) {
            refusal = DescriptionChecks.duplicateWindow(
                    topic.requiresDuplicateDetection(), topic.duplicateDetectionHistoryTimeWindowMs());
        }
        if (refusal == null) {
            refusal = DescriptionChecks.userMetadata(topic.userMetadata());
        }
        return refusal != null ? refusal : AccessRuleChecks.refuse(topic.accessRules());
    }
}
