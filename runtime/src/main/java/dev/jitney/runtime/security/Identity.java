package dev.jitney.runtime.security;

import dev.jitney.model.ClientText;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a valid token of an identity provider. Immutable.
 *
 * @param subject     the claim {@code sub}, which never changes for a person or a program
 * @param name        the name for people, or an empty text; a person may be able to change it
 * @param roles       the roles and groups in the token that give permissions
 * @param permissions what the roles permit; empty if the token has no known role
 * @param expiresAtMs the time from which the token is invalid, in milliseconds since the epoch
 * @param keyId       the id of the key that signed the token
 */
public record Identity(
        String subject, String name, List<String> roles, List<Permission> permissions, long expiresAtMs, String keyId) {

    public Identity {
        roles = List.copyOf(roles);
        permissions = List.copyOf(permissions);
    }

    /**
     * Returns the name and the subject for the audit log, bounded and without control characters. No access rule has
     * such a name, because it begins with {@code oidc:}.
     */
    public String holder() {
        String id = ClientText.abbreviate(subject);
        return "oidc:" + (name.isEmpty() ? id : ClientText.abbreviate(name) + " (" + id + ")");
    }

    /** Returns the name of the only namespace in which the identity has permissions, or null if there are several or none. */
    public @Nullable String onlyNamespace() {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (Permission permission : permissions) {
            if (permission.namespace() == null) {
                return null;
            }
            names.add(permission.namespace());
        }
        return names.size() == 1 ? names.iterator().next() : null;
    }

    @Override
    public String toString() {
        return "Identity[" + holder() + "]";
    }
}
