package dev.jitney.runtime.security;

import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rights within a scope: the server, a namespace, or an entity.
 *
 * @param rights    the rights
 * @param namespace the name of the namespace, compared without case, or null for all namespaces
 * @param pathKey   the path of an entity in comparison form ({@link EntityAddress#keyOf}), or an empty text for all
 *                  entities. A topic includes its subscriptions, an entity its sub-queues.
 */
public record Permission(Set<AccessRight> rights, @Nullable String namespace, String pathKey) {

    public Permission {
        rights = Set.copyOf(rights);
    }

    /** Returns whether it covers an operation on an entity of a namespace; the empty path means the whole namespace. */
    boolean covers(AccessRight right, String namespaceName, EntityAddress entity) {
        return rights.contains(right)
                && (namespace == null || namespace.equalsIgnoreCase(namespaceName))
                && (pathKey.isEmpty() || RuleGrant.coversEntity(pathKey, entity));
    }
}
