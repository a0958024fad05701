package dev.jitney.runtime.security;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Namespace;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rights of the access rule that signed a token. Scopes match by whole segments.
 *
 * @param ruleName    the rule that signed the token
 * @param scopeKey    the path it covers in comparison form ({@link EntityAddress#keyOf}); empty for the whole
 *                    namespace
 * @param rights      the rights within the scope
 * @param expiresAtMs the time when it becomes invalid, in milliseconds since the epoch; {@link Long#MAX_VALUE} if
 *                    never
 * @param entityRule  whether the rule is an entity's own; then it covers only that entity and its subscriptions, not
 *                    other entities whose path starts with the same name (HTTP reference 1.5, step 7)
 * @param proof       the data to validate the token again
 */
public record RuleGrant(
        String ruleName, String scopeKey, Set<AccessRight> rights, long expiresAtMs, boolean entityRule, Proof proof)
        implements Grant {

    /**
     * The verified contents of a valid token: its owner has this key.
     *
     * @param audience the entity that the token was presented for
     * @param scopeKey the path that the token itself covers, in comparison form
     * @param ruleName the rule named in the token
     * @param key      the key that signed the token
     */
    record Proof(EntityAddress audience, String scopeKey, String ruleName, String key) {
        /** Returns the key if the rule still has it under that name; otherwise null. */
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

    @Override
    public String holder() {
        return ruleName;
    }

    /**
     * Returns the grant of the same token under the current rules (HTTP reference 1.5, step 5). It includes rights
     * that the rule has gained or lost since.
     *
     * @return null if no rule accepts the token any more
     */
    @Override
    public @Nullable RuleGrant underRulesOf(Namespace namespace) {
        return SharedAccessSignature.judge(
                proof.audience(),
                proof.scopeKey(),
                expiresAtMs,
                proof::keyIn,
                path -> SharedAccessSignature.rulesOf(namespace, path),
                namespace.accessRules());
    }

    @Override
    public boolean permits(AccessRight right, EntityAddress entity, long nowMs) {
        return nowMs < expiresAtMs && rights.contains(right) && covers(entity);
    }

    @Override
    public @Nullable OperatorRole role(EntityAddress entity, long nowMs) {
        return null;
    }

    @Override
    public boolean coversNamespace(AccessRight right) {
        return scopeKey.isEmpty() && !entityRule && rights.contains(right);
    }

    private boolean covers(EntityAddress entity) {
        return entityRule ? coversEntity(scopeKey, entity) : covers(scopeKey, entity.key());
    }

    /** Returns whether {@code scopeKey} equals the key or consists of its first whole segments. */
    static boolean covers(String scopeKey, String key) {
        return scopeKey.isEmpty() || key.equals(scopeKey) || key.startsWith(scopeKey + "/");
    }

    /** Returns whether the path in comparison form is that of the entity, or that of the topic of a subscription. */
    static boolean coversEntity(String scopeKey, EntityAddress entity) {
        String topic = entity.topic();
        return entity.key().equals(scopeKey)
                || topic != null && EntityAddress.keyOf(topic).equals(scopeKey);
    }
}
