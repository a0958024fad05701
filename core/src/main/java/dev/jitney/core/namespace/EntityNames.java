package dev.jitney.core.namespace;

import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which names entities may have (MSG-9 and management reference 5.1). */
public final class EntityNames {
    private static final int PATH_LENGTH_MAX = 260;

    /** Segments of letters, digits, dot, hyphen and underscore that begin and end with a letter, digit or underscore. */
    private static final Pattern PATH = Pattern.compile("[\\p{L}\\p{Nd}_](?:[\\p{L}\\p{Nd}._/-]*[\\p{L}\\p{Nd}_])?");

    private static final int CHILD_LENGTH_MAX = 50;

    private static final Pattern CHILD = Pattern.compile("[\\p{L}\\p{Nd}._-]+");

    private EntityNames() {}

    /** Judges the path of a queue or topic; null if it may be used. */
    public static @Nullable Rejection refusePath(String path) {
        Rejection subQueue = refuseSubQueue(path);
        if (subQueue != null) {
            return subQueue;
        }
        if (path.isEmpty() || path.length() > PATH_LENGTH_MAX) {
            return new Rejection(
                    ErrorCode.ARGUMENT,
                    "Expected an entity path of 1 to " + PATH_LENGTH_MAX + " characters, but got " + path.length()
                            + ".");
        }
        if (!PATH.matcher(path).matches() || path.contains("//")) {
            return new Rejection(
                    ErrorCode.ARGUMENT,
                    "Expected an entity path of letters, digits, '.', '-', '_' and '/' between segments, but got '"
                            + path + "'.");
        }
        String lower = "/" + path.toLowerCase(Locale.ROOT) + "/";
        if (lower.contains("/subscriptions/") || lower.contains("/rules/")) {
            return new Rejection(
                    ErrorCode.ARGUMENT,
                    "Expected an entity path without the reserved segments 'subscriptions' and 'rules', but got '"
                            + path + "'.");
        }
        return null;
    }

    /**
     * Judges the name of a subscription or rule; null if it may be used.
     *
     * @param rule whether it is a rule's, which may begin with a dollar sign
     */
    public static @Nullable Rejection refuseChildName(String name, boolean rule) {
        String what = rule ? "rule" : "subscription";
        if (name.isEmpty() || name.length() > CHILD_LENGTH_MAX) {
            return new Rejection(
                    ErrorCode.ARGUMENT,
                    "Expected a " + what + " name of 1 to " + CHILD_LENGTH_MAX + " characters, but got " + name.length()
                            + ".");
        }
        if (!CHILD.matcher(rule && name.startsWith("$") ? name.substring(1) : name)
                .matches()) {
            return new Rejection(
                    ErrorCode.ARGUMENT,
                    "Expected a " + what + " name of letters, digits, '.', '-' and '_', but got '" + name + "'.");
        }
        return null;
    }

    /** A sub-queue is not created, changed or deleted apart from its entity (DLQ-2, DLQ-33); null if it is none. */
    public static @Nullable Rejection refuseSubQueue(String path) {
        SubQueue subQueue = EntityAddress.parse(path).subQueue();
        return subQueue == SubQueue.MAIN
                ? null
                : new Rejection(
                        ErrorCode.INVALID_OPERATION,
                        "Expected the path of an entity, but '" + path
                                + "' is a sub-queue, which lives and dies with its entity.");
    }
}
