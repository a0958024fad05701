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

/** Judges values of properties (HTTP reference 5.2, 5.3). Null means fine. */
final class PropertyChecks {
    private static final long SECOND_MS = 1_000;
    private static final long MINUTE_MS = 60 * SECOND_MS;
    private static final long DAY_MS = 24 * 60 * MINUTE_MS;
    static final long LOCK_DURATION_MAX_MS = 5 * MINUTE_MS;

    private PropertyChecks() {}

    /** LOCK-1; the words are those of the service (HTTP reference 2.10). */
    static @Nullable Rejection lockDuration(long valueMs) {
        if (valueMs > LOCK_DURATION_MAX_MS) {
            return new Rejection(
                    ErrorCode.OUT_OF_RANGE,
                    "The supplied lock time exceeds the allowed maximum of " + IsoDurations.format(LOCK_DURATION_MAX_MS)
                            + ". Parameter name: LockDuration. Actual value was " + timeSpan(valueMs) + ".");
        }
        return duration("LockDuration", valueMs, 5 * SECOND_MS, LOCK_DURATION_MAX_MS);
    }

    /** TTL-16, TTL-19. */
    static @Nullable Rejection timeToLive(long valueMs, Limits limits) {
        return duration("DefaultMessageTimeToLive", valueMs, SECOND_MS, Math.max(limits.maxTimeToLiveMs(), SECOND_MS));
    }

    /**
     * DUP-3. Client libraries send a window of one minute whether it is wanted or not, so without duplicate detection it
     * only has to be a time at all.
     */
    static @Nullable Rejection duplicateWindow(boolean required, long valueMs) {
        String property = "DuplicateDetectionHistoryTimeWindow";
        return required
                ? duration(property, valueMs, 20 * SECOND_MS, 7 * DAY_MS)
                : duration(property, valueMs, 1, MessageView.NEVER);
    }

    /** @param unit the word behind the ends of the range with a blank before it, or nothing */
    static @Nullable Rejection number(String property, long value, long min, long max, String unit) {
        return value >= min && value <= max
                ? null
                : new Rejection(
                        ErrorCode.OUT_OF_RANGE,
                        "Expected " + property + " from " + min + " to " + max + unit + ", but got " + value + ".");
    }

    /** QUOTA-9. A character is what the service counts: one UTF-16 unit, so that one beyond the BMP counts twice. */
    static @Nullable Rejection text(String property, String text, long lengthMax) {
        return text.length() <= lengthMax
                ? null
                : Rejection.argument("Expected " + property + " of at most " + lengthMax + " characters, but got "
                        + text.length() + ".");
    }

    /**
     * SUSP-2, SUSP-3: topics and subscriptions have one status less than queues.
     *
     * @param never the one they do not have
     * @param others the others, for a sentence
     */
    static @Nullable Rejection status(EntityDescription description, EntityStatus never, String others) {
        return description.status() != never
                ? null
                : Rejection.argument("Expected Status " + others + " of a "
                        + description.kind().word().toLowerCase(Locale.ROOT) + ", but got " + never.word() + ".");
    }

    /** QUOTA-10, DUP-1, FWD-4. */
    static Rejection notInBasic(String feature, String property, String allowed) {
        return Rejection.argument(
                "The BASIC tier has no " + feature + ": expected " + property + " to be " + allowed + ".");
    }

    /** EnableExpress keeps messages in memory for a while, which does not go with everything (HTTP reference 5.3). */
    static @Nullable Rejection express(boolean express, boolean duplicateDetection, boolean premium) {
        if (!express) {
            return null;
        }
        if (duplicateDetection) {
            return Rejection.argument(
                    "Both DelayedPersistence (EnableExpress) and RequiresDuplicateDetection are true: expected at"
                            + " most one of them.");
        }
        return premium
                ? Rejection.argument("Expected EnableExpress to be false in the PREMIUM tier, but got true.")
                : null;
    }

    /** A property that is set at creation was to get another value (ENT-1). */
    static Rejection fixed(String property, String kind, String path) {
        return Rejection.argument("The value for the " + property + " property of " + kind + " '" + path
                + "' is fixed at creation and cannot be changed.");
    }

    /** PART-8. */
    static Rejection partitioningFixed(String kind, String path, boolean value) {
        return new Rejection(
                ErrorCode.INVALID_OPERATION,
                "Partitioning cannot be changed: EnablePartitioning of " + kind + " '" + path + "' is " + value
                        + " since its creation.");
    }

    static @Nullable Rejection duration(String property, long valueMs, long minMs, long maxMs) {
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
