package dev.jitney.core.namespace;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.TierProfile;
import org.jspecify.annotations.Nullable;

/** Judges queue descriptions: ranges, gates of the tier, what may change later (semantics chapter 19). */
public final class QueueRules {

    private QueueRules() {}

    /** Judges a queue that is to be created; null if it may be. */
    public static @Nullable Rejection refuseCreation(QueueDescription queue, Limits limits) {
        Rejection refusal = EntityNames.refusePath(queue.path());
        if (refusal == null) {
            refusal = refuseGates(queue, limits);
        }
        return refusal != null ? refusal : refuseRanges(queue, limits);
    }

    /** Judges a change; null if it may be made. */
    public static @Nullable Rejection refuseUpdate(QueueDescription old, QueueDescription changed, Limits limits) {
        String fixed = null;
        if (old.requiresSession() != changed.requiresSession()) {
            fixed = "RequiresSession";
        } else if (old.requiresDuplicateDetection() != changed.requiresDuplicateDetection()) {
            fixed = "RequiresDuplicateDetection";
        } else if (old.enablePartitioning() != changed.enablePartitioning()) {
            fixed = "EnablePartitioning";
        } else if (old.enableExpress() != changed.enableExpress()) {
            fixed = "EnableExpress";
        }
        return fixed != null ? DescriptionChecks.fixed(fixed, "queue", old.path()) : refuseCreation(changed, limits);
    }

    private static @Nullable Rejection refuseGates(QueueDescription queue, Limits limits) {
        if (limits.tier() != TierProfile.BASIC) {
            return null;
        }
        boolean gated = queue.requiresSession()
                || queue.requiresDuplicateDetection()
                || queue.forwardTo() != null
                || queue.forwardDeadLetteredMessagesTo() != null
                || queue.autoDeleteOnIdleMs() != MessageView.NEVER;
        return gated
                ? new Rejection(
                        ErrorCode.ARGUMENT,
                        "The BASIC tier has no sessions, duplicate detection, forwarding or AutoDeleteOnIdle.")
                : null;
    }

    private static @Nullable Rejection refuseRanges(QueueDescription queue, Limits limits) {
        Rejection refusal = DescriptionChecks.lockDuration(queue.lockDurationMs());
        if (refusal == null) {
            refusal = DescriptionChecks.timeToLive(queue.defaultMessageTimeToLiveMs(), limits);
        }
        if (refusal == null) {
            refusal = DescriptionChecks.autoDeleteOnIdle(queue.autoDeleteOnIdleMs());
        }
        if (refusal == null && queue.requiresDuplicateDetection()) {
            refusal = DescriptionChecks.duplicateWindow(queue.duplicateDetectionHistoryTimeWindowMs());
        }
        if (refusal == null) {
            refusal = DescriptionChecks.maxDeliveryCount(queue.maxDeliveryCount());
        }
        if (refusal == null) {
            refusal = DescriptionChecks.sizes(queue.maxSizeInMegabytes(), queue.maxMessageSizeInKilobytes(), limits);
        }
        if (refusal == null) {
            refusal = DescriptionChecks.userMetadata(queue.userMetadata());
        }
        return refusal != null ? refusal : DescriptionChecks.accessRules(queue.accessRules());
    }
}
