package dev.jitney.core.namespace;

import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Limits;
import dev.jitney.model.Rejection;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import org.jspecify.annotations.Nullable;

/** Judges topic descriptions: ranges, gates of the tier, what may change later (semantics chapter 19). */
public final class TopicRules {

    private TopicRules() {}

    /** Judges a topic that is to be created; null if it may be. */
    public static @Nullable Rejection refuseCreation(TopicDescription topic, Limits limits) {
        Rejection refusal = EntityNames.refusePath(topic.path());
        if (refusal == null && limits.tier() == TierProfile.BASIC) {
            refusal = new Rejection(ErrorCode.ARGUMENT, "The BASIC tier has no topics."); // QUOTA-10
        }
        if (refusal == null && topic.status() == EntityStatus.RECEIVE_DISABLED) { // SUSP-2
            refusal = new Rejection(
                    ErrorCode.ARGUMENT,
                    "Expected status Active, Disabled or SendDisabled of a topic, but got ReceiveDisabled.");
        }
        return refusal != null ? refusal : refuseRanges(topic, limits);
    }

    /** Judges a change; null if it may be made. */
    public static @Nullable Rejection refuseUpdate(TopicDescription old, TopicDescription changed, Limits limits) {
        String fixed = null;
        if (old.requiresDuplicateDetection() != changed.requiresDuplicateDetection()) {
            fixed = "RequiresDuplicateDetection";
        } else if (old.enablePartitioning() != changed.enablePartitioning()) {
            fixed = "EnablePartitioning";
        } else if (old.enableSubscriptionPartitioning() != changed.enableSubscriptionPartitioning()) {
            fixed = "EnableSubscriptionPartitioning";
        } else if (old.enableExpress() != changed.enableExpress()) {
            fixed = "EnableExpress";
        }
        return fixed != null ? DescriptionChecks.fixed(fixed, "topic", old.path()) : refuseCreation(changed, limits);
    }

    private static @Nullable Rejection refuseRanges(TopicDescription topic, Limits limits) {
        Rejection refusal = DescriptionChecks.timeToLive(topic.defaultMessageTimeToLiveMs(), limits);
        if (refusal == null) {
            refusal = DescriptionChecks.autoDeleteOnIdle(topic.autoDeleteOnIdleMs());
        }
        if (refusal == null && topic.requiresDuplicateDetection()) {
            refusal = DescriptionChecks.duplicateWindow(topic.duplicateDetectionHistoryTimeWindowMs());
        }
        if (refusal == null) {
            refusal = DescriptionChecks.sizes(topic.maxSizeInMegabytes(), topic.maxMessageSizeInKilobytes(), limits);
        }
        if (refusal == null) {
            refusal = DescriptionChecks.userMetadata(topic.userMetadata());
        }
        return refusal != null ? refusal : DescriptionChecks.accessRules(topic.accessRules());
    }
}
