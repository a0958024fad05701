package dev.jitney.server;

import dev.jitney.gateway.amqp.listener.SharedPort;
import dev.jitney.gateway.http.HttpGateway;
import dev.jitney.gateway.http.HttpGatewayOptions;
import dev.jitney.gateway.http.HttpsIdentity;
import dev.jitney.gateway.http.ServerHealth;
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
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
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
 * <p>Life cycle: built, started once, closed once. The stores and the broker open first, then AMQP, then HTTP with its
 * health pages, then ports that serve both. They close in reverse order, within half a minute at most. Any thread may
 * call the methods; methods that return ports need a started server.
 */
public final class JitneyServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(JitneyServer.class);
    private static final long CLOSE_SECONDS = 30;

    private final ServerOptions options;
    private final Clock clock;
    private final ServerComponents components;
    private final List<NamespaceSettings> namespaces;
    /** The actions that close the open parts, the latest on top. */
    private final Deque<Runnable> open = new ArrayDeque<>();

    private @Nullable BrokerBackend backend;
    private volatile @Nullable AmqpListeners amqp;
    private volatile @Nullable HttpGateway http;
    private volatile ServerHealth.Phase phase = ServerHealth.Phase.STARTING;
    private final List<SharedPort> shared = new CopyOnWriteArrayList<>();
    private boolean used;
    private @Nullable LifecycleLog life;

    JitneyServer(ServerOptions options, Clock clock, ServerComponents components) {
        this.options = options;
        this.clock = clock;
        this.components = components;
        this.namespaces = options.config().namespaces().stream()
                .map(namespace -> NamespaceSettings.of(namespace, options))
                .toList();
    }

    /** Returns a builder. Every setting but the data directory has a default. */
    public static JitneyServerBuilder builder() {
        return new JitneyServerBuilder();
    }

    /**
     * Opens everything and returns when the server is ready.
     *
     * @throws StartException if the server cannot start; it has closed all parts again
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
            LifecycleLog started = new LifecycleLog(log, options.dataDir());
            ServerIdentity identity = identity(directory.path());
            backend = components.openBackend(
                    directory.path(),
                    options.stores(),
                    namespaces,
                    (name, tier) -> NamespaceSettings.made(name, tier, options),
                    clock);
            open.push(backend::close);
            started.recovered();
            setUpEntities(backend);
            OptionChecks.checkRulesInForce(options, backend.broker().namespaces());
            if (options.allowPublicKey()) {
                log.warn(
                        "--allow-public-key: Anyone who can connect to --host {} can use this server with a public or"
                                + " weak key. Use this option for development only.",
                        options.host());
            }
            amqp = components.openAmqp(backend, options, options.listeners().tls() ? identity : null);
            open.push(amqp::close);
            ListenerPlan plan = options.listeners();
            if (plan.servesHttp()) {
                HttpGateway gateway = openHttp(identity, amqp.tunnels(), metrics(backend.broker(), amqp));
                http = gateway;
                open.push(gateway::close);
            }
            // Last, because these ports serve all protocols as soon as they open.
            for (SharedPort port : plan.shared()) {
                shared.add(amqp.open(port, http));
            }
            phase = ServerHealth.Phase.SERVING;
            life = started;
            started.serving(backend.broker(), String.join(" ", listeners()));
            return this;
        } catch (TlsException e) {
            closeAll();
            throw StartException.badOption("--tls " + options.tls() + ": " + e.getMessage(), e);
        } catch (StartException | RuntimeException e) {
            closeAll();
            throw e;
        }
    }

    /**
     * Returns the port that serves AMQP without TLS, or null. The first port that also serves other protocols takes
     * precedence.
     */
    public @Nullable Integer amqpPort() {
        int port = started(amqp).port();
        return sharedPort(SharedPort::amqp, port < 0 ? null : port);
    }

    /** Returns the port that serves AMQP with TLS, or null. */
    public @Nullable Integer amqpsPort() {
        return sharedPort(SharedPort::amqps, started(amqp).tlsPort());
    }

    /** Returns the port that serves HTTP without TLS, or null. */
    public @Nullable Integer httpPort() {
        started(amqp);
        HttpGateway gateway = http;
        return sharedPort(
                SharedPort::http,
                gateway == null || gateway.httpPort() < 0 ? null : Integer.valueOf(gateway.httpPort()));
    }

    /** Returns the port that serves HTTP with TLS, or null. */
    public @Nullable Integer httpsPort() {
        started(amqp);
        HttpGateway gateway = http;
        return sharedPort(SharedPort::https, gateway == null ? null : gateway.httpsPort());
    }

    private @Nullable Integer sharedPort(Predicate<SharedPort> protocol, @Nullable Integer otherwise) {
        for (SharedPort port : shared) {
            if (protocol.test(port)) {
                return port.port();
            }
        }
        return otherwise;
    }

    /** Returns every port with its protocols: {@code amqp}, {@code http}, {@code amqps}, {@code https}. */
    public Map<Integer, List<String>> ports() {
        Map<Integer, List<String>> all = new LinkedHashMap<>();
        for (SharedPort port : shared) {
            List<String> protocols = all.computeIfAbsent(port.port(), number -> new ArrayList<>());
            add(protocols, port.amqp(), "amqp");
            add(protocols, port.http(), "http");
            add(protocols, port.amqps(), "amqps");
            add(protocols, port.https(), "https");
        }
        AmqpListeners amqpListeners = started(amqp);
        HttpGateway gateway = http;
        Integer amqpsPort = amqpListeners.tlsPort();
        Integer httpsPort = gateway == null ? null : gateway.httpsPort();
        alone(all, amqpListeners.port(), "amqp");
        alone(all, amqpsPort == null ? -1 : amqpsPort, "amqps");
        alone(all, gateway == null ? -1 : gateway.httpPort(), "http");
        alone(all, httpsPort == null ? -1 : httpsPort, "https");
        return all;
    }

    private static void add(List<String> protocols, boolean served, String protocol) {
        if (served) {
            protocols.add(protocol);
        }
    }

    private static void alone(Map<Integer, List<String>> all, int port, String protocol) {
        if (port >= 0) {
            all.put(port, List.of(protocol));
        }
    }

    /** Returns the connection string of the first namespace for an application on this machine, with the key. */
    public String connectionString() {
        return connectionStrings().get(0);
    }

    /**
     * Returns one connection string per namespace, with the keys. All but the first namespace are selected by the first
     * label of the host name.
     */
    public List<String> connectionStrings() {
        return strings().withKeys();
    }

    /**
     * Returns the connection strings for printing: the source of the key replaces every key but the public default key.
     */
    public List<String> printableConnectionStrings() {
        return strings().printable();
    }

    private ConnectionStrings strings() {
        return ConnectionStrings.of(options, namespaces, amqpPort(), amqpsPort(), httpPort(), httpsPort());
    }

    /**
     * Returns all listeners as text: a URL such as {@code amqp://127.0.0.1:5672} for a port with one protocol, and
     * address and protocols such as {@code 127.0.0.1:5672 (amqp, http)} for a port with several.
     */
    public List<String> listeners() {
        String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
        List<String> all = new ArrayList<>();
        ports().forEach((port, protocols) -> all.add(
                protocols.size() == 1
                        ? protocols.get(0) + "://" + host + ":" + port
                        : host + ":" + port + " (" + String.join(", ", protocols) + ")"));
        return all;
    }

    /**
     * Returns listeners without TLS that are off by default because other machines can connect with TLS, as the options
     * that open them.
     */
    public List<String> plainPortsLeftOut() {
        return options.listeners().leftOut();
    }

    /** Returns the names of the namespaces, in the order of {@link #connectionStrings}. */
    public List<String> namespaceNames() {
        return namespaces.stream().map(NamespaceSettings::name).toList();
    }

    /** Returns the paths of the queues of one namespace, by its place in {@link #namespaceNames}. */
    public List<String> queuePaths(int namespaceIndex) {
        return started(backend).entities(namespaceIndex).paths(EntityKind.QUEUE);
    }

    /** Returns the paths of the topics of one namespace, by its place in {@link #namespaceNames}. */
    public List<String> topicPaths(int namespaceIndex) {
        return started(backend).entities(namespaceIndex).paths(EntityKind.TOPIC);
    }

    /** Returns the broker behind the listeners, for programs that embed the server. */
    public Broker broker() {
        return started(backend).broker();
    }

    /**
     * Returns null when the server is healthy, otherwise the problem that {@code GET /health} reports. It does not
     * check the AMQP listeners: they open before the HTTP listener and close after it.
     */
    public @Nullable String trouble() {
        return started(backend).trouble();
    }

    /** Returns the data directory, as configured. */
    public Path dataDir() {
        return options.dataDir();
    }

    /** Returns the interface that all listeners are bound to, as configured. */
    public String host() {
        return options.host();
    }

    /**
     * Lets connections end, completes pending work and closes the stores. Returns after half a minute in any case; a
     * second call does nothing.
     */
    @Override
    public void close() {
        close("The embedding program closed the server.");
    }

    /**
     * Closes the server like {@link #close()}.
     *
     * @param reason a sentence for the log
     */
    public synchronized void close(String reason) {
        used = true;
        LifecycleLog ending = life;
        life = null;
        long stoppingNs = ending == null ? 0 : ending.stopping(reason);
        phase = ServerHealth.Phase.CLOSING;
        Thread closer = new Thread(this::closeAll, "jitney-close");
        closer.setDaemon(true);
        closer.start();
        try {
            closer.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
            if (closer.isAlive()) {
                log.warn("Not everything closed within {} s. All acknowledged changes are on disk.", CLOSE_SECONDS);
            } else if (ending != null) {
                ending.stopped(stoppingNs);
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
                log.warn("A part of the server failed to close.", e);
            }
        }
    }

    private @Nullable ServerIdentity identity(Path dataDir) throws TlsException {
        Tls tls = options.tls();
        return tls == null ? null : tls.identity(dataDir, namespaceNames(), clock.nowMs());
    }

    private void setUpEntities(BrokerBackend backend) throws StartException {
        ServerConfig config = options.config();
        config.warnings().forEach(warning -> log.warn("--config: {}", warning));
        for (int i = 0; i < config.namespaces().size(); i++) {
            NamespaceSettings settings = namespaces.get(i);
            TierProfile tier = settings.limits().tier();
            NamespaceConfig namespace = config.namespaces().get(i).partitionedBy(settings.partitioning(), tier);
            EntitySetup setup = EntitySetup.apply(namespace, backend.entities(i));
            if (tier == TierProfile.PREMIUM && settings.throttling() > 0) {
                log.warn(
                        "Namespace {}: Throttling is ignored, because PREMIUM has no throttling credits.",
                        namespace.name());
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
        ListenerPlan plan = options.listeners();
        HttpsIdentity https =
                identity == null || plan.https() == null ? null : new HttpsIdentity(identity.key(), identity.chain());
        try {
            return HttpGateway.start(
                    new HttpGatewayOptions(
                            options.host(), plan.http(), plan.https(), https, plan.sharesHttp(), BuildInfo.version()),
                    started(backend).broker(),
                    new Health(),
                    tunnels,
                    metrics);
        } catch (IOException e) {
            Integer plain = plan.http();
            String option = plain != null && String.valueOf(e.getMessage()).contains(":" + plain + ":")
                    ? "--http-port " + plain
                    : "--https-port " + plan.https();
            throw StartException.cannotListen(option, options.host(), e);
        }
    }

    /** The state of the server for the health pages. */
    private final class Health implements ServerHealth {
        @Override
        public @Nullable String trouble() {
            return JitneyServer.this.trouble();
        }

        @Override
        public Phase phase() {
            return phase;
        }

        @Override
        public @Nullable String listenerTrouble() {
            AmqpListeners listeners = amqp;
            return listeners == null || listeners.isListening()
                    ? null
                    : "A listener for AMQP has closed. Restart the server.";
        }
    }

    private static <T> T started(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("Expected a started server.");
        }
        return part;
    }
}
