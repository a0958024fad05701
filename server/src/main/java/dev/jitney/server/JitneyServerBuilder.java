package dev.jitney.server;

import dev.jitney.gateway.http.console.ConsoleAccess;
import dev.jitney.gateway.http.operator.privacy.BodyPrivacy;
import dev.jitney.gateway.http.testmode.TestModeAccess;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.client.ClientLimits;
import dev.jitney.runtime.testing.AdjustableClock;
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
import dev.jitney.server.tls.CertificateWatch;
import dev.jitney.server.tls.Tls;
import dev.jitney.server.tls.TlsSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A builder of servers, see {@link ServerOptions}. Not thread-safe. */
public final class JitneyServerBuilder {
    /** The default ports in the documentation of AMQP and of the emulator. */
    public static final int DEFAULT_AMQP_PORT = ListenerPlan.DEFAULT_AMQP_PORT;

    public static final int DEFAULT_HTTP_PORT = ListenerPlan.DEFAULT_HTTP_PORT;

    /** The ports that serve all protocols by default. */
    public static final List<Integer> DEFAULT_PORTS = List.of(DEFAULT_AMQP_PORT, DEFAULT_HTTP_PORT);

    private @Nullable List<Integer> ports;
    private @Nullable Path dataDir;
    private @Nullable InMemory inMemory;
    private String host = "127.0.0.1";
    private PlainPort plainAmqp = PlainPort.unasked(DEFAULT_AMQP_PORT);
    private PlainPort plainHttp = PlainPort.unasked(DEFAULT_HTTP_PORT);
    private @Nullable Integer amqpsPort;
    private @Nullable Integer httpsPort;
    private @Nullable Integer healthPort;
    private @Nullable Tls tls;
    private TlsSettings tlsSettings = TlsSettings.DEFAULT;
    private ClientLimits clientLimits = ClientLimits.DEFAULT;
    private long certificatePollMs = CertificateWatch.POLL_MS;
    private @Nullable Integer stores;
    private List<Path> storeDirs = List.of();
    private ServerConfig config = ServerConfig.empty();
    private @Nullable String sasKey;
    private @Nullable String sasKeySource;
    private boolean allowPublicKey;
    private @Nullable TierProfile tier;
    private @Nullable ExpiryEnforcement expiryEnforcement;
    private @Nullable Integer throttling;
    private @Nullable TransferFailureTarget transferFailureTarget;
    private @Nullable Boolean deletionLock;
    private @Nullable PartitioningDefault partitioningDefault;
    private @Nullable Integer premiumPartitions;
    private Map<String, Long> limits = Map.of();
    private MetricsSettings metrics = MetricsSettings.DEFAULT;
    private ConsoleAccess console = ConsoleAccess.LOOPBACK;
    private BodyPrivacy privacy = BodyPrivacy.OFF;
    private TestModeAccess testMode = TestModeAccess.OFF;
    private @Nullable OidcSettings identityProvider;
    private int slowTurnMs;
    private boolean closeIdle;
    private @Nullable ClusterOptions cluster;
    private @Nullable ClusterLeave leave;
    private @Nullable Path backupDir;
    private @Nullable ArchiveOptions archive;
    private Secrets secrets = Secrets.NONE;
    private @Nullable Clock clock;
    private ServerComponents components = new StandardComponents();

    JitneyServerBuilder() {}

    public JitneyServerBuilder dataDir(@Nullable Path value) {
        dataDir = value;
        return this;
    }

    /**
     * Keeps everything in memory, for tests: all messages are lost when the server stops, and no file is written. Then there
     * is no {@link #dataDir}, no {@link #cluster}, and no certificate that the server creates. The stores share a quarter of
     * the heap; {@link #inMemoryBytes} sets another size.
     */
    public JitneyServerBuilder inMemory(boolean value) {
        inMemory = value ? InMemory.DEFAULT : null;
        return this;
    }

    /**
     * Keeps everything in memory, like {@link #inMemory}.
     *
     * @param value bytes of messages and entities at which all stores together refuse sends: at least 1 MiB for each store,
     *     at most half of the heap
     */
    public JitneyServerBuilder inMemoryBytes(long value) {
        inMemory = new InMemory(value);
        return this;
    }

    public JitneyServerBuilder host(String value) {
        host = value;
        return this;
    }

    /**
     * Serves all protocols on this port, 0 for any free port: AMQP, HTTP and WebSockets, and the same over TLS if there
     * is a certificate. The default is 5672 and 5300, unless another option sets a port for one protocol.
     */
    public JitneyServerBuilder port(int value) {
        return ports(List.of(value));
    }

    /** Serves all protocols on several ports; null for the default. */
    public JitneyServerBuilder ports(@Nullable List<Integer> value) {
        ports = value;
        return this;
    }

    /** Serves AMQP without TLS on this port, 0 for any free port, even if other machines can connect. */
    public JitneyServerBuilder amqpPort(int value) {
        return plainAmqp(PlainPort.of(value));
    }

    /** Serves HTTP without TLS on this port, 0 for any free port, even if other machines can connect. */
    public JitneyServerBuilder httpPort(int value) {
        return plainHttp(PlainPort.of(value));
    }

    /** Sets the listener of AMQP without TLS; {@link PlainPort#OFF} for none. */
    public JitneyServerBuilder plainAmqp(PlainPort value) {
        plainAmqp = value;
        return this;
    }

    /** Sets the listener of HTTP without TLS; {@link PlainPort#OFF} for none. */
    public JitneyServerBuilder plainHttp(PlainPort value) {
        plainHttp = value;
        return this;
    }

    public JitneyServerBuilder amqpsPort(@Nullable Integer value) {
        amqpsPort = value;
        return this;
    }

    public JitneyServerBuilder httpsPort(@Nullable Integer value) {
        httpsPort = value;
        return this;
    }

    /** Sets the port without TLS that serves the health pages and nothing else. */
    public JitneyServerBuilder healthPort(@Nullable Integer value) {
        healthPort = value;
        return this;
    }

    public JitneyServerBuilder tls(@Nullable Tls value) {
        tls = value;
        return this;
    }

    /** Sets versions, suites and engine of TLS, and the certificates of clients. */
    public JitneyServerBuilder tlsSettings(TlsSettings value) {
        tlsSettings = value;
        return this;
    }

    /** Sets the limits of clients with one address. */
    public JitneyServerBuilder clientLimits(ClientLimits value) {
        clientLimits = value;
        return this;
    }

    /** Sets the time between two looks at the files of certificates, in milliseconds; the default is 5,000. */
    public JitneyServerBuilder certificatePollMs(long value) {
        certificatePollMs = value;
        return this;
    }

    /** Sets the number of messaging stores; null for one per directory of {@link #storeDirs}, or one. */
    public JitneyServerBuilder stores(@Nullable Integer value) {
        stores = value;
        return this;
    }

    /** Sets the directories of the stores, used in turn; an empty list for the data directory itself. */
    public JitneyServerBuilder storeDirs(List<Path> value) {
        storeDirs = value;
        return this;
    }

    public JitneyServerBuilder config(ServerConfig value) {
        config = value;
        return this;
    }

    public JitneyServerBuilder sasKey(@Nullable String value) {
        sasKey = value;
        return this;
    }

    /** Sets the option or variable that the key comes from, which is printed in place of the key. */
    public JitneyServerBuilder sasKeySource(@Nullable String value) {
        sasKeySource = value;
        return this;
    }

    /** Sets whether other machines may connect with a public or weak key. */
    public JitneyServerBuilder allowPublicKey(boolean value) {
        allowPublicKey = value;
        return this;
    }

    public JitneyServerBuilder tier(@Nullable TierProfile value) {
        tier = value;
        return this;
    }

    public JitneyServerBuilder expiryEnforcement(@Nullable ExpiryEnforcement value) {
        expiryEnforcement = value;
        return this;
    }

    /** Sets the shortest turn of a shard that is logged, in milliseconds; 0 for none, which is the default. */
    public JitneyServerBuilder slowTurnMs(int value) {
        slowTurnMs = value;
        return this;
    }

    /** Sets the throttling credits per second of each namespace, 0 for no throttling (THR-2). */
    public JitneyServerBuilder throttling(@Nullable Integer value) {
        throttling = value;
        return this;
    }

    /** Sets the destination of messages that cannot be forwarded (DLQ-32). */
    public JitneyServerBuilder transferFailureTarget(@Nullable TransferFailureTarget value) {
        transferFailureTarget = value;
        return this;
    }

    /** Sets whether clients may not delete entities (IDLE-11). */
    public JitneyServerBuilder deletionLock(@Nullable Boolean value) {
        deletionLock = value;
        return this;
    }

    /** Sets whether queues and topics are partitioned if their descriptions do not specify it (PART-5). */
    public JitneyServerBuilder partitioningDefault(@Nullable PartitioningDefault value) {
        partitioningDefault = value;
        return this;
    }

    /** Sets the partitions of each queue and topic in PREMIUM: 1, 2 or 4 (PART-7, PART-20). */
    public JitneyServerBuilder premiumPartitions(@Nullable Integer value) {
        premiumPartitions = value;
        return this;
    }

    /** Sets quotas by name, see {@link dev.jitney.server.config.LimitSettings}. */
    public JitneyServerBuilder limits(Map<String, Long> value) {
        limits = value;
        return this;
    }

    public JitneyServerBuilder metrics(MetricsSettings value) {
        metrics = value;
        return this;
    }

    /** Sets the clients that get the web console: by default those on this machine. */
    public JitneyServerBuilder console(ConsoleAccess value) {
        console = value;
        return this;
    }

    /** Sets the values of bodies that the operator API hides, and whether it audits reads: by default none, and it does not. */
    public JitneyServerBuilder identityProvider(@Nullable OidcSettings value) {
        identityProvider = value;
        return this;
    }

    public JitneyServerBuilder privacy(BodyPrivacy value) {
        privacy = value;
        return this;
    }

    /** Sets whether idle AMQP links and connections are closed, as the service does (RECV-12). */
    public JitneyServerBuilder closeIdle(boolean value) {
        closeIdle = value;
        return this;
    }

    /** Makes the server a node of a cluster; null for a single node, which is the default. */
    public JitneyServerBuilder cluster(@Nullable ClusterOptions value) {
        cluster = value;
        return this;
    }

    /** Makes the data directory of a cluster's only member that of a single node first; null for no change, which is the default. */
    public JitneyServerBuilder leaveCluster(@Nullable ClusterLeave value) {
        leave = value;
        return this;
    }

    /**
     * Lets clients control the broker for tests with the requests below {@code /$test}, which need no key. Then the time of messages can be
     * moved, and the history of messages is kept. A broker for production must not have it. The default is {@link TestModeAccess#OFF}.
     */
    public JitneyServerBuilder testMode(TestModeAccess value) {
        testMode = value;
        return this;
    }

    /** Sets the options for secrets in files. */
    public JitneyServerBuilder secrets(Secrets value) {
        secrets = value;
        return this;
    }

    /** Sets the clock. In test mode it must be an {@link AdjustableClock}, which is the default then. */
    public JitneyServerBuilder clock(Clock value) {
        clock = value;
        return this;
    }

    JitneyServerBuilder components(ServerComponents value) {
        components = value;
        return this;
    }

    /** Makes backups in this directory, when clients order them; null for none. */
    public JitneyServerBuilder backupDir(@Nullable Path value) {
        backupDir = value;
        return this;
    }

    /** Archives all commits with these settings, so that a backup can be restored to a later moment; null for no archive. */
    public JitneyServerBuilder archive(@Nullable ArchiveOptions value) {
        archive = value;
        return this;
    }

    /** Returns the options as set so far. */
    public ServerOptions options() {
        if (dataDir == null && inMemory == null) {
            throw new IllegalStateException("Expected a data directory, but got none.");
        }
        return new ServerOptions(
                dataDir,
                inMemory,
                host,
                ports,
                plainAmqp,
                plainHttp,
                amqpsPort,
                httpsPort,
                healthPort,
                tls,
                tlsSettings,
                clientLimits,
                new StorePlaces(stores, storeDirs),
                config,
                sasKey,
                sasKeySource,
                allowPublicKey,
                tier,
                expiryEnforcement,
                throttling,
                transferFailureTarget,
                deletionLock,
                partitioningDefault,
                premiumPartitions,
                limits,
                metrics,
                console,
                privacy,
                testMode,
                identityProvider,
                slowTurnMs,
                closeIdle,
                cluster,
                leave,
                backupDir,
                archive,
                secrets);
    }

    /** Returns a server that is not started yet. */
    public JitneyServer build() {
        Clock used = clock;
        if (used == null) {
            used = testMode == TestModeAccess.OFF ? Clock.system() : new AdjustableClock();
        }
        return new JitneyServer(options(), used, components, certificatePollMs);
    }
}
