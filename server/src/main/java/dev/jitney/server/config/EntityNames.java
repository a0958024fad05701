package dev.jitney.server.config;

import dev.jitney.model.ClientText;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The check of entity names in the file, including that each is unique, ignoring case. The broker's own rules decide
 * (HTTP reference 5.1), in strict mode also the emulator's pattern.
 */
final class EntityNames {
    private static final Pattern STRICT = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_./-]*[A-Za-z0-9])?");
    private static final int MAX_ENTITY_NAME = 260;
    private static final int MAX_CHILD_NAME = 50;
    private static final int MAX_NAMESPACE_NAME = 50;

    private final Set<String> seen = new HashSet<>();

    /** Returns the name of a queue or topic. */
    String entity(ConfigObject object, boolean strict) {
        String name = object.requiredText("Name");
        if (dev.jitney.model.EntityNames.refusePath(name) != null
                || (strict && !STRICT.matcher(name).matches())) {
            throw object.invalid(
                    "Name",
                    "Expected 1 to " + MAX_ENTITY_NAME
                            + (strict
                                    ? " letters, digits, '.', '-', '_' or '/', with a letter or digit at both ends and"
                                    : " characters other than spaces, '@', '?', '#', '*', '%' and '\\', with '/' between"
                                            + " segments that do not begin with '$', with no '.' or '-' at either end, and")
                            + " without the reserved segments 'subscriptions' and 'rules', but got '"
                            + ClientText.abbreviate(name) + "'.");
        }
        return once(object, name);
    }

    /** Returns the name of a subscription, or of a rule, which may begin with a dollar sign. */
    String child(ConfigObject object, boolean rule) {
        String name = object.requiredText("Name");
        if (dev.jitney.model.EntityNames.refuseChildName(name, rule) != null) {
            throw object.invalid(
                    "Name",
                    "Expected 1 to " + MAX_CHILD_NAME
                            + " characters other than spaces, '@', '?', '#', '*', '%', '/' and '\\', but got '"
                            + ClientText.abbreviate(name) + "'.");
        }
        return once(object, name);
    }

    /** Returns the name of a namespace: one label of a host name. */
    String namespace(ConfigObject object) {
        String name = object.requiredText("Name");
        if (dev.jitney.model.EntityNames.refuseNamespace(name) != null) {
            throw object.invalid(
                    "Name", "Expected 1 to " + MAX_NAMESPACE_NAME + " letters, digits or '-', but got '" + name + "'.");
        }
        return once(object, name);
    }

    private String once(ConfigObject object, String name) {
        if (!seen.add(name.toLowerCase(Locale.ROOT))) {
            throw object.invalid("Name", "Expected a unique name, but got '" + name + "' again.");
        }
        return name;
    }
}
