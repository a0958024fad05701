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
import dev.jitney.server.PlainPort;
import dev.jitney.server.StartException;
import dev.jitney.server.config.ConfigException;
import dev.jitney.server.config.ConfigReader;
import dev.jitney.server.config.ServerConfig;
import dev.jitney.server.tls.Tls;
import dev.jitney.testing.amqp.RawPeer;
import dev.jitney.testing.amqp.SasToken;
import dev.jitney.testing.amqp.WebSocketSocket;
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
 * One Jitney server for one test class: real sockets, real store in a fresh directory, and a clock the tests move. All
 * queues are created through here with names of their own, so that tests of one class do not meet.
 */
public final class TestBroker implements BeforeAllCallback, AfterAllCallback {
    public static final String RULE = "RootManageSharedAccessKey";
    public static final String KEY = "SAS_KEY_VALUE";

    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final long FAR_FUTURE_SECONDS =
            Instant.parse("2099-01-01T00:00:00Z").getEpochSecond();

    private final UnaryOperator<JitneyServerBuilder> options;
    private final ServerConfig config;
    private final Supplier<TestClock> clocks;
    private TestClock clock;
    private @Nullable Path dataDir;
    private @Nullable JitneyServer server;
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

    /** With a clock that only {@link #advance} moves. */
    public static TestBroker frozen() {
        return new TestBroker(TestClock::frozen, b -> b, ServerConfig.empty());
    }

    /** As {@link #frozen}, with so many stores over which entities are spread. */
    public static TestBroker frozenWithStores(int count) {
        return new TestBroker(TestClock::frozen, b -> b.stores(count), ServerConfig.empty());
    }

    /** As {@link #ticking}, with so many stores over which entities are spread. */
    public static TestBroker tickingWithStores(int count) {
        return new TestBroker(TestClock::ticking, b -> b.stores(count), ServerConfig.empty());
    }

    /** As {@link #frozen}, with further options. */
    public static TestBroker frozen(UnaryOperator<JitneyServerBuilder> options) {
        return new TestBroker(TestClock::frozen, options, ServerConfig.empty());
    }

    /** With a clock that runs, and that {@link #advance} moves ahead. */
    public static TestBroker ticking() {
        return new TestBroker(TestClock::ticking, b -> b, ServerConfig.empty());
    }

    /** As {@link #ticking}, with further options. */
    public static TestBroker ticking(UnaryOperator<JitneyServerBuilder> options) {
        return new TestBroker(TestClock::ticking, options, ServerConfig.empty());
    }

    /** As {@link #ticking}, with TLS on a port of its own. */
    public static TestBroker withTls() {
        return new TestBroker(TestClock::ticking, b -> b.amqpsPort(0).tls(Tls.auto()), ServerConfig.empty());
    }

    /** As {@link #ticking}, with one port for everything, with and without TLS; it is not to be restarted. */
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

    /** As {@link #withHttps}, with HTTPS on the port that clients dial unless they are told another. */
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

    /** With what a configuration file says, in the format of the Microsoft emulator. */
    public static TestBroker configured(String json) {
        return configured(json, 1, TestClock::frozen);
    }

    /** As {@link #configured}, with so many stores over which entities are spread. */
    public static TestBroker configuredWithStores(String json, int count) {
        return configured(json, count, TestClock::frozen);
    }

    /** As {@link #configured}, with a clock that runs. */
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
        clock = clocks.get(); // an extension of a base class serves several classes, one after the other
        overWebSocket = context.getRequiredTestClass().isAnnotationPresent(OverWebSocket.class);
        amqpPort = 0;
        httpPort = 0;
        amqpsPort = null;
        httpsPort = null;
        dataDir = Files.createTempDirectory("jitney-conformance");
        start();
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
        try (Stream<Path> files = Files.walk(dataDir())) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
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
        if (amqpsPort != null) {
            builder = builder.amqpsPort(amqpsPort);
        }
        if (httpsPort != null) {
            builder = builder.httpsPort(httpsPort);
        }
        Integer https = builder.options().httpsPort();
        if (https != null && https == StandardHttpsPort.NUMBER) {
            StandardHttpsPort.awaitFree();
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

    /** Closes the server and opens it again on the same directory and ports. */
    public void restart() {
        restart(Duration.ZERO);
    }

    /** The same with so much time on the clock between the two. */
    public void restart(Duration downtime) {
        stop();
        clock.advance(downtime);
        start();
    }

    /** The server itself. */
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

    /** Of the authority that vouches for this server. */
    public Path caFile() {
        return dataDir().resolve("tls/ca.pem");
    }

    /** The same for Java, with the password {@code changeit}. */
    public Path trustStore() {
        return dataDir().resolve("tls/truststore.p12");
    }

    /** Broker time now. */
    public Instant now() {
        return Instant.ofEpochMilli(clock.nowMs());
    }

    /** Moves the clock and lets everything that became due happen before it returns. */
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
            if (e.rejection().code() != ErrorCode.ENTITY_NOT_FOUND) { // else it was one that goes when it is idle
                throw e;
            }
        }
    }

    /** The namespace's rules from now on; one of them has to be of all rights. */
    public void accessRules(List<AccessRule> rules) {
        await(namespace().setAccessRules(rules));
    }

    // Stores

    /** Stops one messaging store as if its disk had gone. */
    public void stopStore(int index) {
        await(server().broker().stopStore(index));
    }

    /** Starts it again. */
    public void startStore(int index) {
        await(server().broker().startStore(index));
    }

    /** What is wrong with the server, or null. */
    public @Nullable String trouble() {
        return server().trouble();
    }

    /** Whether all of an entity can be reached, or some, or nothing. */
    public EntityAvailability availability(String path) {
        return entity(path).availability();
    }

    /** Whether the messaging store that a queue is kept in works. */
    public boolean isAvailable(String queue) {
        return availability(queue) == EntityAvailability.AVAILABLE;
    }

    // Entities

    /** A name nobody else has. */
    public static String name(String prefix) {
        return prefix + "-" + NAMES.incrementAndGet();
    }

    /** A queue with all defaults. */
    public String queue() {
        return queue(q -> q);
    }

    /**
     * A queue that is not partitioned in any run, to send via: a partitioned one asks for a ViaPartitionKey (TX-7), which
     * only raw clients can give.
     */
    public String viaQueue() {
        PartitionedRun.assumeOrdinaryEntities();
        return queue(q -> q.enablePartitioning(false));
    }

    /** A queue of that description under a new name. */
    public String queue(UnaryOperator<QueueDescription.Builder> description) {
        return queue("queue-" + NAMES.incrementAndGet(), description);
    }

    /** A queue under a given name. */
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

    /** Creates and changes topics, subscriptions and rules. */
    public Topics topics() {
        return new Topics(this);
    }

    public void delete(String queue) {
        await(namespace().deleteEntity(queue));
    }

    /** Whether there is a queue, topic or subscription of that path. */
    public boolean has(String path) {
        return namespace().entity(path) != null;
    }

    /** How many receivers are attached to an entity. */
    public int receivers(String path) {
        return entity(path).figures().receivers();
    }

    /**
     * Waits until no receiver is attached to an entity. Clients do not wait for their receivers to be heard to go, and
     * until then what becomes free may be locked for one of them.
     */
    public void awaitNoReceivers(String path) {
        Await.until("no receiver at " + path, () -> receivers(path) == 0);
    }

    public MessageCounts counts(String queue) {
        Reply reply = submit(entity(queue), new Command.GetCounts());
        return ((Reply.Counts) reply).counts();
    }

    /** What has been metered of an entity since it was made. */
    public MeterReading meter(String path) {
        return entity(path).meter().read(clock.nowMs());
    }

    /** Gives a command to a queue's shard, past the gateways. */
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

    /** The address administration clients get; those in Java drop the port and dial 443. */
    public String adminConnectionString() {
        return adminConnectionString(RULE, KEY);
    }

    /** The same with another rule or key. */
    public String adminConnectionString(String rule, String key) {
        return "Endpoint=sb://localhost:" + httpsPort() + ";SharedAccessKeyName=" + rule + ";SharedAccessKey=" + key;
    }

    /** What a user would copy from the server's first line. */
    public String connectionString() {
        return "Endpoint=sb://localhost:" + amqpPort + ";SharedAccessKeyName=" + RULE + ";SharedAccessKey=" + KEY
                + ";UseDevelopmentEmulator=true;";
    }

    /** For clients that always use TLS and take no port. */
    public String tlsConnectionString() {
        return "Endpoint=sb://localhost/;SharedAccessKeyName=" + RULE + ";SharedAccessKey=" + KEY;
    }

    /** With a ready-made token that outlives every move of the clock. */
    public String lastingConnectionString() {
        return "Endpoint=sb://localhost:" + amqpPort + ";SharedAccessSignature="
                + SasToken.create("sb://localhost/", RULE, KEY, FAR_FUTURE_SECONDS) + ";UseDevelopmentEmulator=true;";
    }

    /** The same for clients that go through TLS, since the emulator's mode knows no WebSocket. */
    public String webSocketConnectionString() {
        return "Endpoint=sb://localhost:" + httpsPort() + ";SharedAccessKeyName=" + RULE + ";SharedAccessKey=" + KEY;
    }

    public String lastingWebSocketConnectionString() {
        return "Endpoint=sb://localhost:" + httpsPort() + ";SharedAccessSignature="
                + SasToken.create("sb://localhost/", RULE, KEY, FAR_FUTURE_SECONDS);
    }

    /** A set of SDK clients on one connection that closes together. */
    public Sdk sdk() {
        if (overWebSocket) {
            return new Sdk(clientBuilder(lastingWebSocketConnectionString())
                    .transportType(AmqpTransportType.AMQP_WEB_SOCKETS)
                    .customEndpointAddress("https://localhost:" + httpsPort()));
        }
        return new Sdk(clientBuilder(lastingConnectionString()));
    }

    /** A builder that gives up soon, so that what must fail fails soon. */
    public static ServiceBusClientBuilder clientBuilder(String connectionString) {
        return new ServiceBusClientBuilder()
                .connectionString(connectionString)
                .retryOptions(new AmqpRetryOptions()
                        .setMode(AmqpRetryMode.FIXED)
                        .setDelay(Duration.ofMillis(100))
                        .setMaxRetries(3)
                        .setTryTimeout(Duration.ofSeconds(30)));
    }

    /** A raw client with all rights. */
    public RawPeer peer() {
        return RawPeer.plain(amqpPort, RULE, KEY);
    }

    /** The same inside a WebSocket. */
    public RawPeer webSocketPeer() {
        return RawPeer.silent(webSocket()).authenticate(RULE, KEY);
    }

    /** A connected WebSocket over which nothing has been said. */
    public WebSocketSocket webSocket() {
        return new WebSocketSocket(httpPort());
    }
}
