package dev.jitney.server.config;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the member {@code AccessRules} of a namespace, queue or topic, which is an addition to the emulator's
 * file:
 *
 * <pre>{@code
 * "AccessRules": [{"Name": "orders-sender", "Rights": ["Send"], "PrimaryKey": "…", "SecondaryKey": "…"}]
 * }</pre>
 */
final class AccessRules {
    private static final int MAX_RULES = 12;
    private static final int MAX_KEY = 256;

    private AccessRules() {}

    /**
     * Returns the name of the member: {@code AccessRules}, or {@code AuthorizationRules} as in the service, where
     * {@code KeyName} is the name of a rule.
     */
    static String member(ConfigObject owner) {
        return owner.has("AuthorizationRules") ? "AuthorizationRules" : "AccessRules";
    }

    /** Returns the rules, or null if the owner has no such member. */
    static @Nullable List<AccessRule> read(ConfigObject owner) {
        String member = member(owner);
        if (!owner.has(member)) {
            return null;
        }
        List<AccessRule> rules = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (ConfigObject rule : owner.objects(member, MAX_RULES)) {
            String name = rule.requiredText(rule.has("KeyName") ? "KeyName" : "Name");
            if (name.isEmpty() || name.length() > 256 || name.chars().anyMatch(c -> c < ' ' || c == ';')) {
                throw rule.invalid("Name", "Expected 1 to 256 printable characters without ';'.");
            }
            if (!names.add(name.toLowerCase(Locale.ROOT))) {
                throw rule.invalid("Name", "Expected a unique name, but got '" + name + "' again.");
            }
            String primary = key(rule, "PrimaryKey");
            if (primary == null) {
                throw rule.invalid("PrimaryKey", "Expected a key, but the member is missing.");
            }
            rules.add(new AccessRule(name, rights(rule), primary, key(rule, "SecondaryKey")));
            rule.warnOfUnknown();
        }
        return rules;
    }

    private static Set<AccessRight> rights(ConfigObject rule) {
        Set<AccessRight> rights = EnumSet.noneOf(AccessRight.class);
        for (String text : rule.texts("Rights", AccessRight.values().length)) {
            try {
                rights.add(AccessRight.valueOf(text.toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException e) {
                throw rule.invalid("Rights", "Expected Manage, Send or Listen, but got '" + text + "'.");
            }
        }
        if (rights.isEmpty()) {
            throw rule.invalid("Rights", "Expected at least one of Manage, Send and Listen, but got none.");
        }
        return rights;
    }

    private static @Nullable String key(ConfigObject rule, String name) {
        String key = rule.text(name);
        if (key != null
                && (key.isEmpty() || key.length() > MAX_KEY || key.chars().anyMatch(c -> c <= ' ' || c == ';'))) {
            throw rule.invalid(name, "Expected a key of 1 to " + MAX_KEY + " characters without spaces or ';'.");
        }
        return key;
    }
}
