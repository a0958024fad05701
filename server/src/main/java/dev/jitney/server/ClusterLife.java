package dev.jitney.server;

import dev.jitney.cluster.change.DirectoryChange;
import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.cluster.member.ClusterSettings;
import dev.jitney.cluster.member.Membership;
import dev.jitney.cluster.member.NodeLink;
import dev.jitney.cluster.node.ClusterNode;
import dev.jitney.cluster.node.LeaderTerm;
import dev.jitney.cluster.node.LeadershipListener;
import dev.jitney.cluster.node.LevelChange;
import dev.jitney.cluster.node.NodeStatus;
import dev.jitney.cluster.node.Replicas;
import dev.jitney.cluster.verify.Verification;
import dev.jitney.gateway.http.metrics.MetricsAccess;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.server.cluster.ClusterOptions;
import dev.jitney.server.cluster.ClusterOrigin;
import dev.jitney.server.config.Digests;
import dev.jitney.server.front.ClientGateways;
import dev.jitney.server.front.Front;
import dev.jitney.server.front.FrontOptions;
import dev.jitney.server.metrics.ClusterFigures;
import dev.jitney.server.metrics.ClusterMetrics;
import dev.jitney.server.node.ClusterPage;
import dev.jitney.server.node.HttpNodeLink;
import dev.jitney.server.node.LeaderCare;
import dev.jitney.server.node.LinkFaults;
import dev.jitney.server.node.NodeHealth;
import dev.jitney.server.node.NodePages;
import dev.jitney.server.node.NodePort;
import dev.jitney.server.node.NodePortOptions;
import dev.jitney.server.node.NodeReasons;
import dev.jitney.server.node.SharedSettings;
import dev.jitney.server.node.VerifyPage;
import dev.jitney.server.node.Warmth;
import dev.jitney.server.tls.ClusterCertificates;
import dev.jitney.server.tls.ClusterIdentity;
import dev.jitney.server.tls.TlsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of a node of a cluster: the client ports and the node port are open from start to end, and there is a {@link
 * ServiceTerm} for each leadership of this node (CL-11).
 *
 * <table>
 * <caption>The order of opening; closing is the other way round</caption>
 * <tr><th>part</th><th>then</th></tr>
 * <tr><td>front, on the client ports</td><td>connections wait for a leader (CL-21)</td></tr>
 * <tr><td>node port</td><td>other nodes can pass connections on to this one, and read its state</td></tr>
 * <tr><td>copies of the stores and Ratis</td><td>the node takes part in elections</td></tr>
 * <tr><td>for each term in which this node leads: broker and gateways</td><td>clients are served</td></tr>
 * </table>
 *
 * <p>One thread of the cluster announces changes of leadership, one at a time.
 */
final class ClusterLife implements ServerLife, LeadershipListener {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterLife.class);

    private static final String ANY_HOST = "0.0.0.0";

    private final TermSettings settings;
    private final ClusterOptions cluster;
    private final Path dataDir;
    private final Clock clock;
    /** The actions that close the open parts, the latest on top. */
    private final Deque<Runnable> open = new ArrayDeque<>();

    private final LinkFaults faults = new LinkFaults();
    private volatile @Nullable ClusterIdentity tls;
    private final Warmth warmth;
    private volatile @Nullable Front front;
    private volatile @Nullable ClusterNode node;
    private volatile @Nullable ServiceTerm term;
    /** The term in which this node leads, whether or not its broker is open. */
    private volatile @Nullable LeaderTerm current;
    /** The reason why the broker of the current term could not be opened, or null. */
    private volatile @Nullable String openingFault;
    /** Serializes the openings and the end of a term. */
    private final Object terms = new Object();

    private volatile @Nullable ClusterMember leader;
    private volatile boolean closing;

    /** @param dataDir the data directory, which this process holds */
    ClusterLife(TermSettings settings, ClusterOptions cluster, Path dataDir, Clock clock) {
        this.settings = settings;
        this.cluster = cluster;
        this.dataDir = dataDir;
        this.clock = clock;
        warmth = new Warmth(settings.options().stores().stores(), this::rehearse);
    }

    @Override
    public void start(LifecycleLog log) throws StartException {
        try {
            ClusterMember self = cluster.self();
            if (self == null) {
                throw new IllegalStateException("Expected checked options.");
            }
            ClusterIdentity own = identity(self);
            tls = own;
            openFront();
            openNodePort(self);
            ServerOptions options = settings.options();
            Path raft = cluster.raftDir() == null ? dataDir : cluster.raftDir();
            ClusterSettings members = new ClusterSettings(
                    cluster.members(),
                    cluster.node(),
                    raft,
                    options.stores().stores(),
                    cluster.electionMs(),
                    cluster.logBytesMax(),
                    facts(),
                    own == null ? null : own.raft(),
                    settings.components().levels());
            HttpNodeLink link = new HttpNodeLink(own, faults);
            changeDirectory(members, link);
            Replicas replicas = settings.components().replicas(dataDir, options.stores());
            ClusterNode started = ClusterNode.start(members, replicas, link, clock, this);
            node = started;
            open.push(started::close);
            LeaderCare care = new LeaderCare(new Leadership());
            care.start(cluster.node());
            open.push(care::close);
            warmth.start(cluster.node());
            open.push(warmth::close);
            log.recovered();
            NodeStatus.Role role = started.status().role();
            boolean stopped = role == NodeStatus.Role.STOPPED || role == NodeStatus.Role.WAITING;
            LOG.atInfo()
                    .addKeyValue("node", cluster.node())
                    .addKeyValue("nodes", cluster.members().size())
                    .addKeyValue("nodePort", self.nodePort())
                    .log(stopped ? "Node takes no part in the cluster yet" : "Node takes part in the cluster");
        } catch (StoreException e) {
            close();
            throw StartException.fault("--data-dir " + dataDir + ": " + e.getMessage(), e);
        } catch (IOException e) {
            close();
            throw StartException.fault(
                    "--cluster-nodes: Node '" + cluster.node() + "' cannot start: " + e.getMessage(), e);
        } catch (StartException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Makes the change of the data directory that the options ask for, or the rest of one that was interrupted. */
    private void changeDirectory(ClusterSettings members, NodeLink link)
            throws StartException, IOException, StoreException {
        ClusterOrigin origin = cluster.origin();
        DirectoryChange change = new DirectoryChange(
                members.directory(),
                settings.components().kinds(dataDir, settings.options().stores()),
                clock);
        UUID abandon = origin.abandon();
        if (abandon != null && !change.abandonOthers(members, abandon, link)) {
            LOG.info(
                    "--cluster-abandon-others {} has no effect: it was completed at an earlier start, or this node joins a cluster.",
                    abandon);
        }
        boolean interrupted = change.interrupted() == Membership.Change.FOUNDING;
        if ((origin.found() || interrupted) && !change.found(members, link)) {
            LOG.info("--cluster-found has no effect: this node belongs to a cluster already.");
        }
    }

    private @Nullable ClusterIdentity identity(ClusterMember self) throws StartException {
        ClusterCertificates certificates = cluster.tls();
        if (certificates == null) {
            return null;
        }
        try {
            ClusterIdentity read = certificates.ofNode(self.host(), clock.nowMs());
            String ending = NodeReasons.ending(read.expiry(), cluster.node(), clock.nowMs());
            if (ending != null) {
                LOG.warn("--cluster-tls {}: {}", certificates, ending);
            }
            settings.admittance().watch().add(certificates.watched(read, self.host(), clock.nowMs()));
            return read;
        } catch (TlsException e) {
            throw StartException.badOption("--cluster-tls " + certificates + ": " + e.getMessage(), e);
        }
    }

    private ClusterSettings.Facts facts() {
        ServerOptions options = settings.options();
        return new ClusterSettings.Facts(
                BuildInfo.version(),
                SharedSettings.digests(
                        settings.namespaces().stream()
                                .map(NamespaceSettings::options)
                                .toList(),
                        cluster.electionMs(),
                        options.stores().stores(),
                        options.config().digest(),
                        options.sasKey(),
                        cluster.tls() != null,
                        options.secrets().seal().currentId()));
    }

    private void openFront() throws StartException {
        ServerOptions options = settings.options();
        ClusterIdentity own = tls;
        try {
            Front opened = Front.open(
                    FrontOptions.on(options.host(), options.listeners().all()),
                    own,
                    settings.admittance().clients().addresses());
            front = opened;
            open.push(opened::close);
        } catch (IOException e) {
            throw StartException.cannotListen("--port", options.host(), e);
        }
    }

    private void openNodePort(ClusterMember self) throws StartException {
        String own = self.listenHost(cluster.members());
        String bound = own == null ? ANY_HOST : unbracketed(own);
        try {
            Pages pages = new Pages();
            open.push(pages.metrics::close);
            boolean openMetrics = settings.options().metrics().access() == MetricsAccess.OPEN;
            NodePort port = NodePort.open(
                    NodePortOptions.on(bound, self.nodePort()).withOpenMetrics(openMetrics),
                    tls,
                    faults,
                    pages,
                    this::answer,
                    this::gateways);
            open.push(port::close);
        } catch (IOException e) {
            throw StartException.fault(
                    "--cluster-nodes: Cannot listen on node port " + bound + ":" + self.nodePort() + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private byte[] answer(String request, byte[] body) throws IOException {
        ClusterNode started = node;
        if (started == null) {
            throw new IOException("The node starts. Try again later.");
        }
        return started.answer(request, body);
    }

    private @Nullable ClusterFigures figures() {
        ClusterNode started = node;
        Front ports = front;
        return started == null
                ? null
                : new ClusterFigures(
                        started.status(),
                        started.figures(),
                        ports == null ? null : ports.figures(),
                        started.peers().get(0),
                        reasons().stream().map(NodeReasons.Reason::kind).collect(Collectors.toSet()));
    }

    private @Nullable ClientGateways gateways() {
        Front ports = front;
        return ports == null ? null : ports.gateways();
    }

    /** Opens a broker and its gateways as a leader does, over other stores, without ports and without the configuration. */
    private Warmth.Opened rehearse(List<MessagingStore> stores) throws StartException {
        BrokerBackend backend = settings.components()
                .openBackend(
                        stores,
                        settings.namespaces().stream()
                                .map(NamespaceSettings::options)
                                .toList(),
                        ServerComponents.BrokerSettings.of(settings.options()),
                        clock);
        ServiceTerm opened = ServiceTerm.rehearse(settings, backend);
        return new Warmth.Opened(opened.broker(), opened::close);
    }

    // Leadership

    @Override
    public void leads(LeaderTerm leading) {
        warmth.stop();
        synchronized (terms) {
            current = leading;
            open(leading);
        }
        String fault = openingFault;
        if (fault != null) {
            letAnotherNodeLead(leading.term(), fault);
        }
    }

    private void open(LeaderTerm leading) {
        if (closing) {
            return;
        }
        openingFault = null;
        long startNanos = System.nanoTime();
        try {
            BrokerBackend backend = settings.components()
                    .openBackend(
                            leading.stores(),
                            onceApplied(),
                            ServerComponents.BrokerSettings.of(settings.options()),
                            leading.clock());
            ServiceTerm opened = ServiceTerm.open(settings, backend, this::figures, leading.firstLevel());
            term = opened;
            Front ports = front;
            if (ports != null) {
                ports.serve(opened::adopt);
            }
            leader = cluster.self();
            LOG.atInfo()
                    .addKeyValue("node", cluster.node())
                    .addKeyValue("term", leading.term())
                    .addKeyValue("openSeconds", seconds(System.nanoTime() - startNanos))
                    .addKeyValue("withoutLeaderSeconds", secondsWithoutLeader())
                    .log("This node leads and serves clients");
        } catch (StartException | RuntimeException e) {
            openingFault = "The broker cannot open: " + e.getMessage();
            LOG.error(
                    "Node {} cannot serve clients in term {}. Another node leads if one can; otherwise this one tries"
                            + " again.",
                    cluster.node(),
                    leading.term(),
                    e);
        }
    }

    private boolean letAnotherNodeLead(long ending, String cause) {
        ClusterNode started = node;
        return started != null && !closing && started.yieldLeadership(ending, cause);
    }

    /** The leadership of this node, for {@link LeaderCare}. */
    private final class Leadership implements LeaderCare.Leader {
        @Override
        public long term() {
            LeaderTerm leading = current;
            return leading == null ? 0 : leading.term();
        }

        @Override
        public @Nullable String fault() {
            ServiceTerm served = term;
            return served == null
                    ? openingFault
                    : LeaderCare.fault(served.broker().shards());
        }

        @Override
        public boolean isOpeningDue() {
            return openingFault != null;
        }

        @Override
        public void open() {
            synchronized (terms) {
                LeaderTerm leading = current;
                if (leading != null && openingFault != null) {
                    ClusterLife.this.open(leading);
                }
            }
        }

        @Override
        public boolean letAnotherLead(long ending, String cause) {
            return letAnotherNodeLead(ending, cause);
        }
    }

    /** Returns the options of the namespaces, whose configuration is applied only once (CL-32). */
    private List<NamespaceOptions> onceApplied() {
        ServerOptions options = settings.options();
        String key = options.sasKey() == null ? "" : options.sasKey();
        String content = options.config().digest() + '\n' + key;
        String fingerprint = Digests.sha256(content.getBytes(StandardCharsets.UTF_8));
        return settings.namespaces().stream()
                .map(namespace -> namespace.options().appliedOnce(fingerprint))
                .toList();
    }

    @Override
    public void leadsNoMore(long ended, String reason) {
        ServiceTerm last;
        synchronized (terms) {
            current = null;
            openingFault = null;
            last = term;
            term = null;
        }
        leader = null;
        Front ports = front;
        if (ports != null) {
            ports.stopServing();
        }
        if (last != null) {
            last.abandon(reason);
            LOG.atInfo()
                    .addKeyValue("node", cluster.node())
                    .addKeyValue("term", ended)
                    .addKeyValue("reason", reason)
                    .log("This node leads no more");
        }
    }

    @Override
    public void follows(@Nullable ClusterMember other) {
        Front ports = front;
        if (ports != null) {
            ports.follow(other == null ? null : new InetSocketAddress(unbracketed(other.host()), other.nodePort()));
        }
        if (other == null) {
            if (leader != null) {
                LOG.atInfo().addKeyValue("node", cluster.node()).log("No node leads");
            }
        } else {
            LOG.atInfo()
                    .addKeyValue("node", cluster.node())
                    .addKeyValue("leader", other.name())
                    .addKeyValue("term", currentTerm())
                    .addKeyValue("withoutLeaderSeconds", secondsWithoutLeader())
                    .log("This node follows");
        }
        leader = other;
    }

    private static String unbracketed(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** Returns the time since the last contact with the leader before, which had ended then or later (CL-83). */
    private String secondsWithoutLeader() {
        ClusterNode started = node;
        return started == null ? "unknown" : seconds(System.nanoTime() - started.leaderlessSinceNanos());
    }

    private long currentTerm() {
        ClusterNode started = node;
        return started == null ? 0 : started.status().term();
    }

    private static String seconds(long ns) {
        return String.format(Locale.ROOT, "%.2f", ns / 1e9);
    }

    // State

    /** Returns whether the nodes use TLS or loopback addresses only (CL-70). */
    private boolean isProtected() {
        return tls != null
                || cluster.members().stream().allMatch(member -> Hosts.isLoopback(unbracketed(member.host())));
    }

    /** Returns the reasons for which the cluster needs attention. */
    private List<NodeReasons.Reason> reasons() {
        List<NodeReasons.Reason> reasons = new ArrayList<>();
        ClusterNode started = node;
        if (started != null) {
            reasons.addAll(NodeReasons.of(started.status(), started.peers(), isProtected()));
        }
        faults.current().forEach(fault -> reasons.add(new NodeReasons.Reason(NodeReasons.Kind.CERTIFICATE, fault)));
        ClusterIdentity own = tls;
        String ending = own == null ? null : NodeReasons.ending(own.expiry(), cluster.node(), clock.nowMs());
        if (ending != null) {
            reasons.add(new NodeReasons.Reason(NodeReasons.Kind.CERTIFICATE, ending));
        }
        settings.admittance()
                .troubles()
                .forEach(trouble -> reasons.add(new NodeReasons.Reason(NodeReasons.Kind.CERTIFICATE, trouble)));
        return reasons;
    }

    /** The content of the node port. */
    private final class Pages implements NodePages {
        private final ClusterMetrics metrics =
                new ClusterMetrics(ClusterLife.this::figures, () -> trouble() == null, BuildInfo.version());

        @Override
        public String metrics() throws IOException {
            ServiceTerm serving = term;
            String whole = serving == null ? null : serving.metricsPage();
            return whole == null ? metrics.page() : whole;
        }

        @Override
        public NodeHealth health() {
            String trouble = trouble();
            ServiceTerm serving = term;
            boolean serves = serving != null && serving.servesSomeStore();
            if (trouble != null && !serves) {
                List<String> reasons = new ArrayList<>(List.of(trouble));
                reasons.addAll(faults.current());
                return new NodeHealth(NodeHealth.Status.UNHEALTHY, reasons);
            }
            return NodeHealth.of(
                    trouble,
                    serves,
                    reasons().stream().map(NodeReasons.Reason::text).toList());
        }

        @Override
        public NodeHealth synced() {
            NodeHealth health = health();
            ClusterNode started = node;
            String outOfSync = started == null ? null : started.outOfSync();
            return outOfSync == null || health.status() == NodeHealth.Status.UNHEALTHY
                    ? health
                    : NodeHealth.unhealthy(outOfSync);
        }

        @Override
        public String cluster() {
            ClusterNode started = node;
            return started == null
                    ? "{}"
                    : ClusterPage.of(
                            started.clusterId(),
                            started.status(),
                            started.lastEntry(),
                            started.peers(),
                            started.members(),
                            health(),
                            BuildInfo.version());
        }

        @Override
        public void lead(String name) throws IOException {
            running().transferLeadership(name);
        }

        @Override
        public boolean add(String added) throws IOException {
            List<ClusterMember> parsed;
            try {
                parsed = ClusterMember.parse(added);
            } catch (IllegalArgumentException e) {
                throw new IOException(e.getMessage(), e);
            }
            if (parsed.size() != 1) {
                throw new IOException("Expected one node as NAME=HOST:PORT, but got " + parsed.size() + ".");
            }
            return running().add(parsed.get(0));
        }

        @Override
        public void remove(String name) throws IOException {
            running().remove(name);
        }

        @Override
        public String apply(byte[] file) throws IOException {
            try {
                return leading().apply(file);
            } catch (StartException e) {
                throw new IOException(e.getMessage(), e);
            }
        }

        private ClusterNode running() throws IOException {
            ClusterNode started = node;
            if (started == null) {
                throw new IOException("The node starts. Try again later.");
            }
            return started;
        }

        @Override
        public String upgrade() throws IOException {
            LevelChange change = running().upgrade(level -> {
                try {
                    leading().raiseLevel(level);
                } catch (StartException e) {
                    throw new IOException(e.getMessage(), e);
                }
            });
            return change.after() > change.before()
                    ? "The cluster had level " + change.before() + " and has level " + change.after()
                            + " now. No node can go back to a release without this level."
                    : "All nodes answer, and level " + change.before()
                            + " is the highest that all of them support. The cluster has this level already.";
        }

        private ServiceTerm leading() throws IOException {
            ServiceTerm serving = term;
            if (serving == null) {
                throw new IOException("Node " + cluster.node() + " does not lead.");
            }
            return serving;
        }

        @Override
        public String verify(boolean begin) throws IOException {
            ClusterNode started = running();
            Verification state = begin ? started.verify() : started.verification();
            if (state == null) {
                throw new IOException("Node " + cluster.node() + " compares no nodes.");
            }
            return VerifyPage.of(state);
        }
    }

    @Override
    public OpenPorts ports() {
        Front ports = front;
        return ports == null ? OpenPorts.NONE : new OpenPorts(ports.ports());
    }

    @Override
    public @Nullable ServiceTerm term() {
        return term;
    }

    /** {@inheritDoc} A node that follows serves its clients through the leader (CL-80). */
    @Override
    public @Nullable String trouble() {
        ServiceTerm current = term;
        if (current != null) {
            return current.trouble();
        }
        ClusterNode started = node;
        if (started == null) {
            return "The server is not started.";
        }
        NodeStatus status = started.status();
        if (status.role() == NodeStatus.Role.STOPPED || status.role() == NodeStatus.Role.WAITING) {
            return "Node " + cluster.node() + " takes no part in the cluster: " + status.remark();
        }
        ClusterMember followed = leader;
        if (followed == null) {
            return NodeReasons.leaderless(
                    status,
                    cluster.members().size(),
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started.leaderlessSinceNanos()),
                    started.peers());
        }
        Front ports = front;
        return ports == null ? null : NodeReasons.refused(cluster.node(), followed.name(), ports.refusedMs());
    }

    /** Ends in an orderly way: completes what is in progress, passes leadership on, and closes the ports (CL-15). */
    @Override
    public void close() {
        closing = true;
        Front ports = front;
        if (ports != null) {
            ports.stopServing();
        }
        ServiceTerm last;
        synchronized (terms) {
            current = null;
            openingFault = null;
            last = term;
            term = null;
        }
        if (last != null) {
            last.close();
        }
        for (Runnable latest = open.poll(); latest != null; latest = open.poll()) {
            try {
                latest.run();
            } catch (RuntimeException e) {
                LOG.warn("A part of the node failed to close.", e);
            }
        }
    }
}
