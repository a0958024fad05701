package dev.jitney.runtime.security;

import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Namespace;
import org.jspecify.annotations.Nullable;

/**
 * The rights that a valid token grants in one namespace, and their expiry: those of a rule that signed it, or those of
 * an identity. Immutable; any thread may call it.
 */
public sealed interface Grant permits RuleGrant, IdentityGrant {

    /** Returns the holder of the rights, for people and for the audit log: the name of the rule, or the identity. */
    String holder();

    /** Returns the time when it becomes invalid, in milliseconds since the epoch; {@link Long#MAX_VALUE} if never. */
    long expiresAtMs();

    /**
     * Returns whether the grant now covers an operation that needs {@code right} on the entity; the empty path means
     * the whole namespace.
     */
    boolean permits(AccessRight right, EntityAddress entity, long nowMs);

    /**
     * Returns the role of an identity in the operator API, on an entity or with the empty path on the whole namespace.
     *
     * @return null if the identity has none there, if the grant has expired, or if it is that of a rule, which has rights and no role
     */
    @Nullable
    OperatorRole role(EntityAddress entity, long nowMs);

    /** Returns whether the role on an entity is at least {@code needed}. */
    default boolean hasRole(OperatorRole needed, EntityAddress entity, long nowMs) {
        OperatorRole role = role(entity, nowMs);
        return role != null && role.includes(needed);
    }

    /** Returns whether the grant has the right for every entity of the namespace, without regard to its expiry. */
    boolean coversNamespace(AccessRight right);

    /**
     * Returns the grant of the same token under the current rules of the namespace, or with the current keys of the
     * identity provider.
     *
     * @return null if the token is not accepted any more
     */
    @Nullable
    Grant underRulesOf(Namespace namespace);
}
