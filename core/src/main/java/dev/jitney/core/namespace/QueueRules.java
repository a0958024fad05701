package dev.jitney.core.namespace;

import dev.jitney.model.EntityNames;
import dev.jitney.model.Limits;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.TierProfile;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Judges queue descriptions: ranges, gates of the tier, what may change later (semantics chapter 19). */
public final class QueueRules {

    private QueueRules() {}

    /** Judges a queue that is to be created; null if it may be. */
    public static @Nullable Rejection refuseCreation(QueueDescription queue, Limits limits) {
        Rejection refusal = EntityNames.refusePath(queue.path());
        if (refusal == null) {
            refusal = SizeRules.entity(queue.maxSizeInMegabytes(), limits);
        }
        if (refusal == null) {
            refusal = SizeRules.message(queue.maxMessageSizeInKilobytes(), limits);
        }
        return refusal != null ? refusal : refuseProperties(queue, limits);
    }

    /** Judges a change; null if it may be made. A size that stays as it is may stay, whatever the limits are by now. */
    public static @Nullable Rejection refuseUpdate(QueueDescription old, QueueDescription changed, Limits limits) {
        Rejection refusal = refuseFixed(old, changed);
        if (refusal == null && old.maxSizeInMegabytes() != changed.maxSizeInMegabytes()) {
            refusal = SizeRules.entity(changed.maxSizeInMegabytes(), limits);
        }
        if (refusal == null && !Objects.equals(old.maxMessageSizeInKilobytes(), changed.maxMessageSizeInKilobytes())) {
            refusal = SizeRules.message(changed.maxMessageSizeInKilobytes(), limits);
        }
        return refusal != null ? refusal : refuseProperties(changed, limits);
    }

    private static @Nullable Rejection refuseFixed(QueueDescription old, QueueDescription changed) {
        if (old.enablePartitioning() != changed.enablePartitioning()) {
            return DescriptionChecks.partitioningFixed("queue", old.path(), old.enablePartitioning());
        }
        String fixed = null;
        if (old.requiresSession() != changed.requiresSession()) {
            fixed = "RequiresSession";
        } else if (old.requiresDuplicateDetection() != changed.requiresDuplicateDetection()) {
            fixed = "RequiresDuplicateDetection";
        }
        return fixed == null ? null : DescriptionChecks.fixed(fixed, "queue", old.path());
    }

    private static @Nullable Rejection refuseProperties(QueueDescription queue, Limits limits) {
        boolean premium = limits.tier() == TierProfile.PREMIUM;
        Rejection refusal = TierGates.refuse(queue, limits);
        if (refusal == null) {
            refusal = DescriptionChecks.express(queue.enableExpress(), queue.requiresDuplicateDetection(), premium);
        }
        if (refusal == null) {
            refusal = DescriptionChecks.lockDuration(queue.lockDurationMs());
        }
        if (refusal == null) {
            refusal = DescriptionChecks.timeToLive(queue.defaultMessageTimeToLiveMs(), limits);
        }
        if (refusal == null) {
            refusal = DescriptionChecks.autoDeleteOnIdle(queue.autoDeleteOnIdleMs());
        }
        if (refusal == null) {
            refusal = DescriptionChecks.duplicateWindow(
                    queue.requiresDuplicateDetection(), queue.duplicateDetectionHistoryTimeWindowMs());
        }
        if (refusal == null) {
            refusal = DescriptionChecks.maxDeliveryCount(queue.maxDeliveryCount());
        }
        if (refusal == null) {
            refusal = DescriptionChecks.userMetadata(queue.userMetadata());
        }
        return refusal != null ? refusal : AccessRuleChecks.refuse(queue.accessRules());
    }
}
