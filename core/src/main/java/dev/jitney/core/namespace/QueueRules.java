package dev.jitney.core.namespace;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.TierProfile;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Judges queue descriptions: ranges, gates of the tier, what may change later (semantics chapter 19). */
public final class QueueRules {
    private static final long SECOND_MS = 1_000;
    private static final long MINUTE_MS = 60 * SECOND_MS;
    private static final long DAY_MS = 24 * 60 * MINUTE_MS;
    private static final int ACCESS_RULES_MAX = 12;
    private static final int USER_METADATA_LENGTH_MAX = 1_024;

    private QueueRules() {}

    /** Judges a queue that is to be created; null if it may be. */
    public static @Nullable Rejection refuseCreation(QueueDescription queue, Limits limits) {
        Rejection refusal = EntityNames.refusePath(queue.path());
        if (refusal == null) {
            refusal = refuseGates(queue, limits);
        }
        if (refusal == null) {
            refusal = refuseNotServed(queue);
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
        }
        if (fixed != null) {
            return new Rejection(
                    ErrorCode.ARGUMENT,
                    "The value for the " + fixed + " property of queue '" + old.path()
                            + "' is fixed at creation and cannot be changed.");
        }
        return refuseCreation(changed, limits);
    }

    /** What later versions will serve is refused instead of being served wrongly. */
    private static @Nullable Rejection refuseNotServed(QueueDescription queue) {
        String feature = null;
        if (queue.requiresSession()) {
            feature = "RequiresSession";
        } else if (queue.requiresDuplicateDetection()) {
            feature = "RequiresDuplicateDetection";
        } else if (queue.enablePartitioning()) {
            feature = "EnablePartitioning";
        } else if (queue.forwardTo() != null) {
            feature = "ForwardTo";
        } else if (queue.forwardDeadLetteredMessagesTo() != null) {
            feature = "ForwardDeadLetteredMessagesTo";
        } else if (queue.autoDeleteOnIdleMs() != MessageView.NEVER) {
            feature = "AutoDeleteOnIdle";
        }
        return feature == null
                ? null
                : new Rejection(
                        ErrorCode.NOT_IMPLEMENTED,
                        "Queue '" + queue.path() + "' asks for " + feature
                                + ", which this version does not serve yet.");
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
        Rejection refusal = range("LockDuration", queue.lockDurationMs(), 5 * SECOND_MS, 5 * MINUTE_MS);
        if (refusal == null) {
            refusal = range(
                    "DefaultMessageTimeToLive",
                    queue.defaultMessageTimeToLiveMs(),
                    SECOND_MS,
                    Math.max(limits.maxTimeToLiveMs(), SECOND_MS));
        }
        if (refusal == null) {
            refusal = range("AutoDeleteOnIdle", queue.autoDeleteOnIdleMs(), 5 * MINUTE_MS, MessageView.NEVER);
        }
        if (refusal == null && queue.requiresDuplicateDetection()) {
            refusal = range(
                    "DuplicateDetectionHistoryTimeWindow",
                    queue.duplicateDetectionHistoryTimeWindowMs(),
                    20 * SECOND_MS,
                    7 * DAY_MS);
        }
        if (refusal == null && queue.maxDeliveryCount() < 1) {
            refusal = new Rejection(
                    ErrorCode.OUT_OF_RANGE,
                    "Expected MaxDeliveryCount of at least 1, but got " + queue.maxDeliveryCount() + ".");
        }
        return refusal != null ? refusal : refuseSizes(queue, limits);
    }

    private static @Nullable Rejection refuseSizes(QueueDescription queue, Limits limits) {
        long size = queue.maxSizeInMegabytes();
        if (size < 1 || size > limits.maxQueueSizeInMegabytes() || (size % 1024 != 0 && size > 1024)) {
            return new Rejection(
                    ErrorCode.ARGUMENT,
                    "The specified MaxSizeInMegabytes " + size + " is invalid: expected a multiple of 1024 up to "
                            + limits.maxQueueSizeInMegabytes() + ".");
        }
        Long message = queue.maxMessageSizeInKilobytes();
        if (message != null) {
            long tierDefault = limits.maxMessageSizeBytes() / 1024;
            boolean premium = limits.tier() == TierProfile.PREMIUM;
            if (premium ? message < 1024 || message > 102_400 : message != tierDefault) {
                return new Rejection(
                        ErrorCode.ARGUMENT,
                        "The property value for 'MaxMessageSizeInKilobytes' " + message + " is invalid: expected "
                                + (premium ? "1024 to 102400" : tierDefault + " in the " + limits.tier() + " tier")
                                + ".");
            }
        }
        if (queue.userMetadata() != null && queue.userMetadata().length() > USER_METADATA_LENGTH_MAX) {
            return new Rejection(
                    ErrorCode.ARGUMENT,
                    "Expected UserMetadata of at most " + USER_METADATA_LENGTH_MAX + " characters, but got "
                            + queue.userMetadata().length() + ".");
        }
        if (queue.accessRules().size() > ACCESS_RULES_MAX) {
            return new Rejection(
                    ErrorCode.QUOTA_EXCEEDED,
                    "Expected at most " + ACCESS_RULES_MAX + " authorization rules, but got "
                            + queue.accessRules().size() + ".");
        }
        Set<String> names = new HashSet<>();
        for (var rule : queue.accessRules()) {
            if (!names.add(rule.name().toLowerCase(Locale.ROOT))) {
                return new Rejection(
                        ErrorCode.ARGUMENT, "Expected different rule names, but '" + rule.name() + "' occurs twice.");
            }
        }
        return null;
    }

    private static @Nullable Rejection range(String property, long valueMs, long minMs, long maxMs) {
        if (valueMs >= minMs && valueMs <= maxMs) {
            return null;
        }
        return new Rejection(
                ErrorCode.OUT_OF_RANGE,
                "Expected " + property + " from " + minMs + " ms to "
                        + (maxMs == MessageView.NEVER ? "the maximum time span" : maxMs + " ms") + ", but got "
                        + valueMs + " ms.");
    }
}
