package dev.jitney.cluster.node;

import dev.jitney.cluster.StoreReplica;
import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.cluster.member.ClusterSettings;
import dev.jitney.cluster.member.Members;
import dev.jitney.cluster.member.NodeLink;
import dev.jitney.cluster.member.NodeText;
import dev.jitney.cluster.ratis.ConsensusState;
import dev.jitney.cluster.ratis.RatisServer;
import dev.jitney.cluster.verify.CheckReport;
import dev.jitney.cluster.verify.ClusterVerification;
import dev.jitney.cluster.verify.ReplicaCheck;
import dev.jitney.cluster.verify.Verification;
import dev.jitney.runtime.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The part of this node in a comparison of all nodes (CL-85): it computes checksums of its own tables, and compares those of
 * all members while it leads. Any thread may call the methods.
 */
final class NodeVerification implements NodeAnswers.Checks, AutoCloseable {
    private final ClusterSettings settings;
    private final Members members;
    private final NodeLink link;
    private final Clock clock;
    private final Supplier<@Nullable UUID> cluster;
    private final Supplier<@Nullable RatisServer> server;
    private final ReplicaCheck own;
    private final ClusterVerification all = new ClusterVerification(new AllNodes());

    /**
     * @param cluster the id of the cluster, or null if this node belongs to none
     * @param server  the Ratis server, or null if this node takes no part
     */
    NodeVerification(
            ClusterSettings settings,
            Members members,
            List<StoreReplica> replicas,
            NodeLink link,
            Clock clock,
            Supplier<@Nullable UUID> cluster,
            Supplier<@Nullable RatisServer> server) {
        this.settings = settings;
        this.members = members;
        this.link = link;
        this.clock = clock;
        this.cluster = cluster;
        this.server = server;
        own = new ReplicaCheck(
                settings.name(), replicas.stream().map(StoreReplica::store).toList(), System::nanoTime);
    }

    /**
     * Begins a comparison of all nodes, or returns the state of the one that runs.
     *
     * @throws IOException if this node does not lead
     */
    Verification verify() throws IOException {
        RatisServer current = server.get();
        ConsensusState state = current == null ? null : current.state();
        if (state == null || !state.leaderReady()) {
            throw new IOException("Expected the leader, but node " + settings.name() + " does not lead.");
        }
        return all.begin();
    }

    /** Returns the state of the last comparison that this node has begun, or null. */
    @Nullable
    Verification state() {
        return all.state();
    }

    /** Opens the tables of this node for a comparison; called by the thread that applies entries. */
    void mark(UUID id, long index) {
        own.mark(id, index);
    }

    @Override
    public CheckReport begin(UUID id) throws IOException {
        return own.begin(id);
    }

    @Override
    public CheckReport report(UUID id, long index) throws IOException {
        return own.report(id, index, this::applied);
    }

    private long applied() {
        RatisServer current = server.get();
        ConsensusState state = current == null ? null : current.state();
        return state == null ? 0 : state.applied();
    }

    @Override
    public void close() {
        all.close();
        own.close();
    }

    /** The members, with this node as the first one. */
    private final class AllNodes implements ClusterVerification.Cluster {
        @Override
        public List<String> members() {
            List<String> names = new ArrayList<>(List.of(settings.name()));
            members.all().stream()
                    .map(ClusterMember::name)
                    .filter(name -> !names.contains(name))
                    .forEach(names::add);
            return names;
        }

        @Override
        public CheckReport begin(String member, UUID id) throws IOException {
            return member.equals(settings.name()) ? own.begin(id) : ask(member, NodeAnswers.VERIFY, id, 0);
        }

        @Override
        public CheckReport report(String member, UUID id, long index) throws IOException {
            return member.equals(settings.name())
                    ? NodeVerification.this.report(id, index)
                    : ask(member, NodeAnswers.VERIFIED, id, index);
        }

        private CheckReport ask(String name, String request, UUID id, long index) throws IOException {
            UUID shared = cluster.get();
            ClusterMember member = members.named(name);
            if (member == null) {
                throw new IOException("Expected a member of the cluster, but got '" + name + "'.");
            }
            byte[] body = new NodeText()
                    .put("cluster", shared == null ? "" : shared.toString())
                    .put("mark", id.toString())
                    .put("index", "" + index)
                    .bytes();
            CheckReport report = CheckReport.parse(link.ask(member, request, body));
            if (!report.id().equals(id)) {
                throw new IOException("Expected the checksums of mark " + id + ", but got others.");
            }
            return report;
        }

        @Override
        public void mark(UUID id) throws IOException {
            RatisServer current = server.get();
            if (current == null) {
                throw new IOException("Node " + settings.name() + " takes no part in the cluster.");
            }
            current.mark(id, clock.nowMs());
        }
    }
}
