package dev.jitney.runtime.security;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Namespace;
import java.util.List;

/**
 * A rule name and a key that a client presented instead of tokens (wire reference 1.3). Every use of the credential
 * looks the rules up again, so it grants the rights that they have at that moment. Any thread may call it.
 *
 * <p>A rule of the namespace grants access to every entity. A rule of an entity grants access to this entity and its
 * subscriptions (ENT-4).
 */
public final class KeyCredential implements ConnectionCredential {
    private final Namespace namespace;
    private final String ruleName;
    private final String key;

    KeyCredential(Namespace namespace, String ruleName, String key) {
        this.namespace = namespace;
        this.ruleName = ruleName;
        this.key = key;
    }

    /** Returns the namespace whose rules apply. */
    @Override
    public Namespace namespace() {
        return namespace;
    }

    /** Returns the name of the rule as the client wrote it. */
    @Override
    public String ruleName() {
        return ruleName;
    }

    /** Returns whether the namespace or one of its entities has the rule with the key now. */
    @Override
    public boolean isValid() {
        boolean inNamespace = namespace.accessRules().stream().anyMatch(this::matches);
        return inNamespace || !key.isEmpty() && namespace.hasEntityRule(ruleName, key);
    }

    /** Returns whether the credential now covers an operation that needs {@code right} on the entity. */
    @Override
    public boolean permits(AccessRight right, EntityAddress entity) {
        if (permits(right, namespace.accessRules())) {
            return true;
        }
        for (String owner : SharedAccessSignature.ruleOwners(entity)) {
            if (permits(right, SharedAccessSignature.rulesOf(namespace, owner))) {
                return true;
            }
        }
        return false;
    }

    private boolean permits(AccessRight right, List<AccessRule> rules) {
        for (AccessRule rule : rules) {
            if (rule.rights().contains(right) && matches(rule)) {
                return true;
            }
        }
        return false;
    }

    private boolean matches(AccessRule rule) {
        return rule.name().equalsIgnoreCase(ruleName)
                && (SharedAccessSignature.sameKey(key, rule.primaryKey())
                        || SharedAccessSignature.sameKey(key, rule.secondaryKey()));
    }
}
