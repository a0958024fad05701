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
 *
 * <p>{@code PrimaryKeyFile} and {@code PrimaryKeyEnv} name a file or a variable with the key instead ({@link KeyOrigins}).
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

    /**
     * Returns the rules, or null if the owner has no such member.
     *
     * @param keys the places of keys outside the file
     * @param entity the name of the queue or topic that owns the rules, or null for a namespace
     */
    static @Nullable List<AccessRule> read(ConfigObject owner, KeyOrigins keys, @Nullable String entity) {
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
            String primary = key(rule, "PrimaryKey", name, keys, entity);
            if (primary == null) {
                throw rule.invalid(
                        "PrimaryKey",
                        "Expected a key, but the member is missing. Add PrimaryKey, PrimaryKeyFile or PrimaryKeyEnv,"
                                + " or a file in --secrets-dir.");
            }
            rules.add(new AccessRule(name, rights(rule), primary, key(rule, "SecondaryKey", name, keys, entity)));
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

    private static @Nullable String key(
            ConfigObject rule, String name, String ruleName, KeyOrigins keys, @Nullable String entity) {
        String outside = keys.key(rule, ruleName, name, entity);
        String key = outside == null ? rule.text(name) : outside;
        if (key != null
                && (key.isEmpty() || key.length() > MAX_KEY || key.chars().anyMatch(c -> c <= ' ' || c == ';'))) {
            throw rule.invalid(name, "Expected a key of 1 to " + MAX_KEY + " characters without spaces or ';'.");
        }
        return key;
    }
}
