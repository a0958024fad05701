package dev.jitney.model.property;

import dev.jitney.model.AccessRule;
import dev.jitney.model.ClientText;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks of the shared access rules of a namespace or an entity (QUOTA-9; HTTP reference 2.7). Null means valid. */
public final class AccessRuleChecks {
    private static final int RULES_MAX = 12;
    private static final int KEY_LENGTH_MAX = 256;
    private static final String OF_IDENTITIES = "oidc:";
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cntrl}\\p{Cs}]");

    private AccessRuleChecks() {}

    /** Checks a list of rules. Returns null if it is valid. */
    public static @Nullable Rejection refuse(List<AccessRule> rules) {
        if (rules.size() > RULES_MAX) {
            return new Rejection(
                    ErrorCode.QUOTA_EXCEEDED,
                    "Expected at most " + RULES_MAX + " AuthorizationRules, but got " + rules.size() + ".");
        }
        Set<String> names = new HashSet<>();
        for (AccessRule rule : rules) {
            String name = ClientText.abbreviate(rule.name());
            if (UNPRINTABLE.matcher(rule.name()).find() || rule.name().isBlank()) {
                return Rejection.argument(
                        "Expected a KeyName of 1 to 256 printable characters, but got '" + name + "'.");
            }
            if (rule.name().regionMatches(true, 0, OF_IDENTITIES, 0, OF_IDENTITIES.length())) {
                return Rejection.argument("Expected a KeyName that does not begin with '" + OF_IDENTITIES
                        + "', which the audit trail uses for identities, but got '" + name + "'.");
            }
            if (!names.add(rule.name().toLowerCase(Locale.ROOT))) {
                return Rejection.argument(
                        "Expected a different KeyName in each authorization rule, but '" + name + "' occurs twice.");
            }
            Rejection refusal = key("PrimaryKey", name, rule.primaryKey());
            if (refusal == null && rule.secondaryKey() != null) {
                refusal = key("SecondaryKey", name, rule.secondaryKey());
            }
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    /** Checks a key. The text of a refusal contains the length and never the key. */
    private static @Nullable Rejection key(String property, String name, String key) {
        if (key.isEmpty() || key.length() > KEY_LENGTH_MAX) {
            return Rejection.argument("Expected a " + property + " of 1 to " + KEY_LENGTH_MAX + " characters in rule '"
                    + name + "', but got " + key.length() + ".");
        }
        return UNPRINTABLE.matcher(key).find()
                ? Rejection.argument("Expected only printable characters in the " + property + " of rule '" + name
                        + "', but it contains other characters.")
                : null;
    }
}
