package dev.jitney.runtime.security;

import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rights and a role within a scope: the server, a namespace, or an entity.
 *
 * @param rights    the rights
 * @param role      the role in the operator API, or null for the one that the rights imply: admin for Manage, reader for Listen
 * @param namespace the name of the namespace, compared without case, or null for all namespaces
 * @param pathKey   the path of an entity in comparison form ({@link EntityAddress#keyOf}), or an empty text for all
 *                  entities. A topic includes its subscriptions, an entity its sub-queues.
 */
public record Permission(
        Set<AccessRight> rights,
        @Nullable OperatorRole role,
        @Nullable String namespace,
        String pathKey) {

    public Permission {
        rights = Set.copyOf(rights);
        OperatorRole implied = impliedBy(rights);
        role = role == null || implied != null && implied.includes(role) ? implied : role;
    }

    /** Creates a permission with the role that its rights imply. */
    public Permission(Set<AccessRight> rights, @Nullable String namespace, String pathKey) {
        this(rights, null, namespace, pathKey);
    }

    private static @Nullable OperatorRole impliedBy(Set<AccessRight> rights) {
        if (rights.contains(AccessRight.MANAGE)) {
            return OperatorRole.ADMIN;
        }
        return rights.contains(AccessRight.LISTEN) ? OperatorRole.READER : null;
    }

    /** Returns whether it covers an operation on an entity of a namespace; the empty path means the whole namespace. */
    boolean covers(AccessRight right, String namespaceName, EntityAddress entity) {
        return rights.contains(right) && isIn(namespaceName) && reaches(entity);
    }

    /** Returns the role on an entity of a namespace, or null; the empty path means the whole namespace. */
    @Nullable
    OperatorRole roleOn(String namespaceName, EntityAddress entity) {
        return isIn(namespaceName) && reaches(entity) ? role : null;
    }

    /** Returns whether it gives something in a namespace. */
    public boolean isIn(String namespaceName) {
        return namespace == null || namespace.equalsIgnoreCase(namespaceName);
    }

    private boolean reaches(EntityAddress entity) {
        return pathKey.isEmpty() || RuleGrant.coversEntity(pathKey, entity);
    }
}
