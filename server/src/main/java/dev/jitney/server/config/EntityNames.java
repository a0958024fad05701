package dev.jitney.server.config;

import dev.jitney.model.ClientText;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which names the file may give to entities, and that each is there once, compared without case. The broker's own rules
 * decide (HTTP reference 5.1), in strict mode the emulator's pattern too.
 */
final class EntityNames {
    private static final Pattern STRICT = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_./-]*[A-Za-z0-9])?");
    private static final int MAX_ENTITY_NAME = 260;
    private static final int MAX_CHILD_NAME = 50;
    private static final int MAX_NAMESPACE_NAME = 50;

    private final Set<String> seen = new HashSet<>();

    /** A queue's or topic's name. */
    String entity(ConfigObject object, boolean strict) {
        String name = object.requiredText("Name");
        if (dev.jitney.model.EntityNames.refusePath(name) != null
                || (strict && !STRICT.matcher(name).matches())) {
            throw object.invalid(
                    "Name",
                    "Expected 1 to " + MAX_ENTITY_NAME
                            + (strict
                                    ? " letters, digits, '.', '-', '_' or '/', with a letter or digit at both ends and"
                                    : " characters other than blanks, '@', '?', '#', '*', '%' and '\\', with '/' between"
                                            + " segments that do not begin with '$', with no '.' or '-' at either end, and")
                            + " without the reserved segments 'subscriptions' and 'rules', but got '"
                            + ClientText.abbreviate(name) + "'.");
        }
        return once(object, name);
    }

    /** A subscription's name, or a rule's, which may begin with a dollar sign. */
    String child(ConfigObject object, boolean rule) {
        String name = object.requiredText("Name");
        if (dev.jitney.model.EntityNames.refuseChildName(name, rule) != null) {
            throw object.invalid(
                    "Name",
                    "Expected 1 to " + MAX_CHILD_NAME
                            + " characters other than blanks, '@', '?', '#', '*', '%', '/' and '\\', but got '"
                            + ClientText.abbreviate(name) + "'.");
        }
        return once(object, name);
    }

    /** A namespace's name: one label of a host name. */
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
            throw object.invalid("Name", "Expected a name that is not taken yet, but got '" + name + "' again.");
        }
        return name;
    }
}
