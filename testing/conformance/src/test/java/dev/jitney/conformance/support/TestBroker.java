package dev.jitney.conformance.support;

import com.azure.core.amqp.AmqpRetryMode;
import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.amqp.AmqpTransportType;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAvailability;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.MeterReading;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.server.JitneyServer;
import dev.jitney.server.JitneyServerBuilder;
import dev.jitney.server.StartException;
import dev.jitney.server.config.ConfigException;
import dev.jitney.server.config.ConfigReader;
import dev.jitney.server.config.PlainPort;
import dev.jitney.server.config.ServerConfig;
import dev.jitney.server.tls.Tls;
import dev.jitney.testing.amqp.RawPeer;
import dev.jitney.testing.amqp.SasToken;
import dev.jitney.testing.amqp.WebSocketSocket;
import dev.jitney.testing.process.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A Jitney server for one test class, with real sockets, a real store in a new directory, and a clock that tests move.
 * All queues are created here with unique names, so that tests of one class are independent.
 */
public final class TestBroker implements BeforeAllCallback, AfterAllCallback {
    public static final String RULE = "RootManageSharedAccessKey";
    public static final String KEY = "SAS_KEY_VALUE";

    private static final int START_ATTEMPTS = 3;
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final long FAR_FUTURE_SECONDS =
            Instant.parse("2099-01-01T00:00:00Z").getEpochSecond();

    private final UnaryOperator<JitneyServerBuilder> options;
    private final ServerConfig config;
    private final Supplier<TestClock> clocks;
    private TestClock clock;
    private @Nullable Path dataDir;
    private @Nullable JitneyServer server;
    private @Nullable StandardHttpsPort standardPort;
    private @Nullable TestTrust trust;
    private boolean overWebSocket;
    private int amqpPort;
    private int httpPort;
    private @Nullable Integer amqpsPort;
    private @Nullable Integer httpsPort;

    private TestBroker(Supplier<TestClock> clocks, UnaryOperator<JitneyServerBuilder> options, ServerConfig config) {
        this.clocks = clocks;
        this.clock = clocks.get();
        this.options = options;
        this.config = config;
    }

    /** Returns a broker with a clock that only {@link #advance} moves. */
    public static TestBroker frozen() {
        return new TestBroker(TestClock::frozen, b -> b, ServerConfig.empty());
    }

    /** As {@link #frozen}, with entities distributed over this number of stores. */
    public static TestBroker frozenWithStores(int count) {
        return new TestBroker(TestClock::frozen, b -> b.stores(count), ServerConfig.empty());
    }

    /** As {@link #ticking}, with entities distributed over this number of stores. */
    public static TestBroker tickingWithStores(int count) {
        return new TestBroker(TestClock::ticking, b -> b.stores(count), ServerConfig.empty());
    }

    /** As {@link #frozen}, with further options. */
    public static TestBroker frozen(UnaryOperator<JitneyServerBuilder> options) {
        return new TestBroker(TestClock::frozen, options, ServerConfig.empty());
    }

    /** Returns a broker with a running clock, which {@link #advance} moves ahead. */
    public static TestBroker ticking() {
        return new TestBroker(TestClock::ticking, b -> b, ServerConfig.empty());
    }

    /** As {@link #ticking}, with further options. */
    public static TestBroker ticking(UnaryOperator<JitneyServerBuilder> options) {
        return new TestBroker(TestClock::ticking, options, ServerConfig.empty());
    }

    /** As {@link #ticking}, with TLS on a separate port. */
    public static TestBroker withTls() {
        return new TestBroker(TestClock::ticking, b -> b.amqpsPort(0).tls(Tls.auto()), ServerConfig.empty());
    }

    /** As {@link #ticking}, with a single port, with and without TLS. Do not restart it. */
    public static TestBroker withOnePort() {
        return new TestBroker(
                TestClock::ticking,
                b -> b.plainAmqp(PlainPort.unasked(JitneyServerBuilder.DEFAULT_AMQP_PORT))
                        .plainHttp(PlainPort.unasked(JitneyServerBuilder.DEFAULT_HTTP_PORT))
                        .port(0)
                        .tls(Tls.auto()),
                ServerConfig.empty());
    }

    /** As {@link #ticking}, with TLS for AMQP and for HTTP. */
    public static TestBroker withHttps() {
        return withHttps(0, b -> b);
    }

    /** As {@link #withHttps}, with HTTPS on the port that clients use by default. */
    public static TestBroker withStandardHttps() {
        return withStandardHttps(b -> b);
    }

    /** As {@link #withStandardHttps}, with further options. */
    public static TestBroker withStandardHttps(UnaryOperator<JitneyServerBuilder> options) {
        return withHttps(StandardHttpsPort.NUMBER, options);
    }

    private static TestBroker withHttps(int port, UnaryOperator<JitneyServerBuilder> options) {
        return new TestBroker(
                TestClock::ticking,
                b -> options.apply(b.amqpsPort(0).httpsPort(port).tls(Tls.auto())),
                ServerConfig.empty());
    }

    /** Returns a broker with a configuration file in the format of the Microsoft emulator. */
    public static TestBroker configured(String json) {
        return configured(json, 1, TestClock::frozen);
    }

    /** As {@link #configured}, with entities distributed over this number of stores. */
    public static TestBroker configuredWithStores(String json, int count) {
        return configured(json, count, TestClock::frozen);
    }

    /** As {@link #configured}, with a running clock. */
    public static TestBroker configuredTicking(String json) {
        return configured(json, 1, TestClock::ticking);
    }

    private static TestBroker configured(String json, int stores, Supplier<TestClock> clocks) {
        try {
            Path file = Files.createTempFile("jitney-conformance", ".json");
            Files.writeString(file, json);
            try {
                return new TestBroker(clocks, b -> b.stores(stores), ConfigReader.read(file, false));
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        clock = clocks.get(); // an extension of a base class is used by several classes, one after the other
        overWebSocket = context.getRequiredTestClass().isAnnotationPresent(OverWebSocket.class);
        dataDir = Files.createTempDirectory("jitney-conformance");
        startOnFreePorts();
        if (overWebSocket) {
            trust = TestTrust.in(trustStore());
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (trust != null) {
            trust.close();
            trust = null;
        }
        stop();
        if (standardPort != null) {
            // Not in stop(), because a restarted server needs the port again.
            standardPort.close();
            standardPort = null;
        }
        try (Stream<Path> files = Files.walk(dataDir())) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }

    /** Starts on ports that are still free at a restart. Another process may take one before the server binds it. */
    private void startOnFreePorts() throws IOException {
        for (int attempt = 1; ; attempt++) {
            List<Integer> ports = FreePorts.of(4);
            amqpPort = ports.get(0);
            httpPort = ports.get(1);
            amqpsPort = ports.get(2);
            httpsPort = ports.get(3);
            try {
                start();
                return;
            } catch (IllegalStateException e) {
                boolean taken = String.valueOf(e.getMessage()).contains("Another program already listens");
                if (!taken || attempt == START_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private void start() {
        JitneyServerBuilder builder = JitneyServer.builder()
                .dataDir(dataDir())
                .host("127.0.0.1")
                .amqpPort(amqpPort)
                .httpPort(httpPort)
                .config(config)
                .clock(clock);
        builder = options.apply(builder);
        if (PartitionedRun.ASKED) {
            PartitionedRun.prepare(builder);
        }
        if (overWebSocket && builder.options().httpsPort() == null) {
            builder = builder.httpsPort(0).tls(Tls.auto());
        }
        Integer amqps = builder.options().amqpsPort();
        if (amqps != null && amqps == 0) {
            builder = builder.amqpsPort(amqpsPort);
        }
        Integer https = builder.options().httpsPort();
        if (https != null && https == 0) {
            builder = builder.httpsPort(httpsPort);
        }
        if (https != null && https == StandardHttpsPort.NUMBER && standardPort == null) {
            standardPort = StandardHttpsPort.hold();
        }
        try {
            server = builder.build().start();
        } catch (StartException e) {
            throw new IllegalStateException(e);
        }
        amqpPort = server.amqpPort();
        httpPort = server.httpPort();
        amqpsPort = server.amqpsPort();
        httpsPort = server.httpsPort();
    }

    private void stop() {
        if (server != null) {
            server.close();
            server = null;
        }
    }

    /** Closes the server and opens it again with the same directory and ports. */
    public void restart() {
        restart(Duration.ZERO);
    }

    /** Restarts the server and moves the clock by a downtime. */
    public void restart(Duration downtime) {
        stop();
        clock.advance(downtime);
        start();
    }

    /** Returns the server. */
    public JitneyServer server() {
        return Objects.requireNonNull(server, "the server runs between beforeAll and afterAll");
    }

    Namespace namespace() {
        return server().broker().namespaces().get(0);
    }

    public Path dataDir() {
        return Objects.requireNonNull(dataDir, "the directory exists between beforeAll and afterAll");
    }

    public int amqpPort() {
        return amqpPort;
    }

    public int amqpsPort() {
        return Objects.requireNonNull(amqpsPort);
    }

    public int httpPort() {
        return httpPort;
    }

    public int httpsPort() {
        return Objects.requireNonNull(httpsPort);
    }

    /** Returns the certificate file of the authority that signed the server's certificate. */
    public Path caFile() {
        return dataDir().resolve("tls/ca.pem");
    }

    /** Returns the trust store for Java, with the password {@code changeit}. */
    public Path trustStore() {
        return dataDir().resolve("tls/truststore.p12");
    }

    /** Returns the current time of the broker. */
    public Instant now() {
        return Instant.ofEpochMilli(clock.nowMs());
    }

    /** Moves the clock and waits until all due timers have run. */
    public void advance(Duration time) {
        clock.advance(time);
        for (Entity entity : namespace().entities()) {
            letTimersRun(entity);
            entity.subscriptions().forEach(TestBroker::letTimersRun);
        }
    }

    private static void letTimersRun(Entity entity) {
        try {
            submit(entity, new Command.GetCounts());
        } catch (BrokerException e) {
            if (e.rejection().code() != ErrorCode.ENTITY_NOT_FOUND) { // otherwise the entity was deleted when idle
                throw e;
            }
        }
    }

    /** Replaces the rules of the namespace. One of them must have all rights. */
    public void accessRules(List<AccessRule> rules) {
        await(namespace().setAccessRules(rules));
    }

    // Stores

    /** Stops one messaging store, as if its disk were gone. */
    public void stopStore(int index) {
        await(server().broker().stopStore(index));
    }

    /** Starts the store again. */
    public void startStore(int index) {
        await(server().broker().startStore(index));
    }

    /** Returns the problem that the server's health check reports, or null. */
    public @Nullable String trouble() {
        return server().trouble();
    }

    /** Returns whether an entity is available completely, partly, or not at all. */
    public EntityAvailability availability(String path) {
        return entity(path).availability();
    }

    /** Returns whether the messaging store of a queue is available. */
    public boolean isAvailable(String queue) {
        return availability(queue) == EntityAvailability.AVAILABLE;
    }

    // Entities

    /** Returns a unique name. */
    public static String name(String prefix) {
        return prefix + "-" + NAMES.incrementAndGet();
    }

    /** Creates a queue with all defaults. */
    public String queue() {
        return queue(q -> q);
    }

    /**
     * Creates a queue that is not partitioned in any run, for sends via it. A partitioned queue requires a
     * ViaPartitionKey (TX-7), which only raw clients can set.
     */
    public String viaQueue() {
        PartitionedRun.assumeOrdinaryEntities();
        return queue(q -> q.enablePartitioning(false));
    }

    /** Creates a queue with that description and a new name. */
    public String queue(UnaryOperator<QueueDescription.Builder> description) {
        return queue("queue-" + NAMES.incrementAndGet(), description);
    }

    /** Creates a queue with a given name. */
    public String queue(String name, UnaryOperator<QueueDescription.Builder> description) {
        await(namespace()
                .createQueue(description
                        .apply(QueueDescription.named(name).enablePartitioning(PartitionedRun.ASKED))
                        .build()));
        return name;
    }

    public QueueDescription description(String queue) {
        return (QueueDescription) entity(queue).description();
    }

    public void update(String queue, UnaryOperator<QueueDescription.Builder> change) {
        await(namespace()
                .updateQueue(change.apply(description(queue).toBuilder()).build()));
    }

    public void status(String queue, EntityStatus status) {
        update(queue, q -> q.status(status));
    }

    /** Returns the helper that creates and changes topics, subscriptions and rules. */
    public Topics topics() {
        return new Topics(this);
    }

    public void delete(String queue) {
        await(namespace().deleteEntity(queue));
    }

    /** Returns whether there is a queue, topic or subscription with that path. */
    public boolean has(String path) {
        return namespace().entity(path) != null;
    }

    /** Returns the number of receivers attached to an entity. */
    public int receivers(String path) {
        return entity(path).figures().receivers();
    }

    /**
     * Waits until no receiver is attached to an entity. Clients do not wait until the broker has noticed the end of
     * their receivers. Until then, available messages may be locked for them.
     */
    public void awaitNoReceivers(String path) {
        Await.until("no receiver at " + path, () -> receivers(path) == 0);
    }

    public MessageCounts counts(String queue) {
        Reply reply = submit(entity(queue), new Command.GetCounts());
        return ((Reply.Counts) reply).counts();
    }

    /** Returns the meter of an entity since its creation. */
    public MeterReading meter(String path) {
        return entity(path).meter().read(clock.nowMs());
    }

    /** Submits a command to a queue's shard, bypassing the gateways. */
    private static Reply submit(Entity entity, Command command) {
        CompletableFuture<Reply> result = new CompletableFuture<>();
        entity.submit(command, Runnable::run, new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                result.complete(reply);
            }

            @Override
            public void onRejected(Rejection rejection) {
                result.completeExceptionally(new BrokerException(rejection));
            }
        });
        return await(result);
    }

    private Entity entity(String queue) {
        return Objects.requireNonNull(namespace().entity(queue), () -> "no queue " + queue);
    }

    static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new CompletionException(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    // Clients

    /** Returns the connection string for administration clients. Those in Java ignore the port and use 443. */
    public String adminConnectionString() {
        return adminConnectionString(RULE, KEY);
    }

    /** Returns the connection string for administration clients with another rule or key. */
    public String adminConnectionString(String rule, String key) {
        return "Endpoint=sb://localhost:" + httpsPort() + ";SharedAccessKeyName=" + rule + ";SharedAccessKey=" + key;
    }

    /** Returns the connection string in the first line of the server's output. */
    public String connectionString() {
        return "Endpoint=sb://localhost:" + amqpPort + ";SharedAccessKeyName=" + RULE + ";SharedAccessKey=" + KEY
                + ";UseDevelopmentEmulator=true;";
    }

    /** Returns the connection string for clients that always use TLS and have no port option. */
    public String tlsConnectionString() {
        return "Endpoint=sb://localhost/;SharedAccessKeyName=" + RULE + ";SharedAccessKey=" + KEY;
    }

    /** Returns a connection string with a ready-made token that remains valid when the clock moves. */
    public String lastingConnectionString() {
        return "Endpoint=sb://localhost:" + amqpPort + ";SharedAccessSignature="
                + SasToken.create("sb://localhost/", RULE, KEY, FAR_FUTURE_SECONDS) + ";UseDevelopmentEmulator=true;";
    }

    /** Returns the connection string for clients that use TLS, because the emulator mode does not support WebSocket. */
    public String webSocketConnectionString() {
        return "Endpoint=sb://localhost:" + httpsPort() + ";SharedAccessKeyName=" + RULE + ";SharedAccessKey=" + KEY;
    }

    public String lastingWebSocketConnectionString() {
        return "Endpoint=sb://localhost:" + httpsPort() + ";SharedAccessSignature="
                + SasToken.create("sb://localhost/", RULE, KEY, FAR_FUTURE_SECONDS);
    }

    /** Returns SDK clients with one connection, which are closed together. */
    public Sdk sdk() {
        if (overWebSocket) {
            return new Sdk(clientBuilder(lastingWebSocketConnectionString())
                    .transportType(AmqpTransportType.AMQP_WEB_SOCKETS)
                    .customEndpointAddress("https://localhost:" + httpsPort()));
        }
        return new Sdk(clientBuilder(lastingConnectionString()));
    }

    /** Returns a builder with short timeouts, so that expected failures take little time. */
    public static ServiceBusClientBuilder clientBuilder(String connectionString) {
        return withShortTimeouts(new ServiceBusClientBuilder().connectionString(connectionString));
    }

    /** Sets short timeouts, so that expected failures take little time. */
    public static ServiceBusClientBuilder withShortTimeouts(ServiceBusClientBuilder builder) {
        return builder.retryOptions(new AmqpRetryOptions()
                .setMode(AmqpRetryMode.FIXED)
                .setDelay(Duration.ofMillis(100))
                .setMaxRetries(3)
                .setTryTimeout(Duration.ofSeconds(30)));
    }

    /** Returns a raw client with all rights. */
    public RawPeer peer() {
        return RawPeer.plain(amqpPort, RULE, KEY);
    }

    /** Returns a raw client with all rights inside a WebSocket. */
    public RawPeer webSocketPeer() {
        return RawPeer.silent(webSocket()).authenticate(RULE, KEY);
    }

    /** Returns a connected WebSocket over which no data was sent. */
    public WebSocketSocket webSocket() {
        return new WebSocketSocket(httpPort());
    }
}
