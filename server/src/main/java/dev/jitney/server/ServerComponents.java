package dev.jitney.server;

import dev.jitney.cluster.change.StoreKinds;
import dev.jitney.cluster.node.Replicas;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.KeySeal;
import dev.jitney.runtime.NamespaceMaker;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.store.FormatLevels;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.server.archive.ArchiveOptions;
import dev.jitney.server.stores.StorePlaces;
import dev.jitney.server.tls.Admittance;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The factory of a server's components. The product has one set of them; tests of order and failure use their own. */
interface ServerComponents {

    /**
     * The settings of a broker beside its namespaces.
     *
     * @param maker makes the options of namespaces that are created at run time
     * @param seal encrypts the keys of access rules in the stores
     * @param slowTurnMs the shortest turn of a shard that is logged, in milliseconds; 0 for none
     * @param archive the settings of the archive of commits, or null for none
     */
    record BrokerSettings(
            NamespaceMaker maker,
            KeySeal seal,
            int slowTurnMs,
            @Nullable ArchiveOptions archive) {
        static BrokerSettings of(ServerOptions options) {
            return new BrokerSettings(
                    (name, tier) -> NamespaceSettings.made(name, tier, options),
                    options.secrets().seal(),
                    options.slowTurnMs(),
                    options.archive());
        }
    }

    /** Returns the levels that this release supports (CL-60). */
    default FormatLevels levels() {
        return FormatLevels.OF_THIS_RELEASE;
    }

    /**
     * Opens the stores under the directory and the broker on them.
     *
     * @param broker the options of namespaces that are created at run time
     */
    BrokerBackend openBackend(
            Path dataDir, StorePlaces stores, List<NamespaceSettings> namespaces, BrokerSettings broker, Clock clock)
            throws StartException;

    /**
     * Opens a broker on stores that are open already and that stay open when the broker closes.
     *
     * @param broker the options of namespaces that are created at run time
     */
    BrokerBackend openBackend(
            List<MessagingStore> stores, List<NamespaceOptions> namespaces, BrokerSettings broker, Clock clock)
            throws StartException;

    /** Prepares the directories of the copies that a node of a cluster keeps, and returns the action that opens them. */
    Replicas replicas(Path dataDir, StorePlaces stores) throws StartException;

    /** Returns the stores of a data directory, for a change of all of them while nothing uses them (CL-54). */
    StoreKinds kinds(Path dataDir, StorePlaces stores) throws StartException;

    /**
     * Opens the AMQP listeners.
     *
     * @param ports the ports to bind
     * @param admittance TLS, and the rules by which clients are admitted
     */
    AmqpListeners openAmqp(BrokerBackend backend, ServerOptions options, ListenerPlan ports, Admittance admittance)
            throws StartException;
}
