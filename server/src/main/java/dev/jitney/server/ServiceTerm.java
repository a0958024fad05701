package dev.jitney.server;

import dev.jitney.gateway.amqp.listener.HandedSocket;
import dev.jitney.gateway.amqp.listener.SharedPort;
import dev.jitney.gateway.http.HttpGateway;
import dev.jitney.gateway.http.HttpGatewayOptions;
import dev.jitney.gateway.http.ServerHealth;
import dev.jitney.gateway.http.metrics.HttpFigures;
import dev.jitney.gateway.http.metrics.HttpMetrics;
import dev.jitney.gateway.http.metrics.MetricsAccess;
import dev.jitney.gateway.http.metrics.MetricsFormat;
import dev.jitney.gateway.http.operator.backup.BackupService;
import dev.jitney.gateway.http.testmode.TestModeAccess;
import dev.jitney.gateway.http.testmode.TestServer;
import dev.jitney.gateway.http.websocket.AmqpTunnels;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.ShardFigures;
import dev.jitney.server.archive.Archiver;
import dev.jitney.server.backup.BackupSource;
import dev.jitney.server.backup.Backups;
import dev.jitney.server.config.ConfigException;
import dev.jitney.server.config.ConfigReader;
import dev.jitney.server.config.KeySource;
import dev.jitney.server.config.NamespaceConfig;
import dev.jitney.server.config.ServerConfig;
import dev.jitney.server.metrics.BrokerMetrics;
import dev.jitney.server.metrics.ClusterFigures;
import dev.jitney.server.metrics.Safekeeping;
import dev.jitney.server.secrets.KeyFiles;
import dev.jitney.server.secrets.KeyReload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One time of service: a broker that is open, and the gateways in front of it (CL-11). Nothing in the memory of a term
 * outlives it.
 *
 * <p>Life cycle: opened once, and closed once. The entities of the configuration are set up first, then AMQP opens, then
 * HTTP with its health pages, then ports that serve both. They close in reverse order. Any thread may call the methods.
 *
 * <p>A term ends in one of two ways. {@link #close} completes what is in progress. {@link #abandon} drops it, because
 * another process may serve the same messages already.
 */
final class ServiceTerm implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ServiceTerm.class);

    /** The time for clients to read the error of an abandoned term. */
    private static final long ABANDON_MS = 1_000;

    private static final long LEVEL_SECONDS = 50;

    private final TermSettings settings;
    private final BrokerBackend backend;
    private final Supplier<@Nullable ClusterFigures> cluster;
    /** The level that the broker begins with, or 0 for that of the store. */
    private final int firstLevel;

    /** The actions that close the open parts, the latest on top. */
    private final Deque<Runnable> open = new ArrayDeque<>();

    private final List<SharedPort> shared = new ArrayList<>();
    private volatile @Nullable AmqpListeners amqp;
    private volatile @Nullable HttpGateway http;
    private volatile @Nullable BrokerMetrics pages;
    private volatile @Nullable Backups backups;
    private volatile ServerHealth.Phase phase = ServerHealth.Phase.STARTING;

    private ServiceTerm(
            TermSettings settings, BrokerBackend backend, Supplier<@Nullable ClusterFigures> cluster, int firstLevel) {
        this.cluster = cluster;
        this.firstLevel = firstLevel;
        this.settings = settings;
        this.backend = backend;
        open.push(backend::close);
    }

    /**
     * Opens a term, and returns when its gateways serve clients.
     *
     * @param backend the opened broker, which ends with the term, or when opening the term fails
     * @throws StartException if a part cannot open; then all parts are closed again
     */
    static ServiceTerm open(TermSettings settings, BrokerBackend backend) throws StartException {
        return open(settings, backend, () -> null, 0);
    }

    /**
     * Opens a term of a node of a cluster.
     *
     * @param cluster    returns the state of the node for the metrics page
     * @param firstLevel the level that the broker begins with: in a new cluster, a row with it is written first (CL-60)
     * @throws StartException if a part cannot open; then all parts are closed again
     */
    static ServiceTerm open(
            TermSettings settings, BrokerBackend backend, Supplier<@Nullable ClusterFigures> cluster, int firstLevel)
            throws StartException {
        return open(new ServiceTerm(settings, backend, cluster, firstLevel), true);
    }

    /**
     * Opens a term that serves no clients, without the entities of the configuration (CL-18).
     *
     * @param backend the opened broker, which ends with the term, or when opening the term fails
     * @throws StartException if a part cannot open; then all parts are closed again
     */
    static ServiceTerm rehearse(TermSettings settings, BrokerBackend backend) throws StartException {
        return open(new ServiceTerm(settings, backend, () -> null, 0), false);
    }

    private static ServiceTerm open(ServiceTerm term, boolean configured) throws StartException {
        try {
            if (configured) {
                term.raiseLevel(term.firstLevel);
                term.setUp();
                OptionChecks.checkRulesInForce(
                        term.settings.options(), term.backend.broker().namespaces());
            }
            term.open();
            if (configured) {
                term.followKeys();
            }
            return term;
        } catch (StartException | RuntimeException e) {
            term.close();
            throw e;
        }
    }

    private void open() throws StartException {
        ServerOptions options = settings.options();
        AmqpListeners listeners =
                settings.components().openAmqp(backend, options, settings.ports(), settings.admittance());
        amqp = listeners;
        open.push(listeners::close);
        if (options.listeners().servesHttp() || options.healthPort() != null) {
            HttpGateway gateway = openHttp(listeners);
            http = gateway;
            open.push(gateway::close);
        }
        // Last, because these ports serve all protocols as soon as they open.
        for (SharedPort port : settings.ports().shared()) {
            shared.add(listeners.open(port, http));
        }
        Integer https = settings.ports().https();
        if (https != null) { // one implementation of TLS serves all ports
            shared.add(listeners.open(new SharedPort(https, false, false, false, true), http));
        }
        phase = ServerHealth.Phase.SERVING;
    }

    /** Gives access rules the keys in their files, now and when these change. */
    private void followKeys() {
        List<KeySource> sources =
                KeyFiles.sources(settings.options().config(), settings.options().secrets());
        if (!sources.isEmpty()) {
            KeyReload reload = KeyReload.start(backend.broker(), sources);
            open.push(reload::close);
        }
    }

    private void setUp() throws StartException {
        try {
            setUpEntities();
        } catch (StartException e) {
            if (!settings.servesAnyway()) {
                throw e;
            }
            log.error("{} This node leads and serves clients without this configuration.", e.getMessage());
        }
    }

    private void setUpEntities() throws StartException {
        ServerConfig config = settings.options().config();
        config.warnings().forEach(warning -> log.warn("--config: {}", warning));
        for (int i = 0; i < config.namespaces().size(); i++) {
            NamespaceSettings own = settings.namespaces().get(i);
            TierProfile tier = own.limits().tier();
            NamespaceConfig namespace = config.namespaces().get(i).partitionedBy(own.partitioning(), tier);
            Namespace served = backend.broker().namespaces().get(i);
            if (served.isConfigurationKnown()) {
                continue;
            }
            EntitySetup setup = EntitySetup.apply(namespace, backend.entities(i));
            recordConfiguration(served);
            if (tier == TierProfile.PREMIUM && own.throttling() > 0) {
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

    /**
     * Applies a configuration file to the namespaces of this term (CL-32): entities, their rules, and the access rules of namespaces.
     * Entities that the file does not name stay.
     *
     * @param content the content of the file
     * @return sentences about the changes, one for each line
     * @throws StartException if the file is invalid, names a namespace that is not served, or a change is refused
     */
    String apply(byte[] content) throws StartException {
        ServerConfig config;
        try {
            config = ConfigReader.parse("The file", content, false);
        } catch (ConfigException e) {
            throw StartException.badOption(String.valueOf(e.getMessage()), e);
        }
        StringJoiner changes = new StringJoiner("\n");
        config.warnings().forEach(changes::add);
        for (NamespaceConfig file : config.namespaces()) {
            if (backend.broker().namespaceNamed(file.name()) == null) {
                throw StartException.badOption(
                        "The file: Expected the name of a served namespace, but got '" + file.name()
                                + "'. Create it with 'jitney namespace create', or restart all nodes with this file as"
                                + " --config.");
            }
        }
        for (NamespaceConfig file : config.namespaces()) {
            Namespace served = Objects.requireNonNull(backend.broker().namespaceNamed(file.name()));
            NamespaceSettings own = NamespaceSettings.of(file, settings.options());
            EntitySetup setup = EntitySetup.apply(
                    file.partitionedBy(own.partitioning(), served.limits().tier()), EntityCatalogue.of(served));
            boolean rules = file.accessRules() != null
                    && !served.accessRules().equals(own.options().accessRules());
            if (rules) {
                SetupSteps steps = new SetupSteps(served.name());
                steps.add(
                        "namespace '" + served.name() + "'",
                        served.setAccessRules(own.options().accessRules()));
                steps.await();
            }
            changes.add("Namespace " + served.name() + ": " + setup.created() + " entities created, " + setup.updated()
                    + " updated" + (rules ? ", access rules replaced." : "."));
        }
        log.info("A configuration file was applied by order: {}", changes);
        return changes.toString();
    }

    private static void recordConfiguration(Namespace served) throws StartException {
        SetupSteps steps = new SetupSteps(served.name());
        steps.add("namespace '" + served.name() + "'", served.recordConfiguration());
        steps.await();
    }

    /**
     * Raises the level of the data (CL-61). Returns when it is durable; a level that is reached already changes nothing.
     *
     * @throws StartException if the broker refuses, or the outcome is unknown after {@value #LEVEL_SECONDS} s
     */
    void raiseLevel(int level) throws StartException {
        Broker broker = backend.broker();
        if (level <= broker.level()) {
            return;
        }
        int before = broker.level();
        try {
            broker.raiseLevel(level).toCompletableFuture().get(LEVEL_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw StartException.fault(unknownLevel(before, level) + " " + words(e.getCause()), e);
        } catch (TimeoutException e) {
            throw StartException.fault(unknownLevel(before, level), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StartException.fault(unknownLevel(before, level), e);
        }
        log.atInfo().addKeyValue("before", before).addKeyValue("level", level).log("The level of the data was raised");
    }

    private static String unknownLevel(int before, int level) {
        return "The cluster has level " + before + " or " + level + ". To see it: jitney cluster status.";
    }

    private static String words(@Nullable Throwable cause) {
        return cause instanceof BrokerException refused
                ? String.valueOf(refused.rejection().description())
                : String.valueOf(cause);
    }

    private HttpGateway openHttp(AmqpListeners listeners) throws StartException {
        ServerOptions options = settings.options();
        ListenerPlan ports = settings.ports();
        boolean door = ports.sharesHttp() || ports.https() != null || !ports.servesHttp();
        AmqpTunnels tunnels = listeners.tunnels();
        HttpMetrics metrics = metrics(listeners);
        TestServer tests = TestServer.NONE;
        if (options.testMode() != TestModeAccess.OFF) {
            TestModeServer made = new TestModeServer(options, listeners, this::connectionStrings);
            open.push(made::close);
            tests = made;
        }
        try {
            return HttpGateway.start(
                    new HttpGatewayOptions(
                            options.host(),
                            ports.http(),
                            null,
                            options.healthPort(),
                            null,
                            door,
                            BuildInfo.version(),
                            listeners.clients(),
                            options.console(),
                            options.privacy(),
                            (port, tls) -> ports().amqpPort(port, tls),
                            tests,
                            settings.admittance().clients(),
                            backups()),
                    backend.broker(),
                    new Health(),
                    tunnels,
                    metrics);
        } catch (IOException e) {
            String option = options.healthPort() == null
                    ? "--http-port " + ports.http()
                    : "--health-port " + options.healthPort() + ", --http-port " + ports.http();
            throw StartException.cannotListen(option, options.host(), e);
        }
    }

    private BackupService backups() {
        Path directory = settings.options().backupDir();
        if (settings.options().inMemory() != null) {
            return BackupService.without("Expected a server with a data directory, but it keeps everything in memory.");
        } else if (directory == null) {
            return BackupService.without(
                    "Expected a directory for backups, but the server has none. Start it with" + " --backup-dir DIR.");
        }
        Backups made = new Backups(
                BackupSource.of(backend.stores(), backend.broker()),
                directory,
                settings.options().archive() == null
                        ? null
                        : settings.options().archive().directory(),
                BuildInfo.version(),
                backend.broker().clock()::nowMs);
        backups = made;
        open.push(made::close);
        return made;
    }

    private Safekeeping safekeeping() {
        Backups made = backups;
        Archiver archive = backend.archive();
        return new Safekeeping(made == null ? null : made.figures(), archive == null ? null : archive.figures());
    }

    private ConnectionStrings connectionStrings() {
        OpenPorts ports = ports();
        return ConnectionStrings.of(
                settings.options(),
                settings.namespaces(),
                ports.first(SharedPort::amqp),
                ports.first(SharedPort::amqps),
                ports.first(SharedPort::http),
                ports.first(SharedPort::https));
    }

    private HttpMetrics metrics(AmqpListeners listeners) {
        ServerOptions options = settings.options();
        MetricsAccess access = options.metrics().accessOn(options.host());
        if (access == MetricsAccess.OFF) {
            return HttpMetrics.off();
        }
        BrokerMetrics made = new BrokerMetrics(
                backend.broker(),
                listeners::figures,
                () -> {
                    HttpGateway gateway = http;
                    return gateway == null ? HttpFigures.NONE : gateway.figures();
                },
                () -> trouble() == null,
                options.metrics().entitiesMax(),
                BuildInfo.version(),
                cluster,
                settings.admittance(),
                this::safekeeping);
        pages = made;
        open.push(made::close);
        return new HttpMetrics(access, made);
    }

    /**
     * Returns the metrics of all namespaces in the text format of Prometheus, or null if {@code --metrics} switches them off.
     *
     * @throws IOException if the page cannot be written
     */
    @Nullable
    String metricsPage() throws IOException {
        BrokerMetrics source = pages;
        if (source == null) {
            return null;
        }
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        source.write(MetricsFormat.PROMETHEUS, null, page);
        return page.toString(StandardCharsets.UTF_8);
    }

    /** Returns the broker of the term. */
    Broker broker() {
        return backend.broker();
    }

    /** Returns the entities of one namespace, by its place in the configuration. */
    EntityCatalogue entities(int namespaceIndex) {
        return backend.entities(namespaceIndex);
    }

    /** Returns null if all is well, otherwise one sentence that describes the problem. */
    @Nullable
    String trouble() {
        return backend.trouble();
    }

    /** Returns whether at least one store works, also if its disk is full. */
    boolean servesSomeStore() {
        return backend.broker().shards().stream().anyMatch(ShardFigures::serving);
    }

    /** Returns the ports that the gateways of the term have bound themselves. */
    OpenPorts ports() {
        List<SharedPort> all = new ArrayList<>(shared);
        AmqpListeners listeners = amqp;
        HttpGateway gateway = http;
        if (listeners != null) {
            Integer tls = listeners.tlsPort();
            addBound(all, listeners.port(), true, false, false, false);
            addBound(all, tls == null ? -1 : tls, false, false, true, false);
        }
        if (gateway != null) {
            addBound(all, gateway.httpPort(), false, true, false, false);
        }
        return new OpenPorts(all, gateway == null ? null : gateway.healthPort());
    }

    private static void addBound(
            List<SharedPort> all, int port, boolean amqp, boolean http, boolean amqps, boolean https) {
        if (port >= 0) {
            all.add(new SharedPort(port, amqp, http, amqps, https));
        }
    }

    /**
     * Serves a connection that another listener accepted. Closes it if the term has ended, or serves none of these
     * protocols itself. Any thread may call it; it does not wait.
     *
     * @param port protocols of the other listener
     */
    void adopt(HandedSocket socket, SharedPort port) {
        SharedPort served = settings.options().listeners().everything();
        SharedPort common = served == null ? null : port.commonWith(served);
        AmqpListeners listeners = amqp;
        HttpGateway gateway = http;
        if (common == null || listeners == null) {
            socket.close();
        } else if (gateway != null && common.servesOnlyHttp()) {
            gateway.take(socket.channel(), socket.firstBytes(), socket.client());
        } else {
            listeners.adopt(socket, common, gateway);
        }
    }

    /**
     * Ends the term without completing pending work, because this process does not serve clients any more (CL-12). AMQP
     * clients receive {@code amqp:connection:forced}, HTTP connections close, and the broker commits nothing more. All
     * sockets are closed after {@value #ABANDON_MS} ms; the method returns soon after that at the latest.
     *
     * @param reason sentence for the clients
     */
    void abandon(String reason) {
        phase = ServerHealth.Phase.CLOSING;
        // First, so that clients get an error of the connection and no errors of its messages, which some do not retry.
        AmqpListeners listeners = amqp;
        if (listeners != null) {
            listeners.disconnect(reason, ABANDON_MS);
        }
        HttpGateway gateway = http;
        if (gateway != null) {
            gateway.disconnect(ABANDON_MS);
        }
        backend.broker().abandon();
        closeParts();
    }

    /** Lets connections end, completes pending work, and closes the broker. A second call does nothing. */
    @Override
    public void close() {
        phase = ServerHealth.Phase.CLOSING;
        closeParts();
    }

    private void closeParts() {
        for (Runnable latest = next(); latest != null; latest = next()) {
            try {
                latest.run();
            } catch (RuntimeException e) {
                log.warn("A part of the server failed to close.", e);
            }
        }
    }

    private @Nullable Runnable next() {
        synchronized (open) {
            return open.poll();
        }
    }

    /** The state of the term for the health pages. */
    private final class Health implements ServerHealth {
        @Override
        public @Nullable String trouble() {
            return ServiceTerm.this.trouble();
        }

        @Override
        public Phase phase() {
            return phase;
        }

        @Override
        public List<String> warnings() {
            List<String> all = new ArrayList<>(settings.admittance().troubles());
            Archiver archive = backend.archive();
            if (archive != null) {
                all.addAll(archive.troubles());
            }
            return all;
        }

        @Override
        public @Nullable String listenerTrouble() {
            AmqpListeners listeners = amqp;
            return listeners == null || listeners.isListening()
                    ? null
                    : "A listener for AMQP has closed. Restart the server.";
        }
    }
}
