package dev.jitney.server;

import dev.jitney.gateway.http.HttpGateway;
import dev.jitney.gateway.http.HttpGatewayOptions;
import dev.jitney.gateway.http.HttpsIdentity;
import dev.jitney.gateway.http.metrics.HttpFigures;
import dev.jitney.gateway.http.metrics.HttpMetrics;
import dev.jitney.gateway.http.metrics.MetricsAccess;
import dev.jitney.gateway.http.websocket.AmqpTunnels;
import dev.jitney.model.EntityKind;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Clock;
import dev.jitney.server.config.NamespaceConfig;
import dev.jitney.server.config.ServerConfig;
import dev.jitney.server.metrics.BrokerMetrics;
import dev.jitney.server.tls.ServerIdentity;
import dev.jitney.server.tls.Tls;
import dev.jitney.server.tls.TlsException;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A whole broker in this process.
 *
 * <pre>{@code
 * try (JitneyServer server = JitneyServer.builder().dataDir(dir).amqpPort(0).httpPort(0).build().start()) {
 *     use(server.connectionString());
 * }
 * }</pre>
 *
 * <p>Life cycle: built, started once, closed once. Stores and broker open first, then AMQP, then HTTP, whose health
 * answer says "ready"; closing goes the other way round and takes half a minute at most. Any thread may call the
 * methods; those that tell ports are for a started server.
 */
public final class JitneyServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(JitneyServer.class);
    private static final long CLOSE_SECONDS = 30;

    private final ServerOptions options;
    private final Clock clock;
    private final Parts parts;
    private final List<NamespaceSettings> namespaces;
    /** What is open, the latest on top. */
    private final Deque<Runnable> open = new ArrayDeque<>();

    private @Nullable Backend backend;
    private @Nullable AmqpListeners amqp;
    private volatile @Nullable HttpGateway http;
    private boolean used;

    JitneyServer(ServerOptions options, Clock clock, Parts parts) {
        this.options = options;
        this.clock = clock;
        this.parts = parts;
        this.namespaces = options.config().namespaces().stream()
                .map(namespace -> NamespaceSettings.of(namespace, options))
                .toList();
    }

    /** Collects what a server is to be told; everything has a default but the data directory. */
    public static JitneyServerBuilder builder() {
        return new JitneyServerBuilder();
    }

    /**
     * Opens everything and returns when it serves.
     *
     * @throws StartException if that cannot be; everything opened until then is closed again
     */
    public synchronized JitneyServer start() throws StartException {
        if (used) {
            throw new IllegalStateException("Expected a server that was not started before.");
        }
        used = true;
        OptionChecks.check(options, namespaces);
        try {
            DataDirectory directory = DataDirectory.hold(options.dataDir());
            open.push(directory::close);
            ServerIdentity identity = identity(directory.path());
            backend = parts.openBackend(directory.path(), options.stores(), namespaces, clock);
            open.push(backend::close);
            setUpEntities(backend);
            OptionChecks.checkRulesInForce(options, backend.broker().namespaces());
            if (options.allowPublicKey()) {
                log.warn(
                        "--allow-public-key: Keys that everybody knows or can guess open this server to all who can"
                                + " connect to --host {}. Use it for development only.",
                        options.host());
            }
            amqp = parts.openAmqp(backend, options, options.amqpsPort() == null ? null : identity);
            open.push(amqp::close);
            if (options.httpPort() != null || options.httpsPort() != null) {
                HttpGateway gateway = openHttp(identity, amqp.tunnels(), metrics(backend.broker(), amqp));
                http = gateway;
                open.push(gateway::close);
            }
            return this;
        } catch (TlsException e) {
            closeAll();
            throw StartException.badOption("--tls " + options.tls() + ": " + e.getMessage(), e);
        } catch (StartException | RuntimeException e) {
            closeAll();
            throw e;
        }
    }

    /** The port that serves AMQP without TLS, or null. */
    public @Nullable Integer amqpPort() {
        int port = started(amqp).port();
        return port < 0 ? null : port;
    }

    /** The port that serves AMQP with TLS, or null. */
    public @Nullable Integer amqpsPort() {
        return started(amqp).tlsPort();
    }

    /** The port that serves HTTP without TLS, or null. */
    public @Nullable Integer httpPort() {
        started(amqp);
        HttpGateway gateway = http;
        return gateway == null || gateway.httpPort() < 0 ? null : Integer.valueOf(gateway.httpPort());
    }

    /** The port that serves HTTP with TLS, or null. */
    public @Nullable Integer httpsPort() {
        started(amqp);
        HttpGateway gateway = http;
        return gateway == null ? null : gateway.httpsPort();
    }

    /** What an application on this machine connects to the first namespace with, the key included. */
    public String connectionString() {
        return connectionStrings().get(0);
    }

    /**
     * One connection string per namespace, the keys included; all but the first go by the first label of the host name.
     */
    public List<String> connectionStrings() {
        return strings().withKeys();
    }

    /** The same to be printed: a key that is not known to everybody is replaced by where it comes from. */
    public List<String> printableConnectionStrings() {
        return strings().printable();
    }

    private ConnectionStrings strings() {
        return ConnectionStrings.of(options, namespaces, started(amqp), httpPort(), httpsPort());
    }

    /** Listeners without TLS that are off because others connect with TLS and nobody asked for them, as options. */
    public List<String> plainPortsLeftOut() {
        List<String> all = new ArrayList<>();
        if (options.amqpPort() == null && !options.plainAmqp().asked()) {
            all.add("--amqp-port " + options.plainAmqp().number());
        }
        if (options.httpPort() == null && !options.plainHttp().asked()) {
            all.add("--http-port " + options.plainHttp().number());
        }
        return all;
    }

    /** Names of the namespaces, in the order of {@link #connectionStrings}. */
    public List<String> namespaceNames() {
        return namespaces.stream().map(NamespaceSettings::name).toList();
    }

    /** Paths of the queues of one namespace, by its place in {@link #namespaceNames}. */
    public List<String> queuePaths(int namespaceIndex) {
        return started(backend).entities(namespaceIndex).paths(EntityKind.QUEUE);
    }

    /** Paths of the topics of one namespace, by its place in {@link #namespaceNames}. */
    public List<String> topicPaths(int namespaceIndex) {
        return started(backend).entities(namespaceIndex).paths(EntityKind.TOPIC);
    }

    /** The broker behind the listeners, for programs that embed the server. */
    public Broker broker() {
        return started(backend).broker();
    }

    /**
     * Null when the server is well, otherwise what {@code GET /health} says. The AMQP listeners need no asking: they
     * open before the listener that answers the question and close after it.
     */
    public @Nullable String trouble() {
        return started(backend).trouble();
    }

    /** Where everything is kept, as given. */
    public Path dataDir() {
        return options.dataDir();
    }

    /** The interface all listeners are bound to, as given. */
    public String host() {
        return options.host();
    }

    /**
     * Lets connections end, completes what waits and closes the stores. Returns after half a minute in any case; a
     * second call does nothing.
     */
    @Override
    public synchronized void close() {
        used = true;
        Thread closer = new Thread(this::closeAll, "jitney-close");
        closer.setDaemon(true);
        closer.start();
        try {
            closer.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
            if (closer.isAlive()) {
                log.warn("Not everything closed within {} s; what was acknowledged is on disk.", CLOSE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeAll() {
        while (true) {
            Runnable latest;
            synchronized (open) {
                latest = open.poll();
            }
            if (latest == null) {
                return;
            }
            try {
                latest.run();
            } catch (RuntimeException e) {
                log.warn("A part of the server did not close cleanly.", e);
            }
        }
    }

    private @Nullable ServerIdentity identity(Path dataDir) throws TlsException {
        Tls tls = options.tls();
        return tls == null ? null : tls.identity(dataDir, namespaceNames(), clock.nowMs());
    }

    private void setUpEntities(Backend backend) throws StartException {
        ServerConfig config = options.config();
        config.warnings().forEach(warning -> log.warn("--config: {}", warning));
        for (int i = 0; i < config.namespaces().size(); i++) {
            NamespaceSettings settings = namespaces.get(i);
            TierProfile tier = settings.limits().tier();
            NamespaceConfig namespace = config.namespaces().get(i).partitionedBy(settings.partitioning(), tier);
            EntitySetup setup = EntitySetup.apply(namespace, backend.entities(i));
            if (tier == TierProfile.PREMIUM && settings.throttling() > 0) {
                log.warn("Namespace {}: PREMIUM has no credits; it is not throttled.", namespace.name());
            }
            if (setup.created() + setup.updated() > 0) {
                log.info(
                        "Namespace {}: {} entities created, {} updated",
                        namespace.name(),
                        setup.created(),
                        setup.updated());
            }
        }
    }

    private HttpMetrics metrics(Broker broker, AmqpListeners listeners) {
        MetricsAccess access = options.metrics().accessOn(options.host());
        if (access == MetricsAccess.OFF) {
            return HttpMetrics.off();
        }
        BrokerMetrics pages = new BrokerMetrics(
                broker,
                listeners::figures,
                () -> {
                    HttpGateway gateway = http;
                    return gateway == null ? HttpFigures.NONE : gateway.figures();
                },
                () -> trouble() == null,
                options.metrics().entitiesMax(),
                BuildInfo.version());
        open.push(pages::close);
        return new HttpMetrics(access, pages);
    }

    private HttpGateway openHttp(@Nullable ServerIdentity identity, AmqpTunnels tunnels, HttpMetrics metrics)
            throws StartException {
        HttpsIdentity https = identity == null || options.httpsPort() == null
                ? null
                : new HttpsIdentity(identity.key(), identity.chain());
        Supplier<@Nullable String> trouble = this::trouble;
        try {
            return HttpGateway.start(
                    new HttpGatewayOptions(options.host(), options.httpPort(), options.httpsPort(), https, BuildInfo.version()),
                    started(backend).broker(),
                    trouble,
                    tunnels,
                    metrics);
        } catch (IOException e) {
            Integer plain = options.httpPort();
            String option = plain != null && String.valueOf(e.getMessage()).contains(":" + plain + ":")
                    ? "--http-port " + options.httpPort()
                    : "--https-port " + options.httpsPort();
            throw cannotListen(option, options.host(), e);
        }
    }

    /** Words for a listener that could not be opened. */
    static StartException cannotListen(String option, String host, Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            boolean bind = cause instanceof BindException
                    || cause.getClass().getName().contains("NativeIoException"); // what native transports throw
            if (bind && String.valueOf(cause.getMessage()).contains("in use")) {
                String name = option.substring(0, option.indexOf(' '));
                return StartException.fault(
                        option + ": Another program listens on this port of " + host
                                + "; stop it, or give another port (" + name + " 0 = any free one).",
                        e);
            }
        }
        return StartException.fault(option + ": Cannot listen there on --host " + host + ": " + e.getMessage(), e);
    }

    private static <T> T started(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("Expected a started server.");
        }
        return part;
    }
}
