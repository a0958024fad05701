package dev.jitney.gateway.http.console;

import dev.jitney.model.ClientText;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.Identity;
import dev.jitney.runtime.security.LoginException;
import dev.jitney.runtime.security.Permission;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The part of the server that the console shows to a user of the identity provider.
 *
 * @param entityPath the only entity on which the user has a role, or empty for the whole namespace
 */
record UserPlace(Namespace namespace, String entityPath) {

    /**
     * Returns the place of a user.
     *
     * @param chosen     the namespace that the host or the user names, or null
     * @param namespaces all namespaces, of which the first one with a role counts if none is named
     * @throws LoginException if the user has no role there, or roles on several single entities
     */
    static UserPlace of(Identity user, @Nullable Namespace chosen, List<? extends Namespace> namespaces)
            throws LoginException {
        for (Namespace namespace : chosen == null ? namespaces : List.of(chosen)) {
            Set<String> paths = new TreeSet<>();
            for (Permission permission : user.permissions()) {
                if (permission.role() != null && permission.isIn(namespace.name())) {
                    paths.add(permission.pathKey());
                }
            }
            if (!paths.isEmpty()) {
                return new UserPlace(namespace, paths.contains("") ? "" : only(namespace, paths));
            }
        }
        throw new LoginException(
                LoginException.Reason.ROLE,
                "Expected a role for the console"
                        + (chosen == null ? "" : " in the namespace '" + chosen.name() + "'")
                        + ", but the tokens of the user have none. Compare their claims with --oidc-role-claims and"
                        + " --oidc-roles, such as GROUP=Viewer.");
    }

    private static String only(Namespace namespace, Set<String> paths) throws LoginException {
        if (paths.size() > 1) {
            throw new LoginException(
                    LoginException.Reason.ROLE,
                    "Expected a role on a namespace or on one entity, but the user has roles on " + paths.size()
                            + " single entities of '" + ClientText.abbreviate(namespace.name())
                            + "', which the console cannot show. Give a role on the namespace with --oidc-roles.");
        }
        String path = paths.iterator().next();
        Entity entity = namespace.entity(path);
        return entity == null ? path : entity.path();
    }
}
