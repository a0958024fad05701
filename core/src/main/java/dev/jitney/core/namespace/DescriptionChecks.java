package dev.jitney.core.namespace;

import dev.jitney.model.AccessRule;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import dev.jitney.model.TierProfile;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Ranges that several kinds of descriptions share (HTTP reference 5.2). Null means fine. */
final class DescriptionChecks {
    static final long SECOND_MS = 1_000;
    static final long MINUTE_MS = 60 * SECOND_MS;
    static final long DAY_MS = 24 * 60 * MINUTE_MS;
    private static final int ACCESS_RULES_MAX = 12;
    private static final int USER_METADATA_LENGTH_MAX = 1_024;

    private DescriptionChecks() {}

    static @Nullable Rejection lockDuration(long valueMs) {
        return range("LockDuration", valueMs, 5 * SECOND_MS, 5 * MINUTE_MS);
    }

    static @Nullable Rejection timeToLive(long valueMs, Limits limits) {
        return range("DefaultMessageTimeToLive", valueMs, SECOND_MS, Math.max(limits.maxTimeToLiveMs(), SECOND_MS));
    }

    static @Nullable Rejection autoDeleteOnIdle(long valueMs) {
        return range("AutoDeleteOnIdle", valueMs, 5 * MINUTE_MS, MessageView.NEVER);
    }

    static @Nullable Rejection duplicateWindow(long valueMs) {
        return range("DuplicateDetectionHistoryTimeWindow", valueMs, 20 * SECOND_MS, 7 * DAY_MS);
    }

    static @Nullable Rejection maxDeliveryCount(int value) {
        return value >= 1
                ? null
                : new Rejection(
                        ErrorCode.OUT_OF_RANGE, "Expected MaxDeliveryCount of at least 1, but got " + value + ".");
    }

    static @Nullable Rejection sizes(long megabytes, @Nullable Long messageKilobytes, Limits limits) {
        if (megabytes < 1
                || megabytes > limits.maxQueueSizeInMegabytes()
                || (megabytes % 1024 != 0 && megabytes > 1024)) {
            return new Rejection(
                    ErrorCode.ARGUMENT,
                    "The specified MaxSizeInMegabytes " + megabytes + " is invalid: expected a multiple of 1024 up to "
                            + limits.maxQueueSizeInMegabytes() + ".");
        }
        if (messageKilobytes != null) {
            long tierDefault = limits.maxMessageSizeBytes() / 1024;
            boolean premium = limits.tier() == TierProfile.PREMIUM;
            if (premium ? messageKilobytes < 1024 || messageKilobytes > 102_400 : messageKilobytes != tierDefault) {
                return new Rejection(
                        ErrorCode.ARGUMENT,
                        "The property value for 'MaxMessageSizeInKilobytes' " + messageKilobytes
                                + " is invalid: expected "
                                + (premium ? "1024 to 102400" : tierDefault + " in the " + limits.tier() + " tier")
                                + ".");
            }
        }
        return null;
    }

    static @Nullable Rejection userMetadata(@Nullable String text) {
        return text == null || text.length() <= USER_METADATA_LENGTH_MAX
                ? null
                : new Rejection(
                        ErrorCode.ARGUMENT,
                        "Expected UserMetadata of at most " + USER_METADATA_LENGTH_MAX + " characters, but got "
                                + text.length() + ".");
    }

    static @Nullable Rejection accessRules(List<AccessRule> rules) {
        if (rules.size() > ACCESS_RULES_MAX) {
            return new Rejection(
                    ErrorCode.QUOTA_EXCEEDED,
                    "Expected at most " + ACCESS_RULES_MAX + " authorization rules, but got " + rules.size() + ".");
        }
        Set<String> names = new HashSet<>();
        for (AccessRule rule : rules) {
            if (!names.add(rule.name().toLowerCase(Locale.ROOT))) {
                return new Rejection(
                        ErrorCode.ARGUMENT, "Expected different rule names, but '" + rule.name() + "' occurs twice.");
            }
        }
        return null;
    }

    /** A property that is set at creation was to get another value. */
    static Rejection fixed(String property, String kind, String path) {
        return new Rejection(
                ErrorCode.ARGUMENT,
                "The value for the " + property + " property of " + kind + " '" + path
                        + "' is fixed at creation and cannot be changed.");
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
