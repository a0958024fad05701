package dev.jitney.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.SharedAccessSignature;
import dev.jitney.server.config.ConfigReader;
import dev.jitney.server.config.PlainPort;
import dev.jitney.server.config.ServerConfig;
import dev.jitney.server.tls.Tls;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The access of other machines, the keys for it, and the output of keys (ENT-4; HTTP reference 1.1, 1.4). */
class ExposureTest {
    private static final String OWN_KEY = "a-key-of-our-own-0123456789";
    private static final String OTHERS = "0.0.0.0";
    private static final String CONNECT = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect";

    @TempDir
    Path dir;

    @Test
    @DisplayName("With TLS and access for other machines, listeners without TLS are off by default")
    void plainListenersOff() throws Exception {
        JitneyServerBuilder tls = JitneyServer.builder()
                .dataDir(dir.resolve("data"))
                .host(OTHERS)
                .sasKey(OWN_KEY)
                .tls(Tls.auto())
                .amqpsPort(0)
                .httpsPort(0);
        try (JitneyServer server = tls.build().start()) {
            assertThat(server.amqpPort()).isNull();
            assertThat(server.httpPort()).isNull();
            assertThat(server.amqpsPort()).isPositive();
            assertThat(server.httpsPort()).isPositive();
            assertThat(server.plainPortsLeftOut()).containsExactly("--amqp-port 5672", "--http-port 5300");
            assertThat(server.connectionString())
                    .startsWith("Endpoint=sb://localhost:" + server.amqpsPort() + ";")
                    .endsWith(";SharedAccessKey=" + OWN_KEY + ";");
        }
        try (JitneyServer server = tls.amqpPort(0).httpPort(0).build().start()) {
            assertThat(server.amqpPort()).isPositive();
            assertThat(server.httpPort()).isPositive();
            assertThat(server.plainPortsLeftOut()).isEmpty();
            assertThat(server.connectionString()).contains("UseDevelopmentEmulator=true");
        }
        ServerOptions onLoopback = JitneyServer.builder()
                .dataDir(dir.resolve("data"))
                .tls(Tls.auto())
                .amqpsPort(0)
                .options();
        assertThat(onLoopback.amqpPort()).as("TLS on loopback").isEqualTo(5672);
        ServerOptions withoutTls = JitneyServer.builder()
                .dataDir(dir.resolve("data"))
                .host(OTHERS)
                .sasKey(OWN_KEY)
                .options();
        assertThat(withoutTls.amqpPort()).as("no TLS to be had").isEqualTo(5672);
        assertThat(withoutTls.httpPort()).isEqualTo(5672);
    }

    @Test
    @DisplayName("Each listener without TLS can be off, but not all listeners")
    void off() throws Exception {
        try (JitneyServer server =
                loopback().plainAmqp(PlainPort.OFF).httpPort(0).build().start()) {
            assertThat(server.amqpPort()).isNull();
            assertThat(server.connectionString()).startsWith("Endpoint=sb://localhost:" + server.httpPort() + ";");
        }
        try (JitneyServer server =
                loopback().amqpPort(0).plainHttp(PlainPort.OFF).build().start()) {
            assertThat(server.httpPort()).isNull();
            assertThat(server.httpsPort()).isNull();
            assertThat(server.connectionString()).startsWith("Endpoint=sb://localhost:" + server.amqpPort() + ";");
        }
        refused(
                loopback().plainAmqp(PlainPort.OFF).plainHttp(PlainPort.OFF),
                "--amqp-port off, --http-port off: Expected at least one port to listen on",
                "--amqps-port 5671 --tls auto");
    }

    @Test
    @DisplayName("A connection string is printed with its key only if the key is the public one")
    void printsNoKey() throws Exception {
        try (JitneyServer server = open().build().start()) {
            assertThat(server.printableConnectionStrings())
                    .singleElement()
                    .asString()
                    .contains(";SharedAccessKey=SAS_KEY_VALUE;");
        }
        try (JitneyServer server = open().sasKey(OWN_KEY)
                .sasKeySource("--sas-key-file /run/key")
                .build()
                .start()) {
            assertThat(server.printableConnectionStrings())
                    .singleElement()
                    .asString()
                    .contains(";SharedAccessKey=<from --sas-key-file /run/key>;");
            assertThat(server.connectionString()).contains(";SharedAccessKey=" + OWN_KEY + ";");
        }
        ServerConfig config = config("""
                {"UserConfig":{"Namespaces":[{"Name":"one","AccessRules":[
                  {"Name":"app","Rights":["Send"],"PrimaryKey":"%s"}]}]}}""".formatted(OWN_KEY));
        try (JitneyServer server = open().config(config).build().start()) {
            assertThat(server.printableConnectionStrings())
                    .singleElement()
                    .asString()
                    .contains("SharedAccessKeyName=app;SharedAccessKey=<from AccessRules of one in --config>;");
        }
        assertThat(open().sasKey(OWN_KEY).options().toString()).doesNotContain(OWN_KEY);
    }

    @Test
    @DisplayName("With access for other machines, public and short keys are refused, from any source")
    void refusesWeakKeys() throws Exception {
        refused(open().host(OTHERS), "--host 0.0.0.0", "public default", "--sas-key-file", "--allow-public-key");
        refused(open().host(OTHERS).sasKey("fifteen-letters"), "PrimaryKey has 15 characters", "--sas-key-file");
        for (String place : List.of("Queues", "Topics")) {
            ServerConfig weak = config("""
                    {"UserConfig":{"Namespaces":[{"Name":"one","%s":[{"Name":"orders","AccessRules":[
                      {"Name":"app","Rights":["Send"],"PrimaryKey":"%s","SecondaryKey":"SAS_KEY_VALUE"}]}]}]}}""".formatted(place, OWN_KEY));
            refused(
                    open().host(OTHERS).sasKey(OWN_KEY).config(weak),
                    "rule 'app' of " + (place.equals("Queues") ? "queue" : "topic") + " 'orders'",
                    "SecondaryKey is the public default");
        }
        open().host(OTHERS).sasKey("sixteen-letters-").build().start().close();
    }

    @Test
    @DisplayName("With access for other machines, a start with a weak key in the store is refused")
    void refusesWeakKeysInTheStore() throws Exception {
        try (JitneyServer server = open().sasKey(OWN_KEY).build().start()) {
            Namespace namespace = server.broker().namespaces().get(0);
            await(namespace.createQueue(QueueDescription.named("orders")
                    .accessRules(List.of(new AccessRule("app", Set.of(AccessRight.SEND), OWN_KEY, "short")))
                    .build()));
        }
        JitneyServerBuilder exposed = open().host(OTHERS).sasKey(OWN_KEY);
        refused(exposed, "--host 0.0.0.0", "rule 'app' of queue 'orders'", "SecondaryKey has 5 characters");
        try (JitneyServer server = open().sasKey(OWN_KEY).build().start()) {
            Namespace namespace = server.broker().namespaces().get(0);
            await(namespace.deleteEntity("orders"));
            await(namespace.setAccessRules(List.of(
                    AccessRule.root(OWN_KEY),
                    new AccessRule("all", Set.of(AccessRight.LISTEN), ServerOptions.DEFAULT_SAS_KEY, null))));
        }
        refused(exposed, "rule 'all' of namespace", "public default", "--allow-public-key");
        exposed.allowPublicKey(true).build().start().close();
    }

    @Test
    @DisplayName("With access for other machines, a rule with a weak key gets 400 and the fix over HTTP")
    void refusesWeakKeysOverHttp() throws Exception {
        try (JitneyServer server = open().host(OTHERS).sasKey(OWN_KEY).build().start()) {
            for (String keys : List.of(
                    "<PrimaryKey>SAS_KEY_VALUE</PrimaryKey>",
                    "<PrimaryKey>short</PrimaryKey>",
                    "<PrimaryKey>" + OWN_KEY + "</PrimaryKey><SecondaryKey>SAS_KEY_VALUE</SecondaryKey>")) {
                for (String path : List.of("/orders", "/events", "/$namespaceinfo/AuthorizationRules/app")) {
                    HttpResponse<String> answer = put(server, path, keys);
                    assertThat(answer.statusCode()).as(path + keys).isEqualTo(400);
                    assertThat(answer.body())
                            .contains("at least 16 characters in rule 'app'", "--allow-public-key")
                            .doesNotContain(OWN_KEY, "short<");
                }
            }
            assertThat(put(server, "/orders", "").statusCode())
                    .as("generated keys")
                    .isEqualTo(201);
            assertThat(put(server, "/$namespaceinfo/AuthorizationRules/app", "<PrimaryKey>" + OWN_KEY + "</PrimaryKey>")
                            .statusCode())
                    .isEqualTo(201);
        }
        try (JitneyServer server = open().build().start()) {
            assertThat(put(server, "/events", "<PrimaryKey>short</PrimaryKey>").statusCode())
                    .as("on loopback")
                    .isEqualTo(201);
        }
    }

    @Test
    @DisplayName("--allow-public-key permits the public key, and every start logs a warning")
    void allowsThePublicKey() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(JitneyServer.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            for (int start = 1; start <= 2; start++) {
                try (JitneyServer server =
                        open().host(OTHERS).allowPublicKey(true).build().start()) {
                    assertThat(server.connectionString()).contains("SharedAccessKey=SAS_KEY_VALUE");
                    assertThat(put(server, "/events" + start, "<PrimaryKey>short</PrimaryKey>")
                                    .statusCode())
                            .isEqualTo(201);
                }
                assertThat(lines.list.stream()
                                .map(ILoggingEvent::getFormattedMessage)
                                .filter(line -> line.startsWith("--allow-public-key: ")))
                        .hasSize(start);
            }
        } finally {
            logger.detachAppender(lines);
        }
    }

    /** Creates a queue, a topic or a rule of the namespace, each with a rule of these keys. */
    private static HttpResponse<String> put(JitneyServer server, String path, String keys) throws Exception {
        String rule = "<AuthorizationRule xmlns=\"" + CONNECT
                + "\" xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" i:type=\"SharedAccessAuthorizationRule\">"
                + "<ClaimType>SharedAccessKey</ClaimType><ClaimValue>None</ClaimValue>"
                + "<Rights><AccessRights>Send</AccessRights></Rights><KeyName>app</KeyName>" + keys
                + "</AuthorizationRule>";
        String kind = path.startsWith("/orders") ? "Queue" : "Topic";
        String description = path.contains("AuthorizationRules")
                ? rule
                : "<" + kind + "Description xmlns=\"" + CONNECT + "\"><AuthorizationRules>" + rule
                        + "</AuthorizationRules></" + kind + "Description>";
        String mainKey = server.connectionString().replaceFirst(".*SharedAccessKey=([^;]*);.*", "$1");
        String token = SharedAccessSignature.create(
                "https://localhost", AccessRule.ROOT_NAME, mainKey, System.currentTimeMillis() / 1_000 + 3_600);
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.httpPort() + path + "?api-version=2021-05"))
                .header("Authorization", token)
                .header("Content-Type", "application/atom+xml")
                .PUT(BodyPublishers.ofString("<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type="
                        + "\"application/xml\">" + description + "</content></entry>"))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    private static void await(java.util.concurrent.CompletionStage<?> change) throws Exception {
        change.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    private ServerConfig config(String text) throws Exception {
        return ConfigReader.read(Files.writeString(dir.resolve("config.json"), text), false);
    }

    private JitneyServerBuilder loopback() {
        return JitneyServer.builder().dataDir(dir.resolve("data"));
    }

    private JitneyServerBuilder open() {
        return loopback().amqpPort(0).httpPort(0);
    }

    private static void refused(JitneyServerBuilder builder, String... words) {
        JitneyServer server = builder.build();
        assertThatThrownBy(server::start).isInstanceOfSatisfying(StartException.class, e -> {
            assertThat(e.exitCode()).isEqualTo(2);
            assertThat(e.getMessage()).contains(words).doesNotContain(OWN_KEY);
            assertThat(e.getMessage().lines()).hasSize(1);
        });
        server.close();
    }
}
