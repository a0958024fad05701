package dev.jitney.server;

import dev.jitney.gateway.amqp.listener.SharedPort;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.KeyPolicy;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.server.config.PartitioningDefault;
import dev.jitney.server.config.ServerConfig;
import dev.jitney.server.stores.StorePlaces;
import dev.jitney.server.tls.Tls;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything a server can be told. What is null is left to the configuration file, and then to the defaults.
 *
 * @param dataDir where everything is kept; made if it is not there
 * @param host name or address of the interface all listeners bind to
 * @param ports ports that serve everything, 0 for any free one, or null to leave that to {@link ListenerPlan}
 * @param plainAmqp AMQP without TLS
 * @param plainHttp HTTP without TLS
 * @param amqpsPort port of AMQP with TLS, 0 for any free one, or null for no such listener
 * @param httpsPort port of HTTP with TLS, 0 for any free one, or null for no such listener
 * @param tls where the certificate comes from, or null when there is no listener with TLS
 * @param stores how many messaging stores, each with a thread of its own, and on which disks
 * @param config the namespaces and what is declared in them
 * @param sasKey key of every root rule, or null; stronger than the file's
 * @param sasKeySource the option or variable that the key comes from, for people, or null
 * @param allowPublicKey whether others may connect with a key that everybody knows, or could guess
 * @param tier profile of limits and features, or null; stronger than the file's
 * @param expiryEnforcement when expired messages go, or null; stronger than the file's
 * @param throttling credits per second of each namespace, 0 for no throttling, or null; stronger than the file's
 * @param transferFailureTarget where messages go that cannot be forwarded, or null; stronger than the file's
 * @param deletionLock whether clients may not delete entities, or null; stronger than the file's
 * @param partitioningDefault whether queues and topics are partitioned that say nothing, or null; stronger than the file's
 * @param premiumPartitions partitions of each queue and topic in PREMIUM: 1, 2 or 4, or null; stronger than the file's
 * @param limits quotas by name; stronger than the file's
 * @param metrics how {@code GET /metrics} is served
 * @param closeIdle whether idle AMQP links and connections are closed (RECV-12)
 */
public record ServerOptions(
        Path dataDir,
        String host,
        @Nullable List<Integer> ports,
        PlainPort plainAmqp,
        PlainPort plainHttp,
        @Nullable Integer amqpsPort,
        @Nullable Integer httpsPort,
        @Nullable Tls tls,
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
        boolean closeIdle) {

    /** The key everybody knows: that of the emulator, good for loopback only. */
    public static final String DEFAULT_SAS_KEY = KeyPolicy.PUBLIC_KEY;

    /** Longest key (HTTP reference 1.1). */
    public static final int MAX_SAS_KEY_CHARACTERS = 256;

    /** Shortest key where others can connect: what is shorter can be guessed. */
    public static final int MIN_EXPOSED_KEY_CHARACTERS = KeyPolicy.CHARACTERS_MIN;

    public ServerOptions {
        ports = ports == null ? null : List.copyOf(ports);
        limits = Map.copyOf(limits);
    }

    /** The first port that serves AMQP without TLS, 0 for any free one, or null if none does. */
    public @Nullable Integer amqpPort() {
        ListenerPlan plan = listeners();
        return plan.shared().stream()
                .filter(SharedPort::amqp)
                .findFirst()
                .map(SharedPort::port)
                .orElse(plan.amqp());
    }

    /** The first port that serves HTTP without TLS, 0 for any free one, or null if none does. */
    public @Nullable Integer httpPort() {
        ListenerPlan plan = listeners();
        return plan.shared().stream()
                .filter(SharedPort::http)
                .findFirst()
                .map(SharedPort::port)
                .orElse(plan.http());
    }

    /** Which port serves which protocols. */
    ListenerPlan listeners() {
        return ListenerPlan.of(this);
    }

    /** Whether programs on other machines can connect. */
    public boolean isExposed() {
        return !Hosts.isLoopback(host);
    }

    /** Which keys rules may have where the server is bound. */
    public KeyPolicy keyPolicy() {
        return isExposed() && !allowPublicKey ? KeyPolicy.OWN_AND_LONG : KeyPolicy.ANY;
    }

    /** Without the key, which never reaches a log. */
    @Override
    public String toString() {
        return "ServerOptions[" + dataDir + " on " + host + "]";
    }
}
