package dev.jitney.server;

import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.server.config.PartitioningDefault;
import dev.jitney.server.config.ServerConfig;
import dev.jitney.server.stores.StorePlaces;
import dev.jitney.server.tls.Tls;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything a server can be told. What is null is left to the configuration file, and then to the defaults.
 *
 * @param dataDir where everything is kept; made if it is not there
 * @param host name or address of the interface all listeners bind to
 * @param amqpPort port of AMQP without TLS, 0 for any free one
 * @param httpPort port of HTTP, 0 for any free one
 * @param amqpsPort port of AMQP with TLS, 0 for any free one, or null for no such listener
 * @param httpsPort port of HTTP with TLS, 0 for any free one, or null for no such listener
 * @param tls where the certificate comes from, or null when there is no listener with TLS
 * @param stores how many messaging stores, each with a thread of its own, and on which disks
 * @param config the namespaces and what is declared in them
 * @param sasKey key of every root rule, or null; stronger than the file's
 * @param tier profile of limits and features, or null; stronger than the file's
 * @param expiryEnforcement when expired messages go, or null; stronger than the file's
 * @param throttling credits per second of each namespace, 0 for no throttling, or null; stronger than the file's
 * @param transferFailureTarget where messages go that cannot be forwarded, or null; stronger than the file's
 * @param deletionLock whether clients may not delete entities, or null; stronger than the file's
 * @param partitioningDefault whether queues and topics are partitioned that say nothing, or null; stronger than the file's
 * @param premiumPartitions partitions of each queue and topic in PREMIUM: 1, 2 or 4, or null; stronger than the file's
 * @param limits quotas by name; stronger than the file's
 * @param metrics how {@code GET /metrics} is served
 */
public record ServerOptions(
        Path dataDir,
        String host,
        int amqpPort,
        int httpPort,
        @Nullable Integer amqpsPort,
        @Nullable Integer httpsPort,
        @Nullable Tls tls,
        StorePlaces stores,
        ServerConfig config,
        @Nullable String sasKey,
        @Nullable TierProfile tier,
        @Nullable ExpiryEnforcement expiryEnforcement,
        @Nullable Integer throttling,
        @Nullable TransferFailureTarget transferFailureTarget,
        @Nullable Boolean deletionLock,
        @Nullable PartitioningDefault partitioningDefault,
        @Nullable Integer premiumPartitions,
        Map<String, Long> limits,
        MetricsSettings metrics) {

    /** The key everybody knows: that of the emulator, good for loopback only. */
    public static final String DEFAULT_SAS_KEY = "SAS_KEY_VALUE";

    /** Longest key (HTTP reference 1.1). */
    public static final int MAX_SAS_KEY_CHARACTERS = 256;

    public ServerOptions {
        limits = Map.copyOf(limits);
    }

    /** Whether anything listens with TLS. */
    boolean wantsTls() {
        return amqpsPort != null || httpsPort != null;
    }
}
