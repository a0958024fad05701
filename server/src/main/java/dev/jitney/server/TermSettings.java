package dev.jitney.server;

import dev.jitney.server.tls.Admittance;
import java.util.List;

/**
 * The settings that all {@linkplain ServiceTerm terms} of a process have in common.
 *
 * @param namespaces settings of the configured namespaces, in the order of the configuration
 * @param components factory of the parts of a term
 * @param admittance TLS, and the rules by which clients are admitted
 * @param ports the ports that the gateways of a term bind themselves; {@link ListenerPlan#NONE} if they serve only
 *     connections that others have accepted
 * @param servesAnyway true if a term serves clients even if the configuration is refused, because a cluster must not stop for
 *     it
 */
record TermSettings(
        ServerOptions options,
        List<NamespaceSettings> namespaces,
        ServerComponents components,
        Admittance admittance,
        ListenerPlan ports,
        boolean servesAnyway) {

    TermSettings {
        namespaces = List.copyOf(namespaces);
    }
}
