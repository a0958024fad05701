package dev.jitney.model;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules for the names of entities (MSG-9 and management reference 5.1). */
public final class EntityNames {
    private static final int PATH_LENGTH_MAX = 260;

    /**
     * The characters of a name: every visible character except those that MSG-9 forbids and the percent sign, which
     * begins an escape in an address.
     */
    private static final String CHARACTER = "[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}&&[^@?#*%/\\\\]]";

    /**
     * The form of a path. No segment begins with a dollar sign, which marks nodes of the broker; no path begins or ends
     * with a dot or a hyphen.
     */
    private static final Pattern PATH =
            Pattern.compile("(?![.-])(?!\\$)" + CHARACTER + "+(?:/(?!\\$)" + CHARACTER + "+)*(?<![.-])");

    private static final int CHILD_LENGTH_MAX = 50;
    private static final Pattern CHILD = Pattern.compile("(?!\\$)" + CHARACTER + "+");

    /**
     * The segments "." and "..", which clients and proxies resolve in a URL, so that no request would reach the entity.
     */
    private static final Pattern DOTS = Pattern.compile("(?:.*/)?\\.\\.?(?:/.*)?");

    private static final int NAMESPACE_LENGTH_MAX = 50;
    private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?");

    private EntityNames() {}

    /** Checks the name of a namespace, which is one label of a host name. Returns null if the name is valid. */
    public static @Nullable Rejection refuseNamespace(String name) {
        return name.length() <= NAMESPACE_LENGTH_MAX && NAMESPACE.matcher(name).matches()
                ? null
                : argument("Expected a namespace name of 1 to " + NAMESPACE_LENGTH_MAX
                        + " letters, digits or '-', with a letter or digit at both ends, but got '"
                        + ClientText.abbreviate(name) + "'.");
    }

    /** Returns the name of a namespace in the form in which names are compared. */
    public static String namespaceKey(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** Checks the path of a queue or topic. Returns null if the path is valid. */
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
                    "'URI_PATH' contains a character that entity paths must not have. Expected no spaces and no '@',"
                            + " '?', '#',"
                            + " '*', '%' or '\\', no segment that is empty or begins with '$', and no '.' or '-' at"
                            + " either end, but got '" + shown + "'.");
        }
        String reserved = reservedSegment(path);
        return reserved == null
                ? null
                : argument("'URI_PATH' contains the reserved word '" + reserved
                        + "'. Expected a path that cannot be mistaken for the path of a subscription or rule, but got '"
                        + shown + "'.");
    }

    /** Returns a segment that stands for a collection of child entities at its place in the path, or null. */
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
     * Checks the name of a subscription or rule. Returns null if the name is valid.
     *
     * @param rule true for the name of a rule, which may begin with a dollar sign
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
                : argument("'URI_PATH' contains a character that " + what
                        + " names must not have. Expected no spaces and no '@', '?', '#', '*', '%', '/' or '\\'"
                        + (rule ? "" : ", and no '$' at the beginning") + ", but got '" + ClientText.abbreviate(name)
                        + "'.");
    }

    /**
     * Refuses the path of a sub-queue, which cannot be created, changed or deleted without its entity (DLQ-2, DLQ-33).
     * Returns null for other paths.
     */
    public static @Nullable Rejection refuseSubQueue(String path) {
        SubQueue subQueue = EntityAddress.parse(path).subQueue();
        return subQueue == SubQueue.MAIN
                ? null
                : new Rejection(
                        ErrorCode.INVALID_OPERATION,
                        "Expected the path of an entity, but '" + ClientText.abbreviate(path)
                                + "' is a sub-queue. Sub-queues are created and deleted with their entity.");
    }

    private static Rejection argument(String sentence) {
        return new Rejection(ErrorCode.ARGUMENT, sentence);
    }
}
