package dev.jitney.server;

import dev.jitney.runtime.security.IdentityProvider;
import dev.jitney.server.tls.ServerIdentity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings that all {@linkplain ServiceTerm terms} of a process have in common.
 *
 * @param namespaces settings of the configured namespaces, in the order of the configuration
 * @param components factory of the parts of a term
 * @param identity certificate and key of listeners with TLS; null if there are none
 * @param identities the identity provider whose tokens are accepted
 * @param ports the ports that the gateways of a term bind themselves; {@link ListenerPlan#NONE} if they serve only
 *     connections that others have accepted
 * @param servesAnyway true if a term serves clients even if the configuration is refused, because a cluster must not stop for
 *     it
 */
record TermSettings(
        ServerOptions options,
        List<NamespaceSettings> namespaces,
        ServerComponents components,
        @Nullable ServerIdentity identity,
        IdentityProvider identities,
        ListenerPlan ports,
        boolean servesAnyway) {

    TermSettings {
        namespaces = List.copyOf(namespaces);
    }
}
