package dev.jitney.server;

import dev.jitney.gateway.amqp.listener.SharedPort;
import dev.jitney.gateway.http.console.ConsoleAccess;
import dev.jitney.gateway.http.operator.privacy.BodyPrivacy;
import dev.jitney.gateway.http.testmode.TestModeAccess;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.KeyPolicy;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.runtime.client.ClientLimits;
import dev.jitney.server.archive.ArchiveOptions;
import dev.jitney.server.cluster.ClusterLeave;
import dev.jitney.server.cluster.ClusterOptions;
import dev.jitney.server.config.PartitioningDefault;
import dev.jitney.server.config.PlainPort;
import dev.jitney.server.config.ServerConfig;
import dev.jitney.server.identity.OidcSettings;
import dev.jitney.server.secrets.Secrets;
import dev.jitney.server.stores.InMemory;
import dev.jitney.server.stores.StorePlaces;
import dev.jitney.server.tls.Tls;
import dev.jitney.server.tls.TlsSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All settings of a server. A null setting comes from the configuration file, or else has its default. Settings that
 * the file also has override the file.
 *
 * @param dataDir the data directory, created if missing; null if everything is in memory
 * @param inMemory the settings of a server that keeps everything in memory, or null
 * @param host name or address of the interface that all listeners bind to
 * @param ports ports that serve all protocols, 0 for any free port, or null for the default of {@link ListenerPlan}
 * @param plainAmqp AMQP without TLS
 * @param plainHttp HTTP without TLS
 * @param amqpsPort port of AMQP with TLS, 0 for any free port, or null for no such listener
 * @param httpsPort port of HTTP with TLS, 0 for any free port, or null for no such listener
 * @param healthPort port without TLS for the health pages only, 0 for any free port, or null for no such listener
 * @param tls the source of the certificate, or null if no listener uses TLS
 * @param tlsSettings the other settings of TLS
 * @param clientLimits the limits of clients with one address
 * @param stores the number of messaging stores, each with a thread of its own, and their directories
 * @param config the namespaces and their declared entities
 * @param sasKey key of every root rule, or null; overrides the file
 * @param sasKeySource the option or variable that the key comes from, for people, or null
 * @param allowPublicKey true if other machines may connect with a public or weak key
 * @param tier profile of limits and features, or null; overrides the file
 * @param expiryEnforcement the time at which expired messages are removed, or null; overrides the file
 * @param throttling credits per second of each namespace, 0 for no throttling, or null; overrides the file
 * @param transferFailureTarget the destination of messages that cannot be forwarded, or null; overrides the file
 * @param deletionLock true if clients may not delete entities, or null; overrides the file
 * @param partitioningDefault the partitioning of queues and topics that do not specify it, or null; overrides the file
 * @param premiumPartitions partitions of each queue and topic in PREMIUM: 1, 2 or 4, or null; overrides the file
 * @param limits quotas by name; override the file
 * @param metrics the settings of {@code GET /metrics}
 * @param console the clients that get the web console
 * @param privacy the values of bodies that the operator API hides, and whether it audits reads
 * @param testMode the clients that may use the requests of tests, which need no key
 * @param identityProvider the identity provider whose tokens are accepted, or null
 * @param slowTurnMs the shortest turn of a shard that is logged, in milliseconds; 0 for none
 * @param closeIdle true if idle AMQP links and connections are closed (RECV-12)
 * @param cluster the settings of a node of a cluster, or null for a single node
 * @param leave the order to become a single node, or null; with it, there are no settings of a cluster
 * @param backupDir the directory of the backups that clients may order, or null for none
 * @param archive the settings of the archive of commits, or null for none
 * @param secrets the options for secrets in files
 */
public record ServerOptions(
        @Nullable Path dataDir,
        @Nullable InMemory inMemory,
        String host,
        @Nullable List<Integer> ports,
        PlainPort plainAmqp,
        PlainPort plainHttp,
        @Nullable Integer amqpsPort,
        @Nullable Integer httpsPort,
        @Nullable Integer healthPort,
        @Nullable Tls tls,
        TlsSettings tlsSettings,
        ClientLimits clientLimits,
        StorePlaces stores,
        ServerConfig config,
        @Nullable String sasKey,
        @Nullable String sasKeySource,
        boolean allowPublicKey,
        @Nullable TierProfile tier,
        @Nullable ExpiryEnforcement expiryEnforcement,
        @Nullable Integer throttling,
        @Nullable TransferFailureTarget transferFailureTarget,
        @Nullable Boolean deletionLock,
        @Nullable PartitioningDefault partitioningDefault,
        @Nullable Integer premiumPartitions,
        Map<String, Long> limits,
        MetricsSettings metrics,
        ConsoleAccess console,
        BodyPrivacy privacy,
        TestModeAccess testMode,
        @Nullable OidcSettings identityProvider,
        int slowTurnMs,
        boolean closeIdle,
        @Nullable ClusterOptions cluster,
        @Nullable ClusterLeave leave,
        @Nullable Path backupDir,
        @Nullable ArchiveOptions archive,
        Secrets secrets) {

    /** The public default key, which is that of the emulator, for loopback only. */
    public static final String DEFAULT_SAS_KEY = KeyPolicy.PUBLIC_KEY;

    /** Longest key (HTTP reference 1.1). */
    public static final int MAX_SAS_KEY_CHARACTERS = 256;

    /** Shortest key if other machines can connect; shorter keys can be guessed. */
    public static final int MIN_EXPOSED_KEY_CHARACTERS = KeyPolicy.CHARACTERS_MIN;

    public ServerOptions {
        ports = ports == null ? null : List.copyOf(ports);
        limits = Map.copyOf(limits);
    }

    /** Returns the first port that serves AMQP without TLS, 0 for any free port, or null if there is none. */
    public @Nullable Integer amqpPort() {
        ListenerPlan plan = listeners();
        return plan.shared().stream()
                .filter(SharedPort::amqp)
                .findFirst()
                .map(SharedPort::port)
                .orElse(plan.amqp());
    }

    /** Returns the first port that serves HTTP without TLS, 0 for any free port, or null if there is none. */
    public @Nullable Integer httpPort() {
        ListenerPlan plan = listeners();
        return plan.shared().stream()
                .filter(SharedPort::http)
                .findFirst()
                .map(SharedPort::port)
                .orElse(plan.http());
    }

    /** Returns the assignment of protocols to ports. */
    ListenerPlan listeners() {
        return ListenerPlan.of(this);
    }

    /** Returns whether programs on other machines can connect. */
    public boolean isExposed() {
        return !Hosts.isLoopback(host);
    }

    /** Returns the keys that rules may have on this host. */
    public KeyPolicy keyPolicy() {
        return isExposed() && !allowPublicKey ? KeyPolicy.OWN_AND_LONG : KeyPolicy.ANY;
    }

    /** Omits the key, which must not reach a log. */
    @Override
    public String toString() {
        return "ServerOptions[" + (dataDir == null ? "in memory" : dataDir) + " on " + host + "]";
    }
}
