package dev.jitney.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.console.ConsoleAccess;
import dev.jitney.gateway.http.metrics.MetricsAccess;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.server.MetricsSettings;
import dev.jitney.server.ServerOptions;
import dev.jitney.server.cli.log.LogFormat;
import dev.jitney.server.cli.log.LogLevel;
import dev.jitney.server.cli.log.LogSetup;
import dev.jitney.server.config.PartitioningDefault;
import dev.jitney.server.config.PlainPort;
import dev.jitney.server.identity.LoginSettings;
import dev.jitney.server.stores.InMemory;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The contract of the command line (design, section 8). */
class JitneyCliTest {
    private final Map<String, String> environment = new HashMap<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final AtomicReference<ServerOptions> options = new AtomicReference<>();

    @TempDir
    Path dir;

    @Test
    @DisplayName("Without options, the documented defaults apply")
    void defaults() {
        assertThat(run("server")).isZero();
        ServerOptions read = options.get();
        assertThat(read.dataDir()).isEqualTo(Path.of("./jitney-data"));
        assertThat(read.host()).isEqualTo("127.0.0.1");
        assertThat(read.ports()).isNull();
        assertThat(read.amqpPort()).as("5672 and 5300 serve everything").isEqualTo(5672);
        assertThat(read.httpPort()).isEqualTo(5672);
        assertThat(read.amqpsPort()).isNull();
        assertThat(read.httpsPort()).isNull();
        assertThat(read.tls()).isNull();
        assertThat(read.stores().stores()).isEqualTo(1);
        assertThat(read.sasKey()).isNull();
        assertThat(read.limits()).isEmpty();
        assertThat(read.throttling()).isNull();
    }

    @Test
    @DisplayName("Every option is an environment variable, and the command line overrides it")
    void environmentAndPrecedence() throws Exception {
        Path config = Files.writeString(
                dir.resolve("config.json"), "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"from-file\"}]}}");
        environment.putAll(Map.ofEntries(
                Map.entry("JITNEY_DATA_DIR", "/env/data"),
                Map.entry("JITNEY_HOST", "::1"),
                Map.entry("JITNEY_AMQP_PORT", "1"),
                Map.entry("JITNEY_HTTP_PORT", "2"),
                Map.entry("JITNEY_AMQPS_PORT", "3"),
                Map.entry("JITNEY_HTTPS_PORT", "4"),
                Map.entry("JITNEY_TLS", "auto"),
                Map.entry("JITNEY_CONFIG", config.toString()),
                Map.entry("JITNEY_CONFIG_STRICT", ""),
                Map.entry("JITNEY_STORES", "5"),
                Map.entry("JITNEY_STORE_DIRS", "/disk1,/disk2"),
                Map.entry("JITNEY_SAS_KEY", "env-key"),
                Map.entry("JITNEY_TIER", "premium"),
                Map.entry("JITNEY_EXPIRY_ENFORCEMENT", "background"),
                Map.entry("JITNEY_THROTTLING", "1000"),
                Map.entry("JITNEY_TRANSFER_FAILURE_TARGET", "dlq"),
                Map.entry("JITNEY_DELETION_LOCK", "true"),
                Map.entry("JITNEY_PARTITIONING_DEFAULT", "on"),
                Map.entry("JITNEY_PREMIUM_PARTITIONS", "4"),
                Map.entry("JITNEY_LIMIT", "maxLocks=6,maxReceivers=7"),
                Map.entry("JITNEY_LIMIT_MAX_LOCKS", "8"),
                Map.entry("JITNEY_LIMIT_MAX_ENTITIES", "9"),
                Map.entry("JITNEY_METRICS", "authorized"),
                Map.entry("JITNEY_METRICS_ENTITIES", "77"),
                Map.entry("JITNEY_CONSOLE", "off"),
                Map.entry("JITNEY_LOG_FORMAT", "json"),
                Map.entry("JITNEY_CLOSE_IDLE", "true"),
                Map.entry("JITNEY_LOG_LEVEL", "warn")));
        assertThat(run("server")).isZero();
        ServerOptions read = options.get();
        assertThat(read.dataDir()).isEqualTo(Path.of("/env/data"));
        assertThat(read.host()).isEqualTo("::1");
        assertThat(read.amqpPort()).isEqualTo(1);
        assertThat(read.httpPort()).isEqualTo(2);
        assertThat(read.amqpsPort()).isEqualTo(3);
        assertThat(read.httpsPort()).isEqualTo(4);
        assertThat(read.tls()).hasToString("auto");
        assertThat(read.config().namespaces().get(0).name()).isEqualTo("from-file");
        assertThat(read.stores().stores()).isEqualTo(5);
        assertThat(read.stores().directories()).containsExactly(Path.of("/disk1"), Path.of("/disk2"));
        assertThat(read.sasKey()).isEqualTo("env-key");
        assertThat(read.tier()).isEqualTo(TierProfile.PREMIUM);
        assertThat(LogSetup.level()).isEqualTo(LogLevel.WARN);
        assertThat(LogSetup.format()).isEqualTo(LogFormat.JSON);
        assertThat(read.metrics()).isEqualTo(new MetricsSettings(MetricsAccess.AUTHORIZED, 77));
        assertThat(read.console()).isEqualTo(ConsoleAccess.OFF);
        assertThat(read.expiryEnforcement()).isEqualTo(ExpiryEnforcement.BACKGROUND);
        assertThat(read.throttling()).isEqualTo(1_000);
        assertThat(read.transferFailureTarget()).isEqualTo(TransferFailureTarget.DLQ);
        assertThat(read.deletionLock()).isTrue();
        assertThat(read.closeIdle()).isTrue();
        assertThat(read.partitioningDefault()).isEqualTo(PartitioningDefault.ON);
        assertThat(read.premiumPartitions()).isEqualTo(4);
        assertThat(read.limits()).isEqualTo(Map.of("maxLocks", 6L, "maxReceivers", 7L, "maxEntities", 9L));

        Path key = Files.writeString(dir.resolve("key"), "file-key\n");
        assertThat(run(
                        "server",
                        "--data-dir=/cli",
                        "--host",
                        "localhost",
                        "--amqp-port",
                        "11",
                        "--stores",
                        "2",
                        "--sas-key-file",
                        key.toString(),
                        "--tier",
                        "BASIC",
                        "--throttling",
                        "0",
                        "--transfer-failure-target",
                        "TRANSFER_DLQ",
                        "--deletion-lock=false",
                        "--close-idle=false",
                        "--partitioning-default",
                        "OFF",
                        "--premium-partitions",
                        "1",
                        "--limit",
                        "maxlocks=12",
                        "--limit",
                        "maxReceivers=13"))
                .isZero();
        read = options.get();
        assertThat(read.dataDir()).isEqualTo(Path.of("/cli"));
        assertThat(read.host()).isEqualTo("localhost");
        assertThat(read.amqpPort()).isEqualTo(11);
        assertThat(read.httpPort()).isEqualTo(2);
        assertThat(read.stores().stores()).isEqualTo(2);
        assertThat(read.sasKey()).isEqualTo("file-key");
        assertThat(read.tier()).isEqualTo(TierProfile.BASIC);
        assertThat(read.throttling()).isZero();
        assertThat(read.transferFailureTarget()).isEqualTo(TransferFailureTarget.TRANSFER_DLQ);
        assertThat(read.deletionLock()).isFalse();
        assertThat(read.closeIdle()).isFalse();
        assertThat(read.partitioningDefault()).isEqualTo(PartitioningDefault.OFF);
        assertThat(read.premiumPartitions()).isEqualTo(1);
        assertThat(read.limits()).isEqualTo(Map.of("maxLocks", 12L, "maxReceivers", 13L, "maxEntities", 9L));
    }

    @ParameterizedTest
    @DisplayName("Invalid options end with status 2 and one line with the option and its valid values")
    @CsvSource(
            delimiter = '|',
            value = {
                "--amqp-port abc|--amqp-port|a port from 0 to 65535",
                "--http-port -1|--http-port|a port from 0 to 65535",
                "--amqps-port 65536|--amqps-port|a port from 0 to 65535",
                "--stores 0|--stores|a number from 1 to 64",
                "--tls cert.pem|--tls|Expected auto, auto:HOST1,HOST2, or two PEM files as CERT,KEY",
                "--tier gold|--tier|BASIC, STANDARD, PREMIUM",
                "--expiry-enforcement never|--expiry-enforcement|ON_RECEIVER, BACKGROUND",
                "--throttling -1|--throttling|credits per second from 0 to 2147483647",
                "--throttling on|--throttling|credits per second from 0 to 2147483647",
                "--transfer-failure-target nowhere|--transfer-failure-target|TRANSFER_DLQ, DLQ",
                "--deletion-lock=maybe|--deletion-lock|is not a boolean",
                "--close-idle=maybe|--close-idle|is not a boolean",
                "--premium-partitions 3|--premium-partitions|Expected 1, 2 or 4, but got '3'",
                "--premium-partitions 16|--premium-partitions|Expected 1, 2 or 4",
                "--partitioning-default maybe|--partitioning-default|OFF, ON",
                "--limit nope=1|--limit|Expected one of the limits maxMessageSizeBytes",
                "--limit maxLocks|--limit|Expected NAME=NUMBER",
                "--limit maxLocks=many|--limit|Expected a whole number",
                "--limit maxLocks=0|--limit|Expected 1 to 2147483647",
                "--log-level loud|--log-level|TRACE, DEBUG, INFO",
                "--log-format xml|--log-format|TEXT, JSON",
                "--metrics everybody|--metrics|OPEN, AUTHORIZED, OFF",
                "--console everybody|--console|OFF, LOOPBACK, ON",
                "--mask-body $.card..x|--mask-body|Expected the name of a member at character 8 of '$.card..x'",
                "--mask-body shop|--mask-body|Expected a path that begins with '$' at character 1",
                "--audit-reads=maybe|--audit-reads|is not a boolean",
                "--metrics-entities -1|--metrics-entities|from 0 to 1000000",
                "--config /none/config.json|--config /none/config.json|There is no such file",
                "--config-strict|--config-strict|Add --config FILE",
                "--sas-key-file /none/key|--sas-key-file /none/key|cannot be read",
                "--sas-key a --sas-key-file b|--sas-key-file|Remove one of them",
                "--data-dir|--data-dir: Expected a value (D)|See: jitney server --help",
                "--in-memory=maybe|--in-memory|is not a boolean",
                "--in-memory --in-memory-size big|--in-memory-size|Expected a size such as 512m or 1g",
                "--in-memory-size 64m|--in-memory-size|Add --in-memory",
                "--archive-interval 1s|--archive-interval|Add --archive-dir",
                "--archive-keep 7d|--archive-keep|Add --archive-dir",
                "--archive-dir a --archive-interval soon|--archive-interval|for example 500ms",
                "--port x|--port: Expected a port from 0 to 65535|'x'",
                "--console-oidc-client c|--console-oidc-client|Add --oidc-issuer.",
                "--console-url https://b.example|--console-url|Add --oidc-issuer.",
                "OIDC --console-oidc-client c|--console-oidc-client|Add --console-url, such as https://",
                "OIDC --console-url https://b.example|--console-url|Add --console-oidc-client.",
                "OIDC --console-oidc-scopes openid|--console-oidc-scopes|Add --console-oidc-client.",
                "OIDC --console-oidc-secret-file f|--console-oidc-secret-file|Add --console-oidc-client.",
                "OIDC --console-oidc-client c --console-url http://b.example|--console-url|with https, or with http on this machine",
                "OIDC --console-oidc-client c --console-url https://b.example/x|--console-url|without a path",
                "OIDC --console-oidc-client c --console-url https://u@b.example|--console-url|without user",
                "OIDC --console-oidc-client c --console-url b.example|--console-url|Expected an address",
                "OIDC --console-oidc-client c --console-url https://b --console-oidc-scopes email|--console-oidc-scopes|one is openid",
                "OIDC --console-oidc-client c --console-url https://b --console-oidc-secret-file /none|--console-oidc-secret-file /none|there is none",
                "--amqp-prot 5672|--amqp-prot|Did you mean --amqp-port?",
                "surplus|surplus|See: jitney server --help",
            })
    void badOptions(String arguments, String option, String rule) {
        String all = arguments.replace("OIDC", "--oidc-issuer https://a.example --oidc-audience b");
        assertThat(run(("server " + all).split(" "))).isEqualTo(2);
        assertThat(options.get()).isNull();
        assertThat(errors().lines())
                .singleElement()
                .asString()
                .startsWith("jitney: ")
                .contains(option, rule);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    @DisplayName("The login of people has an address without a path and a default port, and its scopes")
    void loginOfPeople() throws Exception {
        Path secret = Files.writeString(dir.resolve("secret"), "s\n");
        environment.put("JITNEY_CONSOLE_OIDC_SCOPES", "openid  offline_access");
        assertThat(run(
                        "server",
                        "--oidc-issuer",
                        "https://a.example",
                        "--oidc-audience",
                        "b",
                        "--oidc-roles",
                        "x=Viewer;y=Operator@shop/orders;z=Admin",
                        "--console-oidc-client",
                        "jitney-console",
                        "--console-oidc-secret-file",
                        secret.toString(),
                        "--console-url",
                        "HTTPS://Broker.example:443/"))
                .isZero();
        assertThat(options.get().identityProvider().login())
                .isEqualTo(new LoginSettings(
                        "jitney-console",
                        secret,
                        List.of("openid", "offline_access"),
                        URI.create("https://broker.example")));
    }

    @Test
    @DisplayName("A server in memory has no data directory, also if the environment of an image sets one")
    void inMemory() {
        environment.put("JITNEY_DATA_DIR", "/data/jitney");
        assertThat(run("server", "--in-memory")).isZero();
        assertThat(options.get().dataDir()).isNull();
        assertThat(options.get().inMemory()).isEqualTo(InMemory.DEFAULT);
        environment.put("JITNEY_IN_MEMORY", "true");
        environment.put("JITNEY_IN_MEMORY_SIZE", "64m");
        assertThat(run("server")).isZero();
        assertThat(options.get().dataDir()).isNull();
        assertThat(options.get().inMemory()).isEqualTo(new InMemory(64L << 20));
        assertThat(run("server", "--data-dir", "/cli")).isZero();
        assertThat(options.get().dataDir()).as("refused at the start").isEqualTo(Path.of("/cli"));
        environment.clear();
        assertThat(run("server", "--in-memory=false")).isZero();
        assertThat(options.get().inMemory()).isNull();
        assertThat(options.get().dataDir()).isEqualTo(Path.of("./jitney-data"));
    }

    @Test
    @DisplayName("The word off disables listeners without TLS, on the command line and in the environment")
    void plainPortsOff() {
        assertThat(run("server", "--amqp-port", "off", "--http-port=OFF")).isZero();
        assertThat(options.get().amqpPort()).isNull();
        assertThat(options.get().httpPort()).isNull();
        environment.put("JITNEY_AMQP_PORT", "off");
        environment.put("JITNEY_HTTP_PORT", "off");
        assertThat(run("server", "--http-port", "5300")).isZero();
        assertThat(options.get().plainAmqp()).isEqualTo(PlainPort.OFF);
        assertThat(options.get().httpPort()).isEqualTo(5300);
        environment.clear();
        assertThat(run("server", "--host", "0.0.0.0", "--tls", "auto", "--amqps-port", "5671", "--http-port", "5300"))
                .isZero();
        assertThat(options.get().amqpPort()).as("nobody asked for it").isNull();
        assertThat(options.get().httpPort()).isEqualTo(5300);
    }

    @Test
    @DisplayName("The source of the key is known, so that it can be printed in place of the key")
    void keySource() throws Exception {
        Path key = Files.writeString(dir.resolve("key"), "file-key\n");
        assertThat(run("server", "--sas-key-file", key.toString())).isZero();
        assertThat(options.get().sasKeySource()).isEqualTo("--sas-key-file " + key);
        assertThat(run("server", "--sas-key", "k")).isZero();
        assertThat(options.get().sasKeySource()).isEqualTo("--sas-key");
        assertThat(options.get().allowPublicKey()).isFalse();
        environment.put("JITNEY_SAS_KEY", "env-key");
        environment.put("JITNEY_ALLOW_PUBLIC_KEY", "true");
        assertThat(run("server")).isZero();
        assertThat(options.get().sasKeySource()).isEqualTo("JITNEY_SAS_KEY");
        assertThat(options.get().allowPublicKey()).isTrue();
        assertThat(run("server", "--sas-kee", "secret")).isEqualTo(2);
        assertThat(run("server", "--sas-kee=secret")).isEqualTo(2);
        assertThat(errors()).contains("There is no option '--sas-kee'.").doesNotContain("secret");
    }

    @ParameterizedTest
    @DisplayName("The error for an invalid environment variable names it")
    @CsvSource({
        "JITNEY_AMQP_PORT,abc",
        "JITNEY_TIER,gold",
        "JITNEY_LOG_LEVEL,loud",
        "JITNEY_THROTTLING,some",
        "JITNEY_LIMIT,nope=1",
        "JITNEY_LIMIT_MAX_LOCKS,many",
        "JITNEY_TLS,nope"
    })
    void badEnvironment(String variable, String value) {
        environment.put(variable, value);
        assertThat(run("server")).isEqualTo(2);
        assertThat(errors().lines()).singleElement().asString().startsWith("jitney: " + variable + ": ");
    }

    @Test
    @DisplayName("The help has examples; the version has the program, Java and the operating system")
    void helpAndVersion() {
        assertThat(run("server", "--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("Examples:", "--sas-key-file", "JITNEY_AMQP_PORT", "--config config.json");
        out.reset();
        assertThat(run("--version")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("jitney ").doesNotContain("unknown", "$");
        out.reset();
        assertThat(run()).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("server", "bench", "First steps:");
    }

    @Test
    @DisplayName("bench without its program explains where to run it")
    void benchIsElsewhere() {
        assertThat(run("bench", "--messages", "10")).isEqualTo(2);
        assertThat(errors().lines()).singleElement().asString().contains("not installed here");
    }

    private int run(String... arguments) {
        ServerRunner runner = (builder, configured, exitWithInput) -> {
            options.set(builder.options());
            return 0;
        };
        return new JitneyCli(environment, new PrintStream(out), new PrintStream(err), runner).execute(arguments);
    }

    private String errors() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
