package dev.jitney.runtime.security;

import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import java.util.Set;

/**
 * What a checked credential permits, and until when.
 *
 * @param ruleName the rule that vouched for it
 * @param scopeKey the path it covers in comparison form ({@link EntityAddress#keyOf}); empty for the whole namespace
 * @param rights what may be done within the scope
 * @param expiresAtMs from when on it permits nothing, milliseconds since the epoch; {@link Long#MAX_VALUE} if never
 * @param entityRule whether the rule is an entity's own; then only that entity and its subscriptions are covered, not
 *     other entities whose path happens to start with its name (HTTP reference 1.5, step 7)
 */
public record Grant(String ruleName, String scopeKey, Set<AccessRight> rights, long expiresAtMs, boolean entityRule) {

    /** What a rule of the namespace permits. */
    public Grant(String ruleName, String scopeKey, Set<AccessRight> rights, long expiresAtMs) {
        this(ruleName, scopeKey, rights, expiresAtMs, false);
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
