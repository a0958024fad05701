package dev.jitney.server.config;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Which names entities may have (HTTP reference 5.1), and that each is there once, compared without case. */
final class EntityNames {
    private static final Pattern STRICT = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_./-]*[A-Za-z0-9])?");
    /** Names with an underscore at either end occur in the wild. */
    private static final Pattern LENIENT = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_./-]*[A-Za-z0-9_])?");

    private static final Pattern CHILD = Pattern.compile("\\$?[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?");
    private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?");
    private static final int MAX_ENTITY_NAME = 260;
    private static final int MAX_CHILD_NAME = 50;
    private static final int MAX_NAMESPACE_NAME = 50;

    private final Set<String> seen = new HashSet<>();

    /** A queue's or topic's name. */
    String entity(ConfigObject object, boolean strict) {
        String name = object.requiredText("Name");
        Pattern pattern = strict ? STRICT : LENIENT;
        if (name.length() > MAX_ENTITY_NAME || !pattern.matcher(name).matches() || name.contains("//")) {
            throw object.invalid(
                    "Name",
                    "Expected 1 to " + MAX_ENTITY_NAME + " letters, digits, '.', '-', '_' or '/', with a letter or"
                            + " digit at both ends, but got '" + name + "'.");
        }
        for (String segment : name.toLowerCase(Locale.ROOT).split("/")) {
            if (segment.equals("subscriptions") || segment.equals("rules")) {
                throw object.invalid(
                        "Name",
                        "Expected a name without the reserved segment '" + segment + "', but got '" + name + "'.");
            }
        }
        return once(object, name);
    }

    /** A subscription's or rule's name. */
    String child(ConfigObject object) {
        String name = object.requiredText("Name");
        if (name.length() > MAX_CHILD_NAME || !CHILD.matcher(name).matches()) {
            throw object.invalid(
                    "Name",
                    "Expected 1 to " + MAX_CHILD_NAME + " letters, digits, '.', '-' or '_', but got '" + name + "'.");
        }
        return once(object, name);
    }

    /** A namespace's name: one label of a host name. */
    String namespace(ConfigObject object) {
        String name = object.requiredText("Name");
        if (name.length() > MAX_NAMESPACE_NAME || !NAMESPACE.matcher(name).matches()) {
            throw object.invalid(
                    "Name", "Expected 1 to " + MAX_NAMESPACE_NAME + " letters, digits or '-', but got '" + name + "'.");
        }
        return once(object, name);
    }

    private String once(ConfigObject object, String name) {
        if (!seen.add(name.toLowerCase(Locale.ROOT))) {
            throw object.invalid("Name", "Expected a name that is not taken yet, but got '" + name + "' again.");
        }
        return name;
    }
}
