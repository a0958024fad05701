package dev.jitney.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.listener.HandedSocket;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.client.ClientAdmission;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.server.front.Front;
import dev.jitney.server.front.FrontFigures;
import dev.jitney.server.front.FrontOptions;
import dev.jitney.server.node.LinkFaults;
import dev.jitney.server.node.NodeHealth;
import dev.jitney.server.node.NodePages;
import dev.jitney.server.node.NodePort;
import dev.jitney.server.node.NodePortOptions;
import dev.jitney.server.tls.Admittance;
import dev.jitney.server.tls.CertificateWatch;
import dev.jitney.server.tls.ClusterIdentity;
import dev.jitney.server.tls.PortTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One node of a cluster as clients see it: a front, a node port, and terms that a test begins and ends. All nodes of a test
 * share the stores, which stand for the replicated ones.
 */
public final class FrontNode implements AutoCloseable {
    public static final String RULE = "RootManageSharedAccessKey";
    public static final String KEY = ServerOptions.DEFAULT_SAS_KEY;

    /** The addresses of clients that another node passed on to this one. */
    public final List<InetSocketAddress> passedOn = new CopyOnWriteArrayList<>();

    private final TermSettings settings;
    private final List<MessagingStore> stores;
    private final Front front;
    private final NodePort nodePort;
    private @Nullable ServiceTerm term;

    private FrontNode(
            TermSettings settings, List<MessagingStore> stores, Front front, @Nullable ClusterIdentity nodeTls)
            throws Exception {
        this.settings = settings;
        this.stores = stores;
        this.front = front;
        nodePort = NodePort.open(
                NodePortOptions.on("127.0.0.1", 0),
                nodeTls,
                new LinkFaults(),
                new Pages(),
                (request, body) -> body,
                front::gateways);
    }

    /** Opens a node without a leader. */
    public static FrontNode open(JitneyServerBuilder builder, List<MessagingStore> stores) throws Exception {
        return open(builder, stores, options -> options);
    }

    public static FrontNode open(
            JitneyServerBuilder builder, List<MessagingStore> stores, UnaryOperator<FrontOptions> limits)
            throws Exception {
        return open(builder, stores, limits, null);
    }

    /** Opens a node whose connections to other nodes use TLS. */
    public static FrontNode open(
            JitneyServerBuilder builder,
            List<MessagingStore> stores,
            UnaryOperator<FrontOptions> limits,
            @Nullable ClusterIdentity nodeTls)
            throws Exception {
        ServerOptions options = builder.options();
        List<NamespaceSettings> namespaces = options.config().namespaces().stream()
                .map(namespace -> NamespaceSettings.of(namespace, options))
                .toList();
        CertificateWatch watch = new CertificateWatch(Clock.system());
        ClientAdmission clients = ClientAdmission.open();
        PortTls tls = options.tls() == null
                ? null
                : PortTls.open(
                        options.tls(),
                        options.tlsSettings(),
                        java.nio.file.Files.createDirectories(options.dataDir()),
                        namespaces.stream().map(NamespaceSettings::name).toList(),
                        clients.certificates(),
                        watch,
                        Clock.system());
        Admittance admittance = new Admittance(tls, watch, clients);
        TermSettings settings =
                new TermSettings(options, namespaces, new StandardComponents(), admittance, ListenerPlan.NONE, false);
        Front front = Front.open(
                limits.apply(FrontOptions.on(options.host(), options.listeners().all())), nodeTls);
        return new FrontNode(settings, stores, front, nodeTls);
    }

    /** Begins a term on this node. */
    public void lead() throws Exception {
        ServiceTerm begun = ServiceTerm.open(
                settings,
                settings.components()
                        .openBackend(
                                stores,
                                settings.namespaces().stream()
                                        .map(NamespaceSettings::options)
                                        .toList(),
                                ServerComponents.BrokerSettings.of(settings.options()),
                                Clock.system()));
        term = begun;
        front.serve((socket, port) -> {
            note(socket);
            begun.adopt(socket, port);
        });
    }

    private void note(HandedSocket socket) {
        InetSocketAddress client = socket.client();
        if (client != null) {
            passedOn.add(client);
        }
    }

    /** Ends the term as when the node has lost its leadership. */
    public void loseLeadership() {
        ServiceTerm ending = term;
        term = null;
        front.stopServing();
        if (ending != null) {
            ending.abandon("Another node leads the cluster now.");
        }
    }

    /** Passes connections on to that node, or lets them wait. */
    public void follow(@Nullable FrontNode leader) {
        front.follow(leader == null ? null : leader.nodeAddress());
    }

    public void follow(@Nullable InetSocketAddress leader) {
        front.follow(leader);
    }

    public InetSocketAddress nodeAddress() {
        return new InetSocketAddress("127.0.0.1", nodePort.port());
    }

    /** Returns the only port that serves this protocol, or the first one. */
    public int port(String protocol) {
        for (Map.Entry<Integer, List<String>> port :
                new OpenPorts(front.ports()).protocols().entrySet()) {
            if (port.getValue().contains(protocol)) {
                return port.getKey();
            }
        }
        throw new AssertionError("Expected a port for " + protocol + ".");
    }

    public void createQueue(String path) throws Exception {
        ServiceTerm current = term;
        assertThat(current).as("a term").isNotNull();
        current.broker()
                .namespaces()
                .get(0)
                .createQueue(QueueDescription.named(path).build())
                .toCompletableFuture()
                .get();
    }

    /** Returns the counts of an entity. Only while this node leads. */
    public MessageCounts counts(String path) {
        Entity entity = term().broker().namespaces().get(0).entity(path);
        assertThat(entity).as(path).isNotNull();
        return entity.counts();
    }

    public FrontFigures figures() {
        return front.figures();
    }

    public Path dataDir() {
        return settings.options().dataDir();
    }

    public String connectionString() {
        return "Endpoint=sb://localhost:" + port("amqp") + ";SharedAccessKeyName=" + RULE + ";SharedAccessKey=" + KEY
                + ";UseDevelopmentEmulator=true;";
    }

    ServiceTerm term() {
        ServiceTerm current = term;
        assertThat(current).as("a term").isNotNull();
        return current;
    }

    @Override
    public void close() {
        nodePort.close();
        front.close();
        ServiceTerm ending = term;
        term = null;
        if (ending != null) {
            ending.close();
        }
    }

    private final class Pages implements NodePages {
        @Override
        public NodeHealth health() {
            return front.gateways() == null ? NodeHealth.unhealthy("Nobody leads.") : NodeHealth.HEALTHY;
        }

        @Override
        public NodeHealth synced() {
            return health();
        }

        @Override
        public String cluster() {
            return "{}";
        }

        @Override
        public String metrics() {
            return "";
        }

        @Override
        public void lead(String name) {
            throw new IllegalStateException("Tests decide who leads.");
        }

        @Override
        public boolean add(String node) {
            throw new IllegalStateException("Tests decide who is there.");
        }

        @Override
        public void remove(String node) {
            throw new IllegalStateException("Tests decide who is there.");
        }

        @Override
        public String apply(byte[] file) throws IOException {
            throw new IOException("Expected no file.");
        }

        @Override
        public String upgrade() {
            return "";
        }

        @Override
        public String verify(boolean begin) {
            throw new IllegalStateException("The stores are shared.");
        }
    }
}
