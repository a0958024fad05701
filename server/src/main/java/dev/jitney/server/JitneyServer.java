package dev.jitney.server;

import dev.jitney.gateway.amqp.listener.SharedPort;
import dev.jitney.gateway.http.testmode.TestModeAccess;
import dev.jitney.model.EntityKind;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.client.AddressLimits;
import dev.jitney.runtime.client.ClientAdmission;
import dev.jitney.runtime.client.CredentialCounts;
import dev.jitney.runtime.security.CertificateRules;
import dev.jitney.runtime.security.IdentityProvider;
import dev.jitney.runtime.testing.AdjustableClock;
import dev.jitney.server.cluster.ClusterOptions;
import dev.jitney.server.identity.OidcProvider;
import dev.jitney.server.identity.OidcSettings;
import dev.jitney.server.tls.Admittance;
import dev.jitney.server.tls.CertificateWatch;
import dev.jitney.server.tls.PortTls;
import dev.jitney.server.tls.Tls;
import dev.jitney.server.tls.TlsException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
    private final long certificatePollMs;
    private final List<NamespaceSettings> namespaces;
    /** The actions that close the open parts, the latest on top. */
    private final Deque<Runnable> open = new ArrayDeque<>();

    private volatile @Nullable ServerLife life;
    private boolean used;
    private @Nullable LifecycleLog events;

    JitneyServer(ServerOptions options, Clock clock, ServerComponents components, long certificatePollMs) {
        this.certificatePollMs = certificatePollMs;
        this.options = options;
        this.clock = clock;
        this.components = components;
        this.namespaces = options.config().namespaces().stream()
                .map(namespace -> NamespaceSettings.of(namespace, options))
                .toList();
    }

    /** Returns a builder. Every setting has a default, except the data directory, which a server in memory does not need. */
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
        if (options.testMode() != TestModeAccess.OFF && !(clock instanceof AdjustableClock)) {
            throw StartException.badOption(
                    "Test mode: Expected an AdjustableClock, whose time can be moved, but got " + clock + ".");
        }
        try {
            Path dataDir = hold(options.dataDir());
            LifecycleLog started = new LifecycleLog(log, dataDir);
            Admittance admittance = admittance(dataDir);
            ServerLife opened = life(dataDir, admittance);
            opened.start(started);
            open.push(opened::close);
            admittance.watch().start(certificatePollMs);
            life = opened;
            if (options.allowPublicKey()) {
                log.warn(
                        "--allow-public-key: Anyone who can connect to --host {} can use this server with a public or"
                                + " weak key. Use this option for development only.",
                        options.host());
            }
            if (options.testMode() != TestModeAccess.OFF) {
                log.warn(
                        "--test-mode: {} can control this server and its messages without a key. Use it for tests only.",
                        options.testMode() == TestModeAccess.ANY
                                ? "All programs that can connect"
                                : "Programs on this machine");
            }
            events = started;
            ServiceTerm term = opened.term();
            if (term != null) {
                started.serving(term.broker(), String.join(" ", listeners()));
            }
            return this;
        } catch (TlsException e) {
            closeAll();
            throw StartException.badOption(String.valueOf(e.getMessage()), e);
        } catch (StartException | RuntimeException e) {
            closeAll();
            throw e;
        }
    }

    /** Holds the data directory until the server closes, if there is one. */
    private @Nullable Path hold(@Nullable Path dataDir) throws StartException {
        if (dataDir == null) {
            return null;
        }
        DataDirectory directory = DataDirectory.hold(dataDir);
        open.push(directory::close);
        return directory.path();
    }

    /** Opens the identity provider until the server closes. A provider that is away does not stop the start. */
    private IdentityProvider identities() throws StartException {
        OidcSettings settings = options.identityProvider();
        if (settings == null) {
            return IdentityProvider.NONE;
        }
        try {
            OidcProvider provider = OidcProvider.open(settings);
            open.push(provider::close);
            return provider;
        } catch (IOException wrongFile) {
            throw StartException.badOption(String.valueOf(wrongFile.getMessage()), wrongFile);
        }
    }

    private ServerLife life(@Nullable Path dataDir, Admittance admittance) {
        ClusterOptions cluster = options.cluster();
        if (cluster == null || dataDir == null) {
            return new SingleLife(
                    new TermSettings(options, namespaces, components, admittance, options.listeners(), false),
                    dataDir,
                    clock);
        }
        return new ClusterLife(
                new TermSettings(options, namespaces, components, admittance, ListenerPlan.NONE, true),
                cluster,
                dataDir,
                clock);
    }

    /**
     * Returns the port that serves AMQP without TLS, or null. The first port that also serves other protocols takes
     * precedence.
     */
    public @Nullable Integer amqpPort() {
        return openPorts().first(SharedPort::amqp);
    }

    /** Returns the port that serves AMQP with TLS, or null. */
    public @Nullable Integer amqpsPort() {
        return openPorts().first(SharedPort::amqps);
    }

    /** Returns the port that serves HTTP without TLS, or null. */
    public @Nullable Integer httpPort() {
        return openPorts().first(SharedPort::http);
    }

    /** Returns the port that serves HTTP with TLS, or null. */
    public @Nullable Integer httpsPort() {
        return openPorts().first(SharedPort::https);
    }

    /** Returns the port that serves the health pages only, or null. */
    public @Nullable Integer healthPort() {
        return openPorts().health();
    }

    /** Returns every port with its protocols: {@code amqp}, {@code http}, {@code amqps}, {@code https}. */
    public Map<Integer, List<String>> ports() {
        return openPorts().protocols();
    }

    private OpenPorts openPorts() {
        return started(life).ports();
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
        Integer health = healthPort();
        if (health != null) {
            all.add(host + ":" + health + " (health)");
        }
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
        return term().entities(namespaceIndex).paths(EntityKind.QUEUE);
    }

    /** Returns the paths of the topics of one namespace, by its place in {@link #namespaceNames}. */
    public List<String> topicPaths(int namespaceIndex) {
        return term().entities(namespaceIndex).paths(EntityKind.TOPIC);
    }

    /**
     * Returns the broker behind the listeners, for programs that embed the server. In a cluster it ends with the leadership of
     * this node.
     *
     * @throws IllegalStateException if this server is a node of a cluster and does not lead
     */
    public Broker broker() {
        return term().broker();
    }

    /**
     * Returns whether this server serves clients itself. Always true for a started single node; a node of a cluster does so
     * while it leads.
     */
    public boolean isLeading() {
        return started(life).term() != null;
    }

    /** Returns the name of this node of a cluster, or null for a single node. */
    public @Nullable String clusterNode() {
        ClusterOptions cluster = options.cluster();
        return cluster == null ? null : cluster.node();
    }

    private ServiceTerm term() {
        ServiceTerm term = started(life).term();
        if (term == null) {
            throw new IllegalStateException("Expected the leader of the cluster, but this node does not lead.");
        }
        return term;
    }

    /**
     * Returns null when the server is healthy, otherwise the problem that {@code GET /health} reports. It does not
     * check the AMQP listeners: they open before the HTTP listener and close after it.
     */
    public @Nullable String trouble() {
        return started(life).trouble();
    }

    /** Returns the data directory, as configured, or null if everything is in memory. */
    public @Nullable Path dataDir() {
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
        LifecycleLog ending = events;
        events = null;
        long stoppingNs = ending == null ? 0 : ending.stopping(reason);
        Thread closer = new Thread(this::closeAll, "jitney-close");
        closer.setDaemon(true);
        closer.start();
        try {
            closer.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
            if (closer.isAlive()) {
                log.warn(
                        "Not everything closed within {} s.{}",
                        CLOSE_SECONDS,
                        options.inMemory() == null ? " All acknowledged changes are on disk." : "");
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

    private Admittance admittance(@Nullable Path dataDir) throws TlsException, StartException {
        CertificateWatch watch = new CertificateWatch(clock);
        open.push(watch::close);
        CertificateRules rules = new CertificateRules();
        AddressLimits addresses =
                new AddressLimits(options.clientLimits(), () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
        Tls tls = options.tls();
        PortTls ports = tls == null
                ? null
                : PortTls.open(tls, options.tlsSettings(), dataDir, namespaceNames(), rules, watch, clock);
        return new Admittance(
                ports,
                watch,
                new ClientAdmission(
                        addresses,
                        new CredentialCounts(options.clientLimits().credentialConnections()),
                        rules,
                        identities()));
    }

    private static <T> T started(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("Expected a started server.");
        }
        return part;
    }
}
