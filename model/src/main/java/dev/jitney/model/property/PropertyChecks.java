package dev.jitney.model.property;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IsoDurations;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Checks of property values (HTTP reference 5.2, 5.3). Null means valid. */
final class PropertyChecks {
    private static final long SECOND_MS = 1_000;
    private static final long MINUTE_MS = 60 * SECOND_MS;
    private static final long DAY_MS = 24 * 60 * MINUTE_MS;
    static final long LOCK_DURATION_MAX_MS = 5 * MINUTE_MS;

    private PropertyChecks() {}

    /** Checks LockDuration (LOCK-1). The text is that of Service Bus (HTTP reference 2.10). */
    static @Nullable Rejection lockDuration(long valueMs) {
        if (valueMs > LOCK_DURATION_MAX_MS) {
            return new Rejection(
                    ErrorCode.OUT_OF_RANGE,
                    "The supplied lock time exceeds the allowed maximum of " + IsoDurations.format(LOCK_DURATION_MAX_MS)
                            + ". Parameter name: LockDuration. Actual value was " + timeSpan(valueMs) + ".");
        }
        return duration("LockDuration", valueMs, 5 * SECOND_MS, LOCK_DURATION_MAX_MS);
    }

    /** Checks DefaultMessageTimeToLive (TTL-16, TTL-19). */
    static @Nullable Rejection timeToLive(long valueMs, Limits limits) {
        return duration("DefaultMessageTimeToLive", valueMs, SECOND_MS, Math.max(limits.maxTimeToLiveMs(), SECOND_MS));
    }

    /**
     * Checks DuplicateDetectionHistoryTimeWindow (DUP-3). Client libraries always send a window of one minute, so without
     * duplicate detection any positive duration is valid.
     */
    static @Nullable Rejection duplicateWindow(boolean required, long valueMs) {
        String property = "DuplicateDetectionHistoryTimeWindow";
        return required
                ? duration(property, valueMs, 20 * SECOND_MS, 7 * DAY_MS)
                : duration(property, valueMs, 1, MessageView.NEVER);
    }

    /**
     * Checks that a number is within a range.
     *
     * @param unit the unit of the range, with a space before it, or an empty string
     */
    static @Nullable Rejection number(String property, long value, long min, long max, String unit) {
        return value >= min && value <= max
                ? null
                : new Rejection(
                        ErrorCode.OUT_OF_RANGE,
                        "Expected " + property + " from " + min + " to " + max + unit + ", but got " + value + ".");
    }

    /**
     * Checks the length of a text (QUOTA-9). Like Service Bus, it counts UTF-16 units, so that a character outside the
     * BMP counts twice.
     */
    static @Nullable Rejection text(String property, String text, long lengthMax) {
        return text.length() <= lengthMax
                ? null
                : Rejection.argument("Expected " + property + " of at most " + lengthMax + " characters, but got "
                        + text.length() + ".");
    }

    /**
     * Checks the status of a topic or subscription, which lacks one status that queues have (SUSP-2, SUSP-3).
     *
     * @param never the status that the kind of entity does not have
     * @param others the other statuses, for a sentence
     */
    static @Nullable Rejection status(EntityDescription description, EntityStatus never, String others) {
        return description.status() != never
                ? null
                : Rejection.argument("Expected Status " + others + " of a "
                        + description.kind().word().toLowerCase(Locale.ROOT) + ", but got " + never.word() + ".");
    }

    /** Returns the refusal of a feature that the BASIC tier does not have (QUOTA-10, DUP-1, FWD-4). */
    static Rejection notInBasic(String feature, String property, String allowed) {
        return Rejection.argument(
                "The BASIC tier has no " + feature + ". Expected " + property + " to be " + allowed + ".");
    }

    /**
     * Checks EnableExpress, which keeps messages in memory for a while and therefore excludes some features (HTTP
     * reference 5.3).
     */
    static @Nullable Rejection express(boolean express, boolean duplicateDetection, boolean premium) {
        if (!express) {
            return null;
        }
        if (duplicateDetection) {
            return Rejection.argument(
                    "Both DelayedPersistence (EnableExpress) and RequiresDuplicateDetection are true. Expected at"
                            + " most one of them.");
        }
        return premium
                ? Rejection.argument("Expected EnableExpress to be false in the PREMIUM tier, but got true.")
                : null;
    }

    /** Returns the refusal to change a property that is fixed at creation (ENT-1). */
    static Rejection fixed(String property, String kind, String path) {
        return Rejection.argument("The value for the " + property + " property of " + kind + " '" + path
                + "' is fixed at creation and cannot be changed.");
    }

    /** Returns the refusal to change EnablePartitioning (PART-8). */
    static Rejection partitioningFixed(String kind, String path, boolean value) {
        return new Rejection(
                ErrorCode.INVALID_OPERATION,
                "Partitioning cannot be changed. EnablePartitioning of " + kind + " '" + path + "' was set to " + value
                        + " at creation.");
    }

    static @Nullable Rejection duration(String property, long valueMs, long minMs, long maxMs) {
        return valueMs >= minMs && valueMs <= maxMs
                ? null
                : new Rejection(
                        ErrorCode.OUT_OF_RANGE,
                        "Expected " + property + " from " + IsoDurations.format(minMs) + " to "
                                + IsoDurations.format(maxMs) + ", but got " + IsoDurations.format(valueMs) + ".");
    }

    /** Returns a duration as .NET formats it, {@code [d.]hh:mm:ss[.fff]}. */
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
