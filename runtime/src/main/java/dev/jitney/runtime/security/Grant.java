package dev.jitney.runtime.security;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Namespace;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a checked token permits, and until when.
 *
 * @param ruleName the rule that vouched for it
 * @param scopeKey the path it covers in comparison form ({@link EntityAddress#keyOf}); empty for the whole namespace
 * @param rights what may be done within the scope
 * @param expiresAtMs from when on it permits nothing, milliseconds since the epoch; {@link Long#MAX_VALUE} if never
 * @param entityRule whether the rule is an entity's own; then only that entity and its subscriptions are covered, not
 *     other entities whose path happens to start with its name (HTTP reference 1.5, step 7)
 * @param proof what it takes to judge the token again
 */
public record Grant(
        String ruleName, String scopeKey, Set<AccessRight> rights, long expiresAtMs, boolean entityRule, Proof proof) {

    /**
     * What a good token has proved: its owner knows this key.
     *
     * @param audience what it was shown for
     * @param scopeKey the path that the token itself covers, in comparison form
     * @param ruleName the rule it names
     * @param key the key that signed it
     */
    record Proof(EntityAddress audience, String scopeKey, String ruleName, String key) {
        /** The key, if the rule still has it under that name; null if not. */
        @Nullable
        String keyIn(AccessRule rule) {
            boolean same = key.equals(rule.primaryKey()) || key.equals(rule.secondaryKey());
            return same && rule.name().equalsIgnoreCase(ruleName) ? key : null;
        }

        @Override
        public String toString() {
            return "Proof[" + ruleName + "]"; // keys never reach a log
        }
    }

    /**
     * What the same token permits under the rules that are in force now (HTTP reference 1.5, step 5). Rights that a rule
     * has got or lost since count too.
     *
     * @return null if no rule vouches for the token any more
     */
    public @Nullable Grant underRulesOf(Namespace namespace) {
        return SharedAccessSignature.judge(
                proof.audience(),
                proof.scopeKey(),
                expiresAtMs,
                proof::keyIn,
                path -> SharedAccessSignature.rulesOf(namespace, path),
                namespace.accessRules());
    }

    /** Whether an operation that needs {@code right} on the entity is covered now; scopes match by whole segments. */
    public boolean permits(AccessRight right, EntityAddress entity, long nowMs) {
        return nowMs < expiresAtMs && rights.contains(right) && covers(entity);
    }

    private boolean covers(EntityAddress entity) {
        if (!entityRule) {
            return covers(scopeKey, entity.key());
        }
        String topic = entity.topic();
        return entity.key().equals(scopeKey)
                || topic != null && EntityAddress.keyOf(topic).equals(scopeKey);
    }

    /** Whether {@code scopeKey} equals the key or is made of its first whole segments. */
    static boolean covers(String scopeKey, String key) {
        return scopeKey.isEmpty() || key.equals(scopeKey) || key.startsWith(scopeKey + "/");
    }
}
