package dev.jitney.server.cli;

import dev.jitney.cluster.member.ClusterSettings;
import dev.jitney.gateway.http.console.ConsoleAccess;
import dev.jitney.gateway.http.metrics.MetricsAccess;
import dev.jitney.gateway.http.operator.privacy.BodyPrivacy;
import dev.jitney.gateway.http.testmode.TestModeAccess;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.server.JitneyServer;
import dev.jitney.server.JitneyServerBuilder;
import dev.jitney.server.MetricsSettings;
import dev.jitney.server.ServerOptions;
import dev.jitney.server.StartException;
import dev.jitney.server.cli.Converters.LimitOption;
import dev.jitney.server.cli.log.LogFormat;
import dev.jitney.server.cli.log.LogLevel;
import dev.jitney.server.cli.log.LogSetup;
import dev.jitney.server.cluster.ClusterLeave;
import dev.jitney.server.cluster.ClusterOptions;
import dev.jitney.server.cluster.ClusterOrigin;
import dev.jitney.server.config.ConfigException;
import dev.jitney.server.config.ConfigReader;
import dev.jitney.server.config.KeyOrigins;
import dev.jitney.server.config.LimitSettings;
import dev.jitney.server.config.PartitioningDefault;
import dev.jitney.server.config.PlainPort;
import dev.jitney.server.config.ServerConfig;
import dev.jitney.server.secrets.Secrets;
import dev.jitney.server.tls.ClusterCertificates;
import dev.jitney.server.tls.Tls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code jitney server}: reads the options and passes them to the runner. */
@Command(
        name = "server",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "Runs the broker until it receives SIGTERM or Ctrl-C.",
        optionListHeading = "%nOptions (each is also an environment variable: --amqp-port is JITNEY_AMQP_PORT):%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  A broker with the entities of a file:",
            "    jitney server --config config.json",
            "  In a test, on a free port, without files:",
            "    jitney server --in-memory --port 0",
            "  Two stores on two disks:",
            "    jitney server --store-dirs /disk1/jitney,/disk2/jitney",
            "  Reachable from other machines, with TLS and a key of your own:",
            "    (umask 077 && openssl rand -base64 32 > sas.key)",
            "    jitney server --host 0.0.0.0 --sas-key-file sas.key --tls cert.pem,key.pem \\",
            "        --amqps-port 5671 --https-port 443",
            "  The first of three nodes on this machine that survive the loss of one:",
            "    jitney server --data-dir a --port 5672 --cluster-node a \\",
            "        --cluster-nodes a=127.0.0.1:7400,b=127.0.0.1:7410,c=127.0.0.1:7420",
            "  One of three nodes on three machines (see jitney cluster certificates --help):",
            "    jitney server --host 0.0.0.0 --sas-key-file sas.key --tls cert.pem,key.pem \\",
            "        --cluster-nodes a=broker-1:7400,b=broker-2:7400,c=broker-3:7400 \\",
            "        --cluster-node a --cluster-tls a.pem,a-key.pem,ca.pem",
            "  In a container, with environment variables only:",
            "    JITNEY_DATA_DIR=/data JITNEY_CONFIG=/config.json jitney server",
            "",
            "The server is ready when GET /health on an HTTP port returns 200 (see jitney",
            "health). Command-line options override environment variables, these override",
            "the configuration file, and it overrides the defaults.",
            "Exit status: 0 = stopped normally, 1 = fault, such as a port in use,",
            "2 = invalid options."
        })
final class ServerCommand implements Callable<Integer> {
    private final EnvironmentDefaults environment;
    private final Map<String, String> variables;
    private final ServerRunner runner;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--data-dir",
            paramLabel = "D",
            defaultValue = "./jitney-data",
            description = "Directory of all data; created if missing (default: ${DEFAULT-VALUE}).")
    private Path dataDir = Path.of("./jitney-data");

    @Mixin
    private TestOptions tests = new TestOptions();

    @Mixin
    private IdentityOptions identity = new IdentityOptions();

    @Mixin
    private BackupOptions backups = new BackupOptions();

    @Mixin
    private SecretsOptions secrets = new SecretsOptions();

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "Network interface to listen on, as an address or a host name (default: ${DEFAULT-VALUE}).")
    private String host = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "N[,N]",
            split = ",",
            converter = Converters.Port.class,
            description = "Ports for AMQP, HTTP and WebSockets together, and with --tls for the same protocols over"
                    + " TLS; 0 = any free port (default: 5672,5300 unless one of the next four options is"
                    + " given). With --tls and a --host that other machines can reach, these ports accept only"
                    + " TLS.")
    private @Nullable List<Integer> ports;

    @Option(
            names = "--amqp-port",
            paramLabel = "N|off",
            converter = Converters.Plain.class,
            description =
                    "Port for AMQP without TLS (default: 5672 if another protocol has a port of its own and --port is"
                            + " not given). 0 = any free port, off = no AMQP without TLS. Off by default with --tls and a"
                            + " --host that other machines can reach.")
    private @Nullable PlainPort amqpPort;

    @Option(
            names = "--http-port",
            paramLabel = "N|off",
            converter = Converters.Plain.class,
            description =
                    "Port for HTTP without TLS (default: 5300 if another protocol has a port of its own and --port is"
                            + " not given). 0 = any free port, off = no HTTP without TLS. Off by default with --tls and a"
                            + " --host that other machines can reach.")
    private @Nullable PlainPort httpPort;

    @Option(
            names = "--amqps-port",
            paramLabel = "N",
            converter = Converters.Port.class,
            description = "Port for AMQP over TLS, usually 5671; 0 = any free port (default: none).")
    private @Nullable Integer amqpsPort;

    @Option(
            names = "--https-port",
            paramLabel = "N",
            converter = Converters.Port.class,
            description = "Port for HTTP over TLS; 0 = any free port (default: none).")
    private @Nullable Integer httpsPort;

    @Option(
            names = "--health-port",
            paramLabel = "N",
            converter = Converters.Port.class,
            description =
                    "Port for the health pages only, without TLS, for probes that have no certificate or no TLS; 0 = any"
                            + " free port (default: none).")
    private @Nullable Integer healthPort;

    @Option(
            names = "--tls",
            paramLabel = "auto[:HOST,...]|CERT,KEY",
            converter = Converters.TlsSource.class,
            description = "Certificate of the TLS ports: two PEM files, or auto for a certificate from a local"
                    + " authority that the server creates. It is valid for localhost, the given hosts, and each"
                    + " namespace as a subdomain of them. Clients then trust D/tls/ca.pem or"
                    + " D/tls/truststore.p12 (password changeit).")
    private @Nullable Tls tls;

    @Mixin
    private TlsOptions tlsOptions = new TlsOptions();

    @Mixin
    private ClientLimitOptions clientLimits = new ClientLimitOptions();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Configuration file with namespaces and their entities, in the format of the Microsoft"
                    + " emulator's Config.json.")
    private @Nullable Path config;

    @Option(
            names = "--config-strict",
            paramLabel = "true|false",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description = "Refuse a configuration file that the emulator would refuse (default: ${DEFAULT-VALUE}).")
    private boolean configStrict;

    @Option(
            names = "--stores",
            paramLabel = "N",
            converter = Converters.Stores.class,
            description = "Number of messaging stores, 1 to 64, each with a thread of its own. You cannot change it"
                    + " after the first start with a data directory (default: one, or one per directory of"
                    + " --store-dirs).")
    private @Nullable Integer stores;

    @Option(
            names = "--store-dirs",
            paramLabel = "D1,D2",
            split = ",",
            description = "Directories for the stores, for example on different disks. The first store goes into"
                    + " the first directory, and so on in turn; keep their order (default: the data directory).")
    private List<Path> storeDirs = new ArrayList<>();

    @Option(
            names = "--sas-key",
            paramLabel = "KEY",
            description = "Key of RootManageSharedAccessKey (default: " + ServerOptions.DEFAULT_SAS_KEY
                    + ", on loopback only). Other users of this machine can see it on the command line; prefer"
                    + " --sas-key-file.")
    private @Nullable String sasKey;

    @Option(
            names = "--sas-key-file",
            paramLabel = "FILE",
            description = "File with the key of RootManageSharedAccessKey.")
    private @Nullable Path sasKeyFile;

    @Option(
            names = "--allow-public-key",
            paramLabel = "true|false",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description = "Allow other machines to connect with the public default key, or with a key of less than "
                    + ServerOptions.MIN_EXPOSED_KEY_CHARACTERS
                    + " characters. For development only; every start logs a warning (default: false).")
    private boolean allowPublicKey;

    @Option(
            names = "--tier",
            paramLabel = "TIER",
            description = "Service tier, which sets limits and features: BASIC, STANDARD or PREMIUM (default:"
                    + " STANDARD).")
    private @Nullable String tier;

    @Option(
            names = "--expiry-enforcement",
            paramLabel = "WHEN",
            description =
                    "When Jitney removes or dead-letters expired messages: ON_RECEIVER while a receiver is active,"
                            + " as in the cloud, or BACKGROUND at any time (default: ON_RECEIVER).")
    private @Nullable String expiryEnforcement;

    @Option(
            names = "--throttling",
            paramLabel = "CREDITS",
            converter = Converters.Credits.class,
            description = "Throttling credits per second for each namespace; the cloud grants 1000. A message costs"
                    + " 1 credit, a change of an entity 10. 0 = no throttling (default: 0). Ignored in PREMIUM.")
    private @Nullable Integer throttling;

    @Option(
            names = "--transfer-failure-target",
            paramLabel = "QUEUE",
            description = "Destination of messages that cannot be forwarded: TRANSFER_DLQ for the transfer"
                    + " dead-letter queue, as in the cloud, or DLQ for the dead-letter queue (default:"
                    + " TRANSFER_DLQ).")
    private @Nullable String transferFailureTarget;

    @Option(
            names = "--deletion-lock",
            paramLabel = "true|false",
            arity = "0..1",
            fallbackValue = "true",
            description = "Refuse all requests of clients to delete queues, topics and subscriptions."
                    + " AutoDeleteOnIdle still deletes idle ones (default: false).")
    private @Nullable Boolean deletionLock;

    @Option(
            names = "--partitioning-default",
            paramLabel = "OFF|ON",
            description = "Partition new queues and topics unless EnablePartitioning says otherwise: OFF or ON"
                    + " (default: OFF). Ignored in PREMIUM, where --premium-partitions decides.")
    private @Nullable String partitioningDefault;

    @Option(
            names = "--premium-partitions",
            paramLabel = "1|2|4",
            converter = Converters.Partitions.class,
            description = "Partitions of each queue and topic in PREMIUM: 1 (not partitioned), 2 or 4. You cannot"
                    + " change it once there are partitioned entities (default: 2).")
    private @Nullable Integer premiumPartitions;

    @Option(
            names = "--limit",
            paramLabel = "NAME=N",
            split = ",",
            converter = Converters.Limit.class,
            description = "Quota to change, for example maxMessageSizeBytes=1048576; repeatable. Each quota also"
                    + " has an environment variable, for example JITNEY_LIMIT_MAX_MESSAGE_SIZE_BYTES. The"
                    + " error for an unknown name lists all names.")
    private List<LimitOption> limits = new ArrayList<>();

    @Option(
            names = "--close-idle",
            paramLabel = "true|false",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description = "Close idle AMQP links and connections, as the cloud does: links after 10 minutes,"
                    + " connections without links after 5 minutes, new connections without a link after 1"
                    + " minute (default: false).")
    private boolean closeIdle;

    @Option(
            names = "--metrics",
            paramLabel = "WHO",
            description = "Access to GET /metrics, which contains the names of entities: OPEN for all clients,"
                    + " AUTHORIZED for clients with a Manage or Listen token, or OFF (default: OPEN on"
                    + " loopback, otherwise AUTHORIZED).")
    private @Nullable String metrics;

    @Option(
            names = "--metrics-entities",
            paramLabel = "N",
            defaultValue = "" + MetricsSettings.DEFAULT_ENTITIES_MAX,
            converter = Converters.Entities.class,
            description = "Number of entities with metrics of their own; the metrics of the others are added up"
                    + " (default: ${DEFAULT-VALUE}).")
    private int metricsEntities = MetricsSettings.DEFAULT_ENTITIES_MAX;

    @Option(
            names = "--console",
            paramLabel = "WHO",
            defaultValue = "LOOPBACK",
            description =
                    "Clients that get the web console at /console/: LOOPBACK for those on this machine, ON for all,"
                            + " who must log in with a key, or OFF for none (default: ${DEFAULT-VALUE}).")
    private String console = "LOOPBACK";

    @Option(
            names = "--mask-body",
            paramLabel = "PATH",
            split = ";",
            description =
                    "Value in JSON bodies that the operator API and the web console show as *** to all who have no"
                            + " Manage right, for example '$.card.number', or 'shop=$.card.number' for the namespace shop"
                            + " only; repeatable, or separated by semicolons (default: none).")
    private List<String> maskBody = new ArrayList<>();

    @Option(
            names = "--audit-reads",
            paramLabel = "true|false",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description = "Write requests of the operator API that return the bodies of messages to the audit trail"
                    + " (default: false).")
    private boolean auditReads;

    @Option(
            names = "--cluster-nodes",
            paramLabel = "A=HOST:PORT,...",
            converter = Converters.Members.class,
            description = "Nodes of a cluster that keeps copies of all stores, by name, with the address of their"
                    + " replication port; the next port is the node port, unless you add it as in a=host:7400:7500. The"
                    + " same on all nodes when the cluster is founded, an odd number of them; later members are added by"
                    + " jitney cluster add (default: none, this is a single node).")
    private Converters.@Nullable ClusterMembers clusterNodes;

    @Option(
            names = "--cluster-node",
            paramLabel = "NAME",
            description = "Name of this node in --cluster-nodes (default: the first label of the host name).")
    private @Nullable String clusterNode;

    @Option(
            names = ClusterCertificates.OPTION,
            paramLabel = "CERT,KEY,CA",
            converter = Converters.NodeCertificates.class,
            description = "Three PEM files for TLS between nodes: the certificate of this node, its key, and the"
                    + " certificate of the cluster's authority. 'jitney cluster certificates' makes them"
                    + " (default: no TLS, with loopback addresses only).")
    private @Nullable ClusterCertificates clusterTls;

    @Option(
            names = "--cluster-plain",
            paramLabel = "true|false",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description = "Let nodes on other machines connect without TLS, because the network between them is"
                    + " private (default: ${DEFAULT-VALUE}).")
    private boolean clusterPlain;

    @Option(
            names = "--cluster-election-ms",
            paramLabel = "MS",
            defaultValue = "" + ClusterSettings.ELECTION_MS,
            converter = Converters.Election.class,
            description = "Milliseconds without a leader after which a node starts an election. Shorter times change"
                    + " leaders on busy machines (default: ${DEFAULT-VALUE}).")
    private int clusterElectionMs = ClusterSettings.ELECTION_MS;

    @Option(
            names = "--cluster-log-size",
            paramLabel = "SIZE",
            defaultValue = "1g",
            converter = Converters.Size.class,
            description =
                    "Size of the replicated log to keep for nodes that lag, such as 512m or 2g; at most a tenth of its"
                            + " disk (default: ${DEFAULT-VALUE}).")
    private long clusterLogSize = ClusterSettings.LOG_BYTES_MAX;

    @Option(
            names = "--raft-dir",
            paramLabel = "D",
            description = "Directory of the replicated log, for example on another disk (default: raft in the data"
                    + " directory).")
    private @Nullable Path raftDir;

    @Option(
            names = "--cluster-found",
            paramLabel = "true|false",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description = "Found a cluster with all messages of the single node in the data directory. Stop that node"
                    + " first, then start it with --cluster-nodes and this option: it is the first member, and the other"
                    + " nodes, which must be empty, join it. No effect on a member (default: ${DEFAULT-VALUE}).")
    private boolean clusterFound;

    @Option(
            names = "--cluster-leave",
            paramLabel = "true|false",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description = "Make the data directory of a cluster's only member that of a single node, with all messages,"
                    + " and start that. Remove the other members first: jitney cluster remove. Without --cluster-nodes;"
                    + " add --raft-dir if the member had it. No effect on a single node (default: ${DEFAULT-VALUE}).")
    private boolean clusterLeave;

    @Option(
            names = "--cluster-abandon-others",
            paramLabel = "ID",
            converter = Converters.ClusterId.class,
            description = "If a majority of the members is gone for good: found a new cluster from the data of this"
                    + " one. Messages that only the others have are lost. ID is the id of the cluster, as a"
                    + " confirmation. Before other members start again, empty their data directories (default:"
                    + " none).")
    private @Nullable UUID clusterAbandonOthers;

    @Option(
            names = "--exit-with-input",
            paramLabel = "true|false",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description = "Also stop when standard input ends. For a program that starts the server with a pipe as its"
                    + " input: the server then ends with it, even if that program is killed (default:"
                    + " ${DEFAULT-VALUE}).")
    private boolean exitWithInput;

    @Mixin
    private LogOptions log = new LogOptions();

    ServerCommand(Map<String, String> variables, ServerRunner runner) {
        this.environment = new EnvironmentDefaults(variables);
        this.variables = variables;
        this.runner = runner;
    }

    @Override
    public Integer call() throws StartException {
        // Before the first logger is created, because Logback reads the setup then.
        LogSetup.use(
                choice("--log-level", LogLevel.class, log.level()),
                choice("--log-format", LogFormat.class, log.format()));
        return runner.run(builder(readConfig()), config != null, exitWithInput);
    }

    /** Returns a builder with all options. */
    JitneyServerBuilder builder(ServerConfig read) {
        JitneyServerBuilder builder = JitneyServer.builder()
                .dataDir(tests.isAsked() && !given("--data-dir") ? null : dataDir)
                .host(host)
                .ports(ports)
                .plainAmqp(amqpPort == null ? PlainPort.unasked(JitneyServerBuilder.DEFAULT_AMQP_PORT) : amqpPort)
                .plainHttp(httpPort == null ? PlainPort.unasked(JitneyServerBuilder.DEFAULT_HTTP_PORT) : httpPort)
                .amqpsPort(amqpsPort)
                .httpsPort(httpsPort)
                .healthPort(healthPort)
                .tls(tls)
                .stores(stores)
                .storeDirs(storeDirs)
                .config(read)
                .sasKey(key())
                .sasKeySource(keySource())
                .allowPublicKey(allowPublicKey)
                .tier(tier == null ? null : choice("--tier", TierProfile.class, tier))
                .expiryEnforcement(
                        expiryEnforcement == null
                                ? null
                                : choice("--expiry-enforcement", ExpiryEnforcement.class, expiryEnforcement))
                .throttling(throttling)
                .transferFailureTarget(
                        transferFailureTarget == null
                                ? null
                                : choice(
                                        "--transfer-failure-target",
                                        TransferFailureTarget.class,
                                        transferFailureTarget))
                .deletionLock(deletionLock)
                .partitioningDefault(
                        partitioningDefault == null
                                ? null
                                : choice("--partitioning-default", PartitioningDefault.class, partitioningDefault))
                .premiumPartitions(premiumPartitions)
                .limits(allLimits())
                .closeIdle(closeIdle)
                .cluster(cluster())
                .leaveCluster(clusterLeave ? new ClusterLeave(raftDir) : null)
                .metrics(new MetricsSettings(
                        metrics == null ? null : choice("--metrics", MetricsAccess.class, metrics), metricsEntities))
                .console(choice("--console", ConsoleAccess.class, console))
                .testMode(choice("--test-mode", TestModeAccess.class, tests.testMode()))
                .privacy(privacy())
                .identityProvider(identity.settings(this::bad))
                .backupDir(backups.directory())
                .archive(backups.archive(this::given, this::bad))
                .secrets(new Secrets(isKeyOfTheOption() ? null : keyFile(), secrets.seal(this::bad)));
        tests.addTo(builder, this::bad);
        tlsOptions.addTo(builder, this::bad);
        clientLimits.addTo(builder, this::bad);
        log.addTo(builder, this::bad);
        return builder;
    }

    private @Nullable ClusterOptions cluster() {
        if (clusterNodes == null) {
            for (String option : List.of(
                    "--cluster-node",
                    "--cluster-tls",
                    "--cluster-plain",
                    "--cluster-election-ms",
                    "--cluster-log-size",
                    "--raft-dir",
                    "--cluster-found",
                    "--cluster-abandon-others")) {
                if (given(option) && !(clusterLeave && option.equals("--raft-dir"))) {
                    throw bad(option + ": Expected the nodes of the cluster, but got none. Add --cluster-nodes.");
                }
            }
            return null;
        }
        if (clusterLeave) {
            throw bad("--cluster-leave: Expected no --cluster-nodes, because the server becomes a single node. Remove"
                    + " that option, or its environment variable.");
        }
        if (clusterFound && clusterAbandonOthers != null) {
            throw bad(
                    "--cluster-found: Expected either --cluster-found or --cluster-abandon-others, but got both. Remove"
                            + " one of them.");
        }
        CommonPool.useOnFewProcessors();
        NameLookups.keepShort();
        String node = clusterNode == null ? HostName.firstLabel() : clusterNode;
        return new ClusterOptions(
                clusterNodes.members(),
                node,
                clusterTls,
                clusterPlain,
                clusterElectionMs,
                clusterLogSize,
                raftDir,
                new ClusterOrigin(clusterFound, clusterAbandonOthers));
    }

    private BodyPrivacy privacy() {
        try {
            return BodyPrivacy.of(maskBody, auditReads);
        } catch (IllegalArgumentException e) {
            throw bad("--mask-body: " + e.getMessage());
        }
    }

    /** Reads the configuration file, if there is one. */
    ServerConfig readConfig() {
        if (config == null) {
            if (configStrict) {
                throw bad("--config-strict: Expected a configuration file, but got none. Add --config FILE.");
            }
            return ServerConfig.empty();
        }
        try {
            return ConfigReader.read(
                    config, configStrict, KeyOrigins.of(config, secrets.directory(this::bad), variables));
        } catch (ConfigException e) {
            throw bad("--config " + e.getMessage());
        }
    }

    private @Nullable String key() {
        Path file = keyFile();
        if (file == null || isKeyOfTheOption()) {
            return sasKey;
        }
        if (sasKey != null && given("--sas-key-file") == given("--sas-key")) {
            throw bad("--sas-key-file: Expected either --sas-key-file or --sas-key, but got both. Remove one of them.");
        }
        try {
            if (Files.size(file) > 4 * ServerOptions.MAX_SAS_KEY_CHARACTERS) {
                throw bad(nameOfKeyFile() + ": Expected a key of at most " + ServerOptions.MAX_SAS_KEY_CHARACTERS
                        + " characters, but the file is longer.");
            }
            String key = Files.readString(file, StandardCharsets.UTF_8).strip();
            if (key.isEmpty()) {
                throw bad(nameOfKeyFile()
                        + ": Expected a key, but the file is empty. Create a key with: openssl rand -base64 32");
            }
            return key;
        } catch (IOException e) {
            throw bad(nameOfKeyFile() + ": The file cannot be read (" + e + ").");
        }
    }

    /** Returns the file with the key of the root rules, or null. */
    private @Nullable Path keyFile() {
        return sasKeyFile == null ? secrets.rootKeyFile() : sasKeyFile;
    }

    private String nameOfKeyFile() {
        return sasKeyFile == null ? "--secrets-dir " + secrets.directory() : "--sas-key-file " + sasKeyFile;
    }

    private boolean isKeyOfTheOption() {
        return sasKey != null && (sasKeyFile == null || !given("--sas-key-file") && given("--sas-key"));
    }

    /** Returns the text that is printed in place of the key. */
    private @Nullable String keySource() {
        if (isKeyOfTheOption()) {
            return nameOf("--sas-key");
        }
        return keyFile() == null ? null : nameOfKeyFile();
    }

    /** Returns the limits from environment variables, overridden by those of {@code --limit}. */
    private Map<String, Long> allLimits() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (String name : LimitSettings.names()) {
            String variable = LimitSettings.environmentName(name);
            String value = variables.get(variable);
            if (value != null && !value.isEmpty()) {
                try {
                    all.put(name, Converters.limit(name, value).value());
                } catch (TypeConversionException e) {
                    throw bad(variable + ": " + e.getMessage());
                }
            }
        }
        limits.forEach(limit -> all.put(limit.name(), limit.value()));
        return all;
    }

    private <E extends Enum<E>> E choice(String option, Class<E> type, String value) {
        try {
            return Converters.choice(type, value);
        } catch (TypeConversionException e) {
            throw bad(nameOf(option) + ": " + e.getMessage());
        }
    }

    /** Returns the name that the user wrote: the option, or its environment variable. */
    private String nameOf(String option) {
        return given(option) || environment.value(option) == null ? option : EnvironmentDefaults.variable(option);
    }

    /** Returns whether the command line itself has the option. */
    private boolean given(String option) {
        return spec().commandLine().getParseResult() != null
                && spec().commandLine().getParseResult().hasMatchedOption(option);
    }

    private ParameterException bad(String message) {
        return new ParameterException(spec().commandLine(), message);
    }

    private CommandSpec spec() {
        if (spec == null) {
            throw new IllegalStateException("Expected to be called by the command line.");
        }
        return spec;
    }
}
