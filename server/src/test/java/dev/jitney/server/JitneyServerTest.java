package dev.jitney.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.cluster.change.StoreKinds;
import dev.jitney.cluster.node.Replicas;
import dev.jitney.gateway.amqp.listener.HandedSocket;
import dev.jitney.gateway.amqp.listener.SharedPort;
import dev.jitney.gateway.http.HttpGateway;
import dev.jitney.gateway.http.websocket.AmqpTunnels;
import dev.jitney.gateway.http.websocket.TunnelEnd;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.Partitioning;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.sharded.ShardedBroker;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.server.config.ConfigReader;
import dev.jitney.server.config.NamespaceConfig;
import dev.jitney.server.config.PartitioningDefault;
import dev.jitney.server.config.PlainPort;
import dev.jitney.server.config.ServerConfig;
import dev.jitney.server.stores.StorePlaces;
import dev.jitney.server.tls.Admittance;
import dev.jitney.server.tls.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JitneyServerTest {
    @TempDir
    Path dir;

    @Test
    @DisplayName("A started server is healthy on free ports and has a connection string")
    void starts() throws Exception {
        try (JitneyServer server = builder("data").build().start()) {
            assertThat(server.amqpPort()).isPositive();
            assertThat(server.amqpsPort()).isNull();
            assertThat(get(HttpClient.newHttpClient(), "http://localhost:" + server.httpPort() + "/health")
                            .body())
                    .isEqualTo("{\"status\":\"healthy\",\"message\":\"Service is healthy.\"}");
            assertThat(server.connectionString())
                    .isEqualTo("Endpoint=sb://localhost:" + server.amqpPort()
                            + ";SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=SAS_KEY_VALUE"
                            + ";UseDevelopmentEmulator=true;");
        }
    }

    @Test
    @DisplayName("HTTPS uses the certificate of --tls auto")
    void servesHttps() throws Exception {
        try (JitneyServer server = builder("data")
                .httpsPort(0)
                .amqpsPort(0)
                .tls(Tls.auto())
                .build()
                .start()) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(dir.resolve("data/tls/truststore.p12"))) {
                store.load(in, "changeit".toCharArray());
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            HttpClient client = HttpClient.newBuilder().sslContext(context).build();
            assertThat(get(client, "https://localhost:" + server.httpsPort() + "/health")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(server.amqpsPort()).isPositive().isNotEqualTo(server.amqpPort());
        }
    }

    @Test
    @DisplayName("The queues of a file exist after the start, and unchanged after the next one")
    void appliesTheFile() throws Exception {
        Path file = Files.writeString(dir.resolve("config.json"), """
            {"UserConfig":{"Namespaces":[
              {"Name":"one","Queues":[{"Name":"orders","Properties":{"LockDuration":"PT7S"}},
                 {"Name":"s","Properties":{"ForwardTo":"orders"}},
                 {"Name":"wide","Properties":{"EnablePartitioning":true}}],"Topics":[{"Name":"events"}]},
              {"Name":"two","AccessRules":[{"Name":"app","Rights":["Send"],"PrimaryKey":"k"}],
               "Queues":[{"Name":"orders"}]}]}}
            """);
        for (int start = 0; start < 2; start++) {
            try (JitneyServer server = builder("data")
                    .config(ConfigReader.read(file, false))
                    .build()
                    .start()) {
                assertThat(server.namespaceNames()).containsExactly("one", "two");
                assertThat(server.queuePaths(0)).containsExactly("orders", "s", "wide");
                assertThat(server.topicPaths(0)).containsExactly("events");
                assertThat(server.queuePaths(1)).containsExactly("orders");
                assertThat(isPartitioned(server, 0, "wide")).isTrue();
                assertThat(isPartitioned(server, 0, "orders")).isFalse();
                assertThat(server.connectionStrings().get(1))
                        .isEqualTo("Endpoint=sb://two.localhost:" + server.amqpPort()
                                + ";SharedAccessKeyName=app;SharedAccessKey=k;UseDevelopmentEmulator=true;");
            }
        }
        try (JitneyServer server = builder("data")
                .config(new ServerConfig(
                        List.of(NamespaceConfig.named("one"), NamespaceConfig.named("two")), List.of()))
                .build()
                .start()) {
            assertThat(server.queuePaths(0))
                    .as("what no file names any more stays")
                    .containsExactly("orders", "s", "wide");
        }
    }

    @Test
    @DisplayName("HTTP checklist 81, 83: the entities of the emulator's default file exist after the start, and"
            + " the next start writes nothing")
    void emulatorDefault() throws Exception {
        Path file =
                Path.of(ConfigReader.class.getResource("emulator-default.json").toURI());
        long updatedAtMs = 0;
        for (int start = 0; start < 2; start++) {
            try (JitneyServer server = builder("data")
                    .config(ConfigReader.read(file, true))
                    .build()
                    .start()) {
                assertThat(server.queuePaths(0)).containsExactly("queue.1");
                Entity topic = Objects.requireNonNull(
                        server.broker().namespaces().get(0).entity("topic.1"));
                assertThat(topic.subscriptions())
                        .extracting(subscription ->
                                subscription.rules().get(0).description().name())
                        .containsExactly("app-prop-filter-1", "user-prop-filter-1", "$Default", "sql-filter-1");
                assertThat(topic.subscriptions())
                        .allMatch(subscription -> subscription.rules().size() == 1);
                assertThat(updatedAtMs).isIn(0L, topic.updatedAtMs());
                updatedAtMs = topic.updatedAtMs();
            }
        }
    }

    @Test
    @DisplayName("A started server is alive and ready, and the emulator's health page is unchanged")
    void probes() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        try (JitneyServer server = builder("data").build().start()) {
            String base = "http://localhost:" + server.httpPort() + "/health";
            assertThat(get(client, base + "/live").body()).isEqualTo("{\"status\":\"alive\",\"reasons\":[]}");
            assertThat(get(client, base + "/ready").body())
                    .isEqualTo("{\"status\":\"ready\",\"degraded\":false,\"reasons\":[]}");
            assertThat(get(client, base).body())
                    .isEqualTo("{\"status\":\"healthy\",\"message\":\"Service is healthy.\"}");
        }
    }

    @Test
    @DisplayName("STATE: a second server on the same data directory is refused, and the first one continues")
    void refusesASecondServer() throws Exception {
        try (JitneyServer server = builder("data").build().start()) {
            refused(builder("data"), 1, "--data-dir", "Another server (process ", "uses this directory");
            assertThat(server.trouble()).isNull();
        }
        builder("data").build().start().close();
    }

    @Test
    @DisplayName("The refusal of a port in use names its option, and nothing stays open")
    void refusesAPortInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            refused(builder("data").amqpPort(port), 1, "--amqp-port " + port, "Another program already listens");
            refused(builder("data").httpPort(port), 1, "--http-port " + port, "Another program already listens");
            refused(
                    builder("data").amqpsPort(port).tls(Tls.auto()),
                    1,
                    "--amqps-port " + port,
                    "Another program already listens");
            refused(
                    builder("data").httpsPort(port).tls(Tls.auto()),
                    1,
                    "--https-port " + port,
                    "Another program already listens");
        }
        builder("data").build().start().close();
    }

    @Test
    @DisplayName("The default key is refused on addresses that other machines can reach")
    void refusesTheDefaultKeyBeyondLoopback() throws Exception {
        refused(builder("data").host("0.0.0.0"), 2, "--host 0.0.0.0", "--sas-key-file");
        refused(builder("data").host("0.0.0.0").sasKey("SAS_KEY_VALUE"), 2, "--host 0.0.0.0");
        String own = "my-own-key-of-some-length";
        try (JitneyServer server =
                builder("data").host("0.0.0.0").sasKey(own).build().start()) {
            assertThat(server.connectionString()).contains("sb://localhost:", "SharedAccessKey=" + own + ";");
        }
    }

    @Test
    @DisplayName("Contradictory options are refused with the option to change")
    void refusesContradictions() throws Exception {
        refused(builder("data").amqpsPort(0), 2, "--amqps-port", "Add --tls auto");
        refused(builder("data").httpsPort(0), 2, "--https-port", "Add --tls auto");
        refused(builder("data").tls(Tls.auto()), 2, "--tls", "--amqps-port 5671");
        refused(builder("data").ports(List.of(5672, 65_536)), 2, "--port: Expected a port from 0 to 65535");
        refused(builder("data").ports(List.of()), 2, "--port: Expected 1 to 16 ports");
        refused(builder("data").ports(Collections.nCopies(17, 0)), 2, "--port: Expected 1 to 16 ports", "17");
        refused(
                builder("data").port(0).plainAmqp(PlainPort.OFF).plainHttp(PlainPort.OFF),
                2,
                "Expected at least one port to listen on");
        refused(builder("data").sasKey("a;b"), 2, "--sas-key");
        refused(builder("data").sasKey(""), 2, "--sas-key");
        refused(builder("data").host("no-such-host.invalid"), 2, "--host no-such-host.invalid");
        Path none = dir.resolve("none.pem");
        refused(builder("data").amqpsPort(0).tls(Tls.files(none, none)), 2, "--tls", "none.pem: There is no such file");
        Path file = Files.writeString(dir.resolve("file"), "");
        refused(builder("file"), 1, "--data-dir", file.toString(), "it is a file");
        builder("data").build().start().close();
        refused(builder("data").stores(2), 2, "--stores 2", "Use --stores 1");
    }

    @Test
    @DisplayName("Limits, tier and expiry come from the options, then the file, then the tier")
    void decidesSettings() throws Exception {
        Path file = Files.writeString(
                dir.resolve("config.json"),
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"n\",\"Tier\":\"BASIC\",\"Limits\":{\"maxLocks\":5,"
                        + "\"maxReceivers\":6}}]}}");
        ServerOptions options = builder("data")
                .config(ConfigReader.read(file, false))
                .limits(Map.of("maxLocks", 7L))
                .options();
        NamespaceSettings settings =
                NamespaceSettings.of(options.config().namespaces().get(0), options);
        assertThat(settings.limits().tier()).hasToString("BASIC");
        assertThat(settings.limits().maxLocks()).isEqualTo(7);
        assertThat(settings.limits().maxReceivers()).isEqualTo(6);
        assertThat(settings.limits().maxConnections()).isEqualTo(5_000);
        assertThat(settings.expiry()).hasToString("ON_RECEIVER");
        assertThat(settings.throttling()).isZero();
        assertThat(settings.transferFailureTarget()).isEqualTo(TransferFailureTarget.TRANSFER_DLQ);
        assertThat(settings.deletionLock()).isFalse();
    }

    @Test
    @DisplayName("DLQ-32, IDLE-11: the destination of failed transfers and the deletion lock come from the"
            + " option, otherwise from the file")
    void transfersAndDeletionsOverFile() throws Exception {
        Path file = Files.writeString(
                dir.resolve("config.json"),
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"n\",\"TransferFailureTarget\":\"DLQ\","
                        + "\"DeletionLock\":true}]}}");
        ServerConfig config = ConfigReader.read(file, false);
        NamespaceSettings declared = NamespaceSettings.of(
                config.namespaces().get(0), builder("data").config(config).options());
        assertThat(declared.transferFailureTarget()).isEqualTo(TransferFailureTarget.DLQ);
        assertThat(declared.deletionLock()).isTrue();
        NamespaceSettings overruled = NamespaceSettings.of(
                config.namespaces().get(0),
                builder("data")
                        .config(config)
                        .transferFailureTarget(TransferFailureTarget.TRANSFER_DLQ)
                        .deletionLock(false)
                        .options());
        assertThat(overruled.transferFailureTarget()).isEqualTo(TransferFailureTarget.TRANSFER_DLQ);
        assertThat(overruled.deletionLock()).isFalse();
    }

    private static boolean isPartitioned(JitneyServer server, int namespace, String queue) {
        Entity entity = server.broker().namespaces().get(namespace).entity(queue);
        return ((QueueDescription) Objects.requireNonNull(entity).description()).enablePartitioning();
    }

    @Test
    @DisplayName("PART-5, PART-7: the partitioning comes from the options, otherwise from the file")
    void partitioningOverFile() throws Exception {
        Path file = Files.writeString(
                dir.resolve("config.json"),
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"n\",\"PartitioningDefault\":\"on\","
                        + "\"PremiumPartitions\":4}]}}");
        ServerConfig config = ConfigReader.read(file, false);
        NamespaceConfig namespace = config.namespaces().get(0);
        assertThat(NamespaceSettings.of(
                                namespace, builder("data").config(config).options())
                        .partitioning())
                .isEqualTo(new Partitioning(true, 4));
        ServerOptions overruling = builder("data")
                .config(config)
                .partitioningDefault(PartitioningDefault.OFF)
                .premiumPartitions(1)
                .options();
        assertThat(NamespaceSettings.of(namespace, overruling).partitioning()).isEqualTo(new Partitioning(false, 1));
        assertThat(NamespaceSettings.of(
                                NamespaceConfig.named("n"), builder("data").options())
                        .partitioning())
                .isEqualTo(Partitioning.DEFAULT);
        assertThatThrownBy(() -> builder("data").premiumPartitions(3).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Expected 1, 2 or 4 partitions");
    }

    @Test
    @DisplayName("PART-5, PART-7, PART-25: PREMIUM partitions all declared entities at every start, and refuses"
            + " another number of partitions in one line")
    void premiumPartitions() throws Exception {
        Path file = Files.writeString(dir.resolve("config.json"), """
            {"UserConfig":{"Namespaces":[{"Name":"one","Tier":"PREMIUM","Queues":[{"Name":"orders"},
              {"Name":"plain","Properties":{"EnablePartitioning":false,"ForwardTo":"orders"}}]}]}}
            """);
        for (int start = 0; start < 2; start++) {
            try (JitneyServer server = builder("data")
                    .config(ConfigReader.read(file, false))
                    .build()
                    .start()) {
                assertThat(isPartitioned(server, 0, "orders")).isTrue();
                assertThat(isPartitioned(server, 0, "plain")).isTrue();
            }
        }
        for (int other : new int[] {1, 4}) {
            refused(
                    builder("data").config(ConfigReader.read(file, false)).premiumPartitions(other),
                    1,
                    "--data-dir",
                    "Expected " + other + " partitions of 'orders'",
                    "Start with the tier and the number of partitions that it was created with");
        }
        builder("data").config(ConfigReader.read(file, false)).build().start().close();
    }

    @Test
    @DisplayName("PART-7: a partitioned queue in the file of a PREMIUM namespace with one partition is refused")
    void onePremiumPartition() throws Exception {
        Path file = Files.writeString(dir.resolve("config.json"), """
            {"UserConfig":{"Namespaces":[{"Name":"one","Tier":"PREMIUM","PremiumPartitions":1,
              "Queues":[{"Name":"orders","Properties":{"EnablePartitioning":true}}]}]}}
            """);
        refused(
                builder("data").config(ConfigReader.read(file, false)),
                2,
                "UserConfig.Namespaces[0].Queues[0].Properties.EnablePartitioning",
                "one partition per entity");
    }

    @Test
    @DisplayName("THR-7: throttling comes from the option, otherwise from the file, otherwise it is off")
    void throttlingOverFile() throws Exception {
        Path file = Files.writeString(
                dir.resolve("config.json"), "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"n\",\"Throttling\":500}]}}");
        ServerConfig config = ConfigReader.read(file, false);
        for (Integer option : new Integer[] {null, 0, 1_000}) {
            ServerOptions options =
                    builder("data").config(config).throttling(option).options();
            assertThat(NamespaceSettings.of(config.namespaces().get(0), options).throttling())
                    .isEqualTo(option == null ? 500 : option);
        }
        assertThatThrownBy(() -> builder("data").throttling(-1).build().start())
                .isInstanceOf(StartException.class)
                .hasMessageStartingWith("--throttling: Expected 0 to");
    }

    @Test
    @DisplayName("Health shows the broker's state, and components close in reverse")
    void healthAndOrder() throws Exception {
        FakeComponents components = new FakeComponents();
        JitneyServer server = builder("data").components(components).build().start();
        String health = "http://localhost:" + server.httpPort() + "/health";
        components.backendTrouble = "The disk is full.";
        assertThat(get(HttpClient.newHttpClient(), health).body())
                .isEqualTo("{\"status\":\"unhealthy\",\"message\":\"The disk is full.\"}");
        components.backendTrouble = null;
        assertThat(get(HttpClient.newHttpClient(), health).statusCode()).isEqualTo(200);
        server.close();
        server.close();
        assertThat(components.events)
                .containsExactly("backend", "amqp", "tunnels closed", "amqp closed", "backend closed");
        assertThatThrownBy(() -> get(HttpClient.newHttpClient(), health)).isInstanceOf(ConnectException.class);
    }

    @Test
    @DisplayName("If a component fails to open, the components before it are closed")
    void closesWhatWasOpened() throws Exception {
        FakeComponents components = new FakeComponents();
        components.amqpRefuses = true;
        refused(builder("data").components(components), 1, "--amqp-port");
        assertThat(components.events).containsExactly("backend", "backend closed");
        builder("data").components(new FakeComponents()).build().start().close();
    }

    private JitneyServerBuilder builder(String name) {
        return JitneyServer.builder().dataDir(dir.resolve(name)).amqpPort(0).httpPort(0);
    }

    private static void refused(JitneyServerBuilder builder, int exitCode, String... words) {
        JitneyServer server = builder.build();
        assertThatThrownBy(server::start).isInstanceOfSatisfying(StartException.class, e -> {
            assertThat(e.exitCode()).isEqualTo(exitCode);
            assertThat(e.getMessage()).contains(words);
            assertThat(e.getMessage().lines()).hasSize(1);
        });
        server.close();
    }

    private static HttpResponse<String> get(HttpClient client, String uri) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.ofString());
    }

    private static final class FakeComponents implements ServerComponents {
        private final List<String> events = new CopyOnWriteArrayList<>();
        private volatile String backendTrouble;
        private boolean amqpRefuses;

        @Override
        public BrokerBackend openBackend(
                Path dataDir,
                StorePlaces stores,
                List<NamespaceSettings> namespaces,
                BrokerSettings settings,
                Clock clock) {
            events.add("backend");
            NamespaceOptions namespace = new NamespaceOptions(
                    "ns", List.of(), Limits.of(TierProfile.STANDARD), ExpiryEnforcement.ON_RECEIVER);
            Broker broker;
            try {
                broker = ShardedBroker.open(
                        BrokerOptions.of(List.of(namespace)), List.of(new InMemoryMessagingStore()), clock);
            } catch (StoreException e) {
                throw new AssertionError(e);
            }
            return new BrokerBackend() {
                @Override
                public Broker broker() {
                    return broker;
                }

                @Override
                public EntityCatalogue entities(int namespaceIndex) {
                    return null;
                }

                @Override
                public String trouble() {
                    return backendTrouble;
                }

                @Override
                public void close() {
                    broker.close();
                    events.add("backend closed");
                }
            };
        }

        @Override
        public BrokerBackend openBackend(
                List<MessagingStore> stores, List<NamespaceOptions> namespaces, BrokerSettings settings, Clock clock) {
            throw new UnsupportedOperationException("These components are of a single node.");
        }

        @Override
        public StoreKinds kinds(Path dataDir, StorePlaces stores) {
            throw new IllegalStateException("Expected a single node.");
        }

        @Override
        public Replicas replicas(Path dataDir, StorePlaces stores) {
            throw new UnsupportedOperationException("These components are of a single node.");
        }

        @Override
        public AmqpListeners openAmqp(
                BrokerBackend backend, ServerOptions options, ListenerPlan ports, Admittance admittance)
                throws StartException {
            if (amqpRefuses) {
                throw StartException.fault("--amqp-port 5672: no");
            }
            events.add("amqp");
            return new AmqpListeners() {
                @Override
                public int port() {
                    return 5672;
                }

                @Override
                public Integer tlsPort() {
                    return null;
                }

                @Override
                public SharedPort open(SharedPort port, HttpGateway http) {
                    throw new UnsupportedOperationException("These listeners share no port.");
                }

                @Override
                public void adopt(HandedSocket socket, SharedPort port, HttpGateway http) {
                    throw new UnsupportedOperationException("These listeners adopt no sockets.");
                }

                @Override
                public void disconnect(String why, long graceMs) {
                    events.add("amqp disconnected");
                }

                @Override
                public AmqpTunnels tunnels() {
                    return new AmqpTunnels() {
                        @Override
                        public TunnelEnd open(SocketAddress client, String serverName, TunnelEnd far) {
                            return null;
                        }

                        @Override
                        public void close() {
                            events.add("tunnels closed");
                        }
                    };
                }

                @Override
                public void close() {
                    events.add("amqp closed");
                }
            };
        }
    }
}
