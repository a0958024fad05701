package dev.jitney.server.cli;

import dev.jitney.gateway.http.metrics.MetricsAccess;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.server.JitneyServer;
import dev.jitney.server.JitneyServerBuilder;
import dev.jitney.server.MetricsSettings;
import dev.jitney.server.PlainPort;
import dev.jitney.server.ServerOptions;
import dev.jitney.server.StartException;
import dev.jitney.server.cli.Converters.LimitOption;
import dev.jitney.server.config.ConfigException;
import dev.jitney.server.config.ConfigReader;
import dev.jitney.server.config.LimitSettings;
import dev.jitney.server.config.PartitioningDefault;
import dev.jitney.server.config.ServerConfig;
import dev.jitney.server.tls.Tls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code jitney server}: reads the options and hands them over to be run. */
@Command(
        name = "server",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "Runs the broker until it is told to stop (SIGTERM, or Ctrl-C).",
        optionListHeading = "%nOptions (each is an environment variable too: --amqp-port is JITNEY_AMQP_PORT):%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  A queue to try things with:",
            "    jitney server --config samples/config.json",
            "  In a test, on any free port, in a directory that is thrown away:",
            "    jitney server --data-dir \"$(mktemp -d)\" --port 0",
            "  Two stores on two disks:",
            "    jitney server --store-dirs /disk1/jitney,/disk2/jitney",
            "  Reachable from other machines, with TLS and a key of your own:",
            "    (umask 077 && openssl rand -base64 32 > sas.key)",
            "    jitney server --host 0.0.0.0 --sas-key-file sas.key --tls cert.pem,key.pem \\",
            "        --amqps-port 5671 --https-port 443",
            "  In a container, without a command line:",
            "    JITNEY_DATA_DIR=/data JITNEY_CONFIG=/config.json jitney server",
            "",
            "Ready when GET /health of a port that serves HTTP answers 200; see jitney health. The command line wins over the environment, that",
            "over the file, and that over the defaults. Exit status: 0 stopped, 1 a fault, 2 options that cannot work."
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
            description = "Where everything is kept (default: ${DEFAULT-VALUE}).")
    private Path dataDir = Path.of("./jitney-data");

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "The interface to listen on (default: ${DEFAULT-VALUE}).")
    private String host = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "N[,N]",
            split = ",",
            converter = Converters.Port.class,
            description =
                    "Ports that serve everything: AMQP, HTTP and WebSockets, and with --tls all of that inside TLS;"
                            + " 0 = any free one (default: 5672,5300, unless one of the next four options is given). With --tls on"
                            + " a --host that others reach, TLS only.")
    private @Nullable List<Integer> ports;

    @Option(
            names = "--amqp-port",
            paramLabel = "N|off",
            converter = Converters.Plain.class,
            description =
                    "A port for AMQP without TLS; 0 = any free one, off = none (default: 5672 if another protocol has"
                            + " a port of its own and there is no --port; with --tls on a --host that others reach: off).")
    private @Nullable PlainPort amqpPort;

    @Option(
            names = "--http-port",
            paramLabel = "N|off",
            converter = Converters.Plain.class,
            description =
                    "A port for HTTP without TLS; 0 = any free one, off = none (default: 5300 if another protocol has"
                            + " a port of its own and there is no --port; with --tls on a --host that others reach: off).")
    private @Nullable PlainPort httpPort;

    @Option(
            names = "--amqps-port",
            paramLabel = "N",
            converter = Converters.Port.class,
            description = "A port for AMQP with TLS, usually 5671; 0 = any free one (default: none).")
    private @Nullable Integer amqpsPort;

    @Option(
            names = "--https-port",
            paramLabel = "N",
            converter = Converters.Port.class,
            description = "A port for HTTP with TLS; 0 = any free one (default: none).")
    private @Nullable Integer httpsPort;

    @Option(
            names = "--tls",
            paramLabel = "auto[:HOST,...]|CERT,KEY",
            converter = Converters.TlsSource.class,
            description = "Certificate of the TLS ports: two PEM files, or auto for one of the server's own making for"
                    + " localhost, each namespace under it, and the hosts given; clients then trust D/tls/ca.pem or"
                    + " D/tls/truststore.p12 (password changeit).")
    private @Nullable Tls tls;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Namespaces and their entities, in the form of the Microsoft emulator's Config.json.")
    private @Nullable Path config;

    @Option(
            names = "--config-strict",
            paramLabel = "true|false",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description = "Refuse a file that the emulator would refuse.")
    private boolean configStrict;

    @Option(
            names = "--stores",
            paramLabel = "N",
            converter = Converters.Stores.class,
            description = "Messaging stores, each with a thread of its own; fixed once the data directory is made"
                    + " (default: one, or one per directory of --store-dirs).")
    private @Nullable Integer stores;

    @Option(
            names = "--store-dirs",
            paramLabel = "D1,D2",
            split = ",",
            description = "Directories, on different disks for example, that the stores go into in turn; their order"
                    + " stays (default: the data directory).")
    private List<Path> storeDirs = new ArrayList<>();

    @Option(
            names = "--sas-key",
            paramLabel = "KEY",
            description = "Key of RootManageSharedAccessKey (default: " + ServerOptions.DEFAULT_SAS_KEY
                    + ", on loopback only). Others on the machine can see it; prefer the next.")
    private @Nullable String sasKey;

    @Option(names = "--sas-key-file", paramLabel = "FILE", description = "The same, read from a file.")
    private @Nullable Path sasKeyFile;

    @Option(
            names = "--allow-public-key",
            paramLabel = "true|false",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description = "Let others connect with the public default key, or with one of less than "
                    + ServerOptions.MIN_EXPOSED_KEY_CHARACTERS + " characters; for development, with a warning on"
                    + " every start (default: false).")
    private boolean allowPublicKey;

    @Option(
            names = "--tier",
            paramLabel = "TIER",
            description = "Profile of limits and features: BASIC, STANDARD or PREMIUM (default: STANDARD).")
    private @Nullable String tier;

    @Option(
            names = "--expiry-enforcement",
            paramLabel = "WHEN",
            description = "When expired messages go: ON_RECEIVER, as in the cloud, or BACKGROUND"
                    + " (default: ON_RECEIVER).")
    private @Nullable String expiryEnforcement;

    @Option(
            names = "--throttling",
            paramLabel = "CREDITS",
            converter = Converters.Credits.class,
            description =
                    "Credits per second and namespace, 1000 in the cloud; a message costs 1, a change of an entity"
                            + " 10. PREMIUM has none; 0 = no throttling (default: 0).")
    private @Nullable Integer throttling;

    @Option(
            names = "--transfer-failure-target",
            paramLabel = "QUEUE",
            description = "Where messages go that cannot be forwarded: TRANSFER_DLQ, as in the cloud, or DLQ"
                    + " (default: TRANSFER_DLQ).")
    private @Nullable String transferFailureTarget;

    @Option(
            names = "--deletion-lock",
            paramLabel = "true|false",
            arity = "0..1",
            fallbackValue = "true",
            description = "Let no client delete a queue, topic or subscription; those that are idle go nevertheless"
                    + " (default: false).")
    private @Nullable Boolean deletionLock;

    @Option(
            names = "--partitioning-default",
            paramLabel = "OFF|ON",
            description = "Whether queues and topics are partitioned when nothing is said; PREMIUM does not ask"
                    + " (default: OFF).")
    private @Nullable String partitioningDefault;

    @Option(
            names = "--premium-partitions",
            paramLabel = "1|2|4",
            converter = Converters.Partitions.class,
            description = "Partitions of each queue and topic in PREMIUM, 1 for none that is partitioned; fixed once"
                    + " there are some (default: 2).")
    private @Nullable Integer premiumPartitions;

    @Option(
            names = "--limit",
            paramLabel = "NAME=N",
            split = ",",
            converter = Converters.Limit.class,
            description = "A quota, for example maxMessageSizeBytes=1048576; may be repeated, and each is a variable"
                    + " too, for example JITNEY_LIMIT_MAX_MESSAGE_SIZE_BYTES. A wrong name lists them all.")
    private List<LimitOption> limits = new ArrayList<>();

    @Option(
            names = "--close-idle",
            paramLabel = "true|false",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description = "Close what AMQP clients do not use, as the cloud does: links after 10 minutes, connections"
                    + " without links after 5, new ones without a link after 1 (default: false).")
    private boolean closeIdle;

    @Option(
            names = "--metrics",
            paramLabel = "WHO",
            description = "Who may read GET /metrics, which tells the names of entities: OPEN for everybody, AUTHORIZED"
                    + " for a token with Manage or Listen, or OFF (default: OPEN on loopback, else AUTHORIZED).")
    private @Nullable String metrics;

    @Option(
            names = "--metrics-entities",
            paramLabel = "N",
            defaultValue = "" + MetricsSettings.DEFAULT_ENTITIES_MAX,
            converter = Converters.Entities.class,
            description = "Entities shown one by one in the metrics; the others are summed up"
                    + " (default: ${DEFAULT-VALUE}).")
    private int metricsEntities = MetricsSettings.DEFAULT_ENTITIES_MAX;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            defaultValue = "INFO",
            description = "TRACE, DEBUG, INFO, WARN, ERROR or OFF, on standard error (default: ${DEFAULT-VALUE}).")
    private String logLevel = "INFO";

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            defaultValue = "TEXT",
            description = "TEXT for people, or JSON, one object per line (default: ${DEFAULT-VALUE}).")
    private String logFormat = "TEXT";

    ServerCommand(Map<String, String> variables, ServerRunner runner) {
        this.environment = new EnvironmentDefaults(variables);
        this.variables = variables;
        this.runner = runner;
    }

    @Override
    public Integer call() throws StartException {
        // Before the first logger is made, because that is when it is asked.
        LogSetup.use(
                choice("--log-level", LogLevel.class, logLevel), choice("--log-format", LogFormat.class, logFormat));
        JitneyServerBuilder builder = JitneyServer.builder()
                .dataDir(dataDir)
                .host(host)
                .ports(ports)
                .plainAmqp(amqpPort == null ? PlainPort.unasked(JitneyServerBuilder.DEFAULT_AMQP_PORT) : amqpPort)
                .plainHttp(httpPort == null ? PlainPort.unasked(JitneyServerBuilder.DEFAULT_HTTP_PORT) : httpPort)
                .amqpsPort(amqpsPort)
                .httpsPort(httpsPort)
                .tls(tls)
                .stores(stores)
                .storeDirs(storeDirs)
                .config(readConfig())
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
                .metrics(new MetricsSettings(
                        metrics == null ? null : choice("--metrics", MetricsAccess.class, metrics), metricsEntities));
        return runner.run(builder, config != null);
    }

    private ServerConfig readConfig() {
        if (config == null) {
            if (configStrict) {
                throw bad("--config-strict: Expected a file to be strict about; add --config FILE.");
            }
            return ServerConfig.empty();
        }
        try {
            return ConfigReader.read(config, configStrict);
        } catch (ConfigException e) {
            throw bad("--config " + e.getMessage());
        }
    }

    private @Nullable String key() {
        if (sasKeyFile == null || isKeyOfTheOption()) {
            return sasKey;
        }
        if (sasKey != null && given("--sas-key-file") == given("--sas-key")) {
            throw bad("--sas-key-file: Expected one key, but --sas-key is given as well; leave one of them out.");
        }
        try {
            if (Files.size(sasKeyFile) > 4 * ServerOptions.MAX_SAS_KEY_CHARACTERS) {
                throw bad("--sas-key-file " + sasKeyFile + ": Expected a key of at most "
                        + ServerOptions.MAX_SAS_KEY_CHARACTERS + " characters, but the file is longer.");
            }
            String key = Files.readString(sasKeyFile, StandardCharsets.UTF_8).strip();
            if (key.isEmpty()) {
                throw bad("--sas-key-file " + sasKeyFile
                        + ": Expected a key, but the file is empty; make one with: openssl rand -base64 32");
            }
            return key;
        } catch (IOException e) {
            throw bad("--sas-key-file " + sasKeyFile + ": The file cannot be read (" + e + ").");
        }
    }

    private boolean isKeyOfTheOption() {
        return sasKey != null && (sasKeyFile == null || !given("--sas-key-file") && given("--sas-key"));
    }

    /** What to print in place of the key. */
    private @Nullable String keySource() {
        if (isKeyOfTheOption()) {
            return nameOf("--sas-key");
        }
        return sasKeyFile == null ? null : "--sas-key-file " + sasKeyFile;
    }

    /** The variables of single limits, then what {@code --limit} says, which wins. */
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

    /** What the user wrote: the option, or the variable that stands for it. */
    private String nameOf(String option) {
        return given(option) || environment.value(option) == null ? option : EnvironmentDefaults.variable(option);
    }

    /** Whether an option stands on the command line itself. */
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
