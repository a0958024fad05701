package dev.jitney.server;

import dev.jitney.runtime.NamespaceMaker;
import dev.jitney.runtime.security.KeySeal;

/**
 * The settings of a broker beside its namespaces.
 *
 * @param maker makes the options of namespaces that are created at run time
 * @param seal encrypts the keys of access rules in the stores
 */
record BrokerSettings(NamespaceMaker maker, KeySeal seal) {
    static BrokerSettings of(ServerOptions options) {
        return new BrokerSettings(
                (name, tier) -> NamespaceSettings.made(name, tier, options),
                options.secrets().seal());
    }
}
