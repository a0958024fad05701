package dev.jitney.runtime.security;

import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Namespace;
import org.jspecify.annotations.Nullable;

/**
 * The rights of an identity in one namespace.
 *
 * @param identity      the owner of a valid token
 * @param namespaceName the namespace in which the token was presented
 * @param provider      the provider that has verified the token
 */
public record IdentityGrant(Identity identity, String namespaceName, IdentityProvider provider) implements Grant {
    private static final EntityAddress WHOLE_NAMESPACE = EntityAddress.ofPath("");

    @Override
    public String holder() {
        return identity.holder();
    }

    @Override
    public long expiresAtMs() {
        return identity.expiresAtMs();
    }

    @Override
    public boolean permits(AccessRight right, EntityAddress entity, long nowMs) {
        return nowMs < identity.expiresAtMs() && covers(right, entity);
    }

    @Override
    public @Nullable OperatorRole role(EntityAddress entity, long nowMs) {
        OperatorRole highest = null;
        if (nowMs < identity.expiresAtMs()) {
            for (Permission permission : identity.permissions()) {
                OperatorRole role = permission.roleOn(namespaceName, entity);
                highest = role == null || highest != null && highest.includes(role) ? highest : role;
            }
        }
        return highest;
    }

    @Override
    public boolean coversNamespace(AccessRight right) {
        return covers(right, WHOLE_NAMESPACE);
    }

    private boolean covers(AccessRight right, EntityAddress entity) {
        for (Permission permission : identity.permissions()) {
            if (permission.covers(right, namespaceName, entity)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public @Nullable IdentityGrant underRulesOf(Namespace namespace) {
        return provider.trusts(identity) ? this : null;
    }

    @Override
    public String toString() {
        return "IdentityGrant[" + identity.holder() + " in " + namespaceName + "]";
    }
}
