package dev.jitney.model;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which names entities may have (MSG-9 and management reference 5.1). */
public final class EntityNames {
    private static final int PATH_LENGTH_MAX = 260;

    /**
     * What a name may have: all that can be seen, but for what MSG-9 forbids and for the percent sign, which begins an escape
     * in an address.
     */
    private static final String CHARACTER = "[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}&&[^@?#*%/\\\\]]";

    /** No segment begins with a dollar sign, as the nodes of the broker do; no path begins or ends with a dot or a hyphen. */
    private static final Pattern PATH =
            Pattern.compile("(?![.-])(?!\\$)" + CHARACTER + "+(?:/(?!\\$)" + CHARACTER + "+)*(?<![.-])");

    private static final int CHILD_LENGTH_MAX = 50;
    private static final Pattern CHILD = Pattern.compile("(?!\\$)" + CHARACTER + "+");

    /** What a client or proxy takes for "here" and "one up" in a URL, so that nobody would reach the entity. */
    private static final Pattern DOTS = Pattern.compile("(?:.*/)?\\.\\.?(?:/.*)?");

    private static final int NAMESPACE_LENGTH_MAX = 50;
    private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?");

    private EntityNames() {}

    /** Judges the name of a namespace, which is one label of a host name; null if it may be used. */
    public static @Nullable Rejection refuseNamespace(String name) {
        return name.length() <= NAMESPACE_LENGTH_MAX && NAMESPACE.matcher(name).matches()
                ? null
                : argument("Expected a namespace name of 1 to " + NAMESPACE_LENGTH_MAX
                        + " letters, digits or '-', with a letter or digit at both ends, but got '"
                        + ClientText.abbreviate(name) + "'.");
    }

    /** The name of a namespace in the form in which names are compared. */
    public static String namespaceKey(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** Judges the path of a queue or topic; null if it may be used. */
    public static @Nullable Rejection refusePath(String path) {
        if (path.isEmpty() || path.length() > PATH_LENGTH_MAX) {
            return argument("Expected an entity path of 1 to " + PATH_LENGTH_MAX + " characters, but got "
                    + path.length() + ".");
        }
        Rejection subQueue = refuseSubQueue(path);
        if (subQueue != null) {
            return subQueue;
        }
        String shown = ClientText.abbreviate(path);
        if (!PATH.matcher(path).matches() || DOTS.matcher(path).matches()) {
            return argument(
                    "'URI_PATH' contains what no entity path may have: expected characters other than blanks, '@', '?', '#',"
                            + " '*', '%' and '\\', with '/' between segments that do not begin with '$', and no '.' or '-' at"
                            + " either end, but got '" + shown + "'.");
        }
        String reserved = reservedSegment(path);
        return reserved == null
                ? null
                : argument("'URI_PATH' contains the reserved word '" + reserved
                        + "': expected an entity path that does not look like that of a subscription or rule, but got '"
                        + shown + "'.");
    }

    /** A word that in this place means a collection of the entity before it, or null. */
    private static @Nullable String reservedSegment(String path) {
        String[] segments = path.toLowerCase(Locale.ROOT).split("/");
        for (int i = Math.max(1, segments.length - 2); i < segments.length; i++) {
            if (segments[i].equals("subscriptions") || segments[i].equals("rules")) {
                return segments[i];
            }
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
            return argument("Expected a " + what + " name of 1 to " + CHILD_LENGTH_MAX + " characters, but got "
                    + name.length() + ".");
        }
        String rest = rule && name.startsWith("$") ? name.substring(1) : name;
        return CHILD.matcher(rest).matches() && !DOTS.matcher(rest).matches()
                ? null
                : argument("'URI_PATH' contains what no " + what
                        + " name may have: expected characters other than blanks, '@', '?', '#', '*', '%', '/' and '\\'"
                        + (rule ? "" : ", and no '$' at the beginning") + ", but got '" + ClientText.abbreviate(name)
                        + "'.");
    }

    /** A sub-queue is not created, changed or deleted apart from its entity (DLQ-2, DLQ-33); null if it is none. */
    public static @Nullable Rejection refuseSubQueue(String path) {
        SubQueue subQueue = EntityAddress.parse(path).subQueue();
        return subQueue == SubQueue.MAIN
                ? null
                : new Rejection(
                        ErrorCode.INVALID_OPERATION,
                        "Expected the path of an entity, but '" + ClientText.abbreviate(path)
                                + "' is a sub-queue, which lives and dies with its entity.");
    }

    private static Rejection argument(String sentence) {
        return new Rejection(ErrorCode.ARGUMENT, sentence);
    }
}
