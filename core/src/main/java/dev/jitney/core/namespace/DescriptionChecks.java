package dev.jitney.core.namespace;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.IsoDurations;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Ranges that several kinds of descriptions share (HTTP reference 5.2). Null means fine. */
final class DescriptionChecks {
    private static final long SECOND_MS = 1_000;
    private static final long MINUTE_MS = 60 * SECOND_MS;
    private static final long DAY_MS = 24 * 60 * MINUTE_MS;
    private static final long LOCK_DURATION_MAX_MS = 5 * MINUTE_MS;
    private static final int USER_METADATA_LENGTH_MAX = 1_024;

    private DescriptionChecks() {}

    /** LOCK-1; the words are those of the service (HTTP reference 2.10). */
    static @Nullable Rejection lockDuration(long valueMs) {
        if (valueMs > LOCK_DURATION_MAX_MS) {
            return new Rejection(
                    ErrorCode.OUT_OF_RANGE,
                    "The supplied lock time exceeds the allowed maximum of " + IsoDurations.format(LOCK_DURATION_MAX_MS)
                            + ". Parameter name: LockDuration. Actual value was " + timeSpan(valueMs) + ".");
        }
        return range("LockDuration", valueMs, 5 * SECOND_MS, LOCK_DURATION_MAX_MS);
    }

    /** TTL-16, TTL-19. */
    static @Nullable Rejection timeToLive(long valueMs, Limits limits) {
        return range("DefaultMessageTimeToLive", valueMs, SECOND_MS, Math.max(limits.maxTimeToLiveMs(), SECOND_MS));
    }

    /** IDLE-3. */
    static @Nullable Rejection autoDeleteOnIdle(long valueMs) {
        return range("AutoDeleteOnIdle", valueMs, 5 * MINUTE_MS, MessageView.NEVER);
    }

    /**
     * DUP-3. Client libraries send a window of one minute whether it is wanted or not, so without duplicate detection it
     * only has to be a time at all.
     */
    static @Nullable Rejection duplicateWindow(boolean required, long valueMs) {
        String property = "DuplicateDetectionHistoryTimeWindow";
        return required
                ? range(property, valueMs, 20 * SECOND_MS, 7 * DAY_MS)
                : range(property, valueMs, 1, MessageView.NEVER);
    }

    static @Nullable Rejection maxDeliveryCount(int value) {
        return value >= 1
                ? null
                : new Rejection(
                        ErrorCode.OUT_OF_RANGE,
                        "Expected MaxDeliveryCount from 1 to " + Integer.MAX_VALUE + " deliveries, but got " + value
                                + ".");
    }

    /** QUOTA-9. A character is what the service counts: one UTF-16 unit, so that one beyond the BMP counts twice. */
    static @Nullable Rejection userMetadata(@Nullable String text) {
        return text == null || text.length() <= USER_METADATA_LENGTH_MAX
                ? null
                : new Rejection(
                        ErrorCode.ARGUMENT,
                        "Expected UserMetadata of at most " + USER_METADATA_LENGTH_MAX + " characters, but got "
                                + text.length() + ".");
    }

    /** EnableExpress keeps messages in memory for a while, which does not go with everything (HTTP reference 5.3). */
    static @Nullable Rejection express(boolean express, boolean duplicateDetection, boolean premium) {
        if (!express) {
            return null;
        }
        if (duplicateDetection) {
            return argument(
                    "Both DelayedPersistence (EnableExpress) and RequiresDuplicateDetection are true: expected at"
                            + " most one of them.");
        }
        return premium ? argument("Expected EnableExpress to be false in the PREMIUM tier, but got true.") : null;
    }

    /** A property that is set at creation was to get another value (ENT-1). */
    static Rejection fixed(String property, String kind, String path) {
        return argument("The value for the " + property + " property of " + kind + " '" + path
                + "' is fixed at creation and cannot be changed.");
    }

    /** PART-8. */
    static Rejection partitioningFixed(String kind, String path, boolean value) {
        return new Rejection(
                ErrorCode.INVALID_OPERATION,
                "Partitioning cannot be changed: EnablePartitioning of " + kind + " '" + path + "' is " + value
                        + " since its creation.");
    }

    static Rejection argument(String sentence) {
        return new Rejection(ErrorCode.ARGUMENT, sentence);
    }

    private static @Nullable Rejection range(String property, long valueMs, long minMs, long maxMs) {
        return valueMs >= minMs && valueMs <= maxMs
                ? null
                : new Rejection(
                        ErrorCode.OUT_OF_RANGE,
                        "Expected " + property + " from " + IsoDurations.format(minMs) + " to "
                                + IsoDurations.format(maxMs) + ", but got " + IsoDurations.format(valueMs) + ".");
    }

    /** A duration as .NET writes it, {@code [d.]hh:mm:ss[.fff]}. */
    private static String timeSpan(long ms) {
        long days = ms / DAY_MS;
        long rest = ms % DAY_MS;
        String text = String.format(
                Locale.ROOT, "%02d:%02d:%02d", rest / (60 * MINUTE_MS), rest / MINUTE_MS % 60, rest / SECOND_MS % 60);
        long fraction = rest % SECOND_MS;
        return (days == 0 ? "" : days + ".")
                + text
                + (fraction == 0 ? "" : String.format(Locale.ROOT, ".%03d", fraction));
    }
}
