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
 */
public record Grant(String ruleName, String scopeKey, Set<AccessRight> rights, long expiresAtMs) {

    /** Whether an operation that needs {@code right} on the entity is covered now; scopes match by whole segments. */
    public boolean permits(AccessRight right, EntityAddress entity, long nowMs) {
        return nowMs < expiresAtMs && rights.contains(right) && covers(entity.key());
    }

    private boolean covers(String key) {
        return scopeKey.isEmpty() || key.equals(scopeKey) || key.startsWith(scopeKey + "/");
    }
}
