package dev.jitney.cluster.member;

import dev.jitney.cluster.ratis.ConsensusState;
import dev.jitney.cluster.ratis.RaftMember;
import dev.jitney.cluster.ratis.RatisServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the members, on the leader: one change at a time (CL-55). A new identity gets everything first, in the background, and
 * becomes a member in one step. If a member has its name, the new identity takes the place of that one (CL-51).
 *
 * <p>Any thread may call the methods.
 */
public final class MemberChanges implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MemberChanges.class);

    /** Longer than Ratis waits for a new member that makes no progress. */
    private static final long CHANGE_TIMEOUT_MS = TimeUnit.HOURS.toMillis(4);

    private static final int REMOVAL_ELECTIONS = 20;

    /** The time that an order of an operator waits for the end of another change, which is often nearly complete. */
    private static final long WAIT_MS = 5_000;

    private final ClusterSettings settings;
    private final Members members;
    private final NodeLink link;
    private final Supplier<NodeHello> self;
    /** One permit: one change at a time. */
    private final Semaphore free = new Semaphore(1);

    /** The identity that is being taken in, or empty. */
    private volatile String coming = "";

    private final ExecutorService executor;

    /** @param self returns the introduction of this node */
    public MemberChanges(ClusterSettings settings, Members members, NodeLink link, Supplier<NodeHello> self) {
        this.settings = settings;
        this.members = members;
        this.link = link;
        this.self = self;
        executor = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "cluster-members-" + settings.name());
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Begins to take a node in that requests it: a node of the settings, the new identity of a member, or a node that an operator
     * is adding.
     *
     * @param hello  the node
     * @param server the server of this node, or null if it takes no part
     * @throws IOException if this node does not lead, or the node cannot be taken in now
     */
    public void join(NodeHello hello, @Nullable RatisServer server) throws IOException {
        if (server == null) {
            throw notLeading();
        }
        ConsensusState state = leading(server);
        ClusterMember place = members.named(hello.name());
        if (place == null) {
            throw new IOException("Expected a member of the cluster or a node of --cluster-nodes of its leader '"
                    + settings.name() + "', but got '" + hello.name() + "'. To add the node: jitney cluster add "
                    + hello.name() + "=HOST:PORT");
        }
        boolean isNew = !hello.identity().equals(coming) && !state.hasMember(hello.identity());
        if (isNew && state.members().stream().anyMatch(member -> isNamed(member, hello.name()))) {
            requireAt(place, hello);
        }
        begin(place, hello, server, 0);
    }

    private static boolean isNamed(RaftMember member, String name) {
        return Membership.nameOf(member.identity()).equals(name);
    }

    /**
     * A node that takes the place of a lost one may have another address, which its request does not contain. The leader would wait for it
     * at the old address, and other changes would wait too.
     */
    private void requireAt(ClusterMember place, NodeHello hello) throws IOException {
        String found = "";
        try {
            found = NodeHello.parse(link.ask(place, NodeLink.HELLO, self.get().bytes()))
                    .identity();
        } catch (IOException e) {
            LOG.debug("No node answers at the address of {}", place.name(), e);
        }
        if (!found.equals(hello.identity())) {
            throw new IOException("Expected node '" + hello.name() + "' at " + place.host() + ":" + place.nodePort()
                    + ", but " + (found.isEmpty() ? "no node" : "another node")
                    + " answers there. If it has another address now: jitney cluster add " + hello.name()
                    + "=HOST:PORT");
        }
    }

    /**
     * Begins to add a node (CL-55). Until it is a member, it may repeat its own requests to join.
     *
     * @param node   the node; it runs already, and has found this cluster
     * @param server the server of this node, or null if it takes no part
     * @return false if the node is a member already
     * @throws IOException if this node does not lead, or the node cannot be added
     */
    public boolean add(ClusterMember node, @Nullable RatisServer server) throws IOException {
        if (server == null) {
            throw notLeading();
        }
        ConsensusState state = leading(server);
        NodeHello hello = introduction(node);
        for (RaftMember member : state.members()) {
            if (member.identity().equals(hello.identity())) {
                if (member.address().equals(node.raftAddress())) {
                    return false;
                }
                throw new IOException(
                        "Expected another node than '" + node.name() + "', which is a member at " + member.address()
                                + ". To change its address, remove it, empty its data directory, and add it.");
            }
        }
        boolean replaces = state.members().stream().anyMatch(member -> isNamed(member, node.name()));
        if (!replaces && state.members().size() >= ClusterMember.MEMBERS_MAX) {
            throw new IOException("Expected at most " + ClusterMember.MEMBERS_MAX + " members, and there are "
                    + state.members().size() + ". Remove one first.");
        }
        begin(node, hello, server, WAIT_MS);
        return true;
    }

    private NodeHello introduction(ClusterMember node) throws IOException {
        NodeHello own = self.get();
        NodeHello hello;
        try {
            hello = NodeHello.parse(link.ask(node, NodeLink.HELLO, own.bytes()));
        } catch (IOException e) {
            throw new IOException(
                    "Node '" + node.name() + "' does not answer at " + node.host() + ":" + node.nodePort() + " ("
                            + e.getMessage()
                            + "). Start it with --cluster-nodes that names it and a node of this cluster, and try again.",
                    e);
        }
        if (!hello.name().equals(node.name())) {
            throw new IOException("Expected node '" + node.name() + "' at " + node.host() + ":" + node.nodePort()
                    + ", but '" + hello.name() + "' answers there.");
        }
        requireLevel(own, hello);
        if (!own.isOfSameCluster(hello)) {
            throw new IOException("Node '" + node.name()
                    + "' has not found this cluster yet. Start it with --cluster-nodes that names it and a node of this"
                    + " cluster, and try again.");
        }
        return hello;
    }

    private ConsensusState leading(RatisServer server) throws IOException {
        ConsensusState state = server.state();
        if (state == null || !state.leaderReady()) {
            throw notLeading();
        }
        return state;
    }

    private IOException notLeading() {
        return new IOException("Node " + settings.name() + " does not lead.");
    }

    /** A node that does not know the level could not read the data (CL-61). */
    private static void requireLevel(NodeHello own, NodeHello hello) throws IOException {
        String refusal = hello.condition()
                .levels()
                .supported()
                .refusal(
                        own.condition().levels().current(),
                        own.condition().facts().release());
        if (refusal != null) {
            throw new IOException("Node '" + hello.name() + "' cannot join. " + refusal);
        }
    }

    private void begin(ClusterMember place, NodeHello hello, RatisServer server, long waitMs) throws IOException {
        requireLevel(self.get(), hello);
        if (hello.stores() != settings.stores()) {
            throw new IOException("Expected " + settings.stores() + " stores, but node '" + hello.name() + "' has "
                    + hello.stores() + ". Start it with the same number of stores.");
        }
        if (hello.identity().equals(coming)) {
            return; // it repeats its request
        }
        occupy(waitMs);
        boolean begun = false;
        try {
            ConsensusState state = leading(server);
            if (!state.hasMember(hello.identity())) {
                List<RaftMember> next = with(hello, place, state);
                members.expect(place);
                coming = hello.identity();
                executor.execute(() -> change(server, state.members(), next, hello.identity()));
                begun = true;
            }
        } catch (RejectedExecutionException e) {
            throw new IOException("Node " + settings.name() + " stops.", e);
        } finally {
            if (!begun) {
                coming = "";
                free.release();
            }
        }
    }

    private List<RaftMember> with(NodeHello hello, ClusterMember place, ConsensusState state) throws IOException {
        List<RaftMember> next = new ArrayList<>();
        for (RaftMember member : state.members()) {
            if (!Membership.nameOf(member.identity()).equals(hello.name())) {
                next.add(member);
            } else {
                requireGone(member, state);
            }
        }
        next.add(new RaftMember(hello.identity(), place.raftAddress(), place.nodePort()));
        return next;
    }

    /** @param waitMs the time to wait for the end of another change */
    private void occupy(long waitMs) throws IOException {
        try {
            if (!free.tryAcquire(waitMs, TimeUnit.MILLISECONDS)) {
                throw new IOException("Another change of the members is in progress. Try again when it is complete.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while another change of the members was in progress.", e);
        }
    }

    /** Two nodes with one name are a mistake: the one that is a member and answers stays. */
    private void requireGone(RaftMember member, ConsensusState state) throws IOException {
        if (answers(member, state)) {
            throw new IOException("Expected that node '" + Membership.nameOf(member.identity())
                    + "' is away, but a node of this name takes part. Check --cluster-node.");
        }
    }

    private boolean answers(RaftMember member, ConsensusState state) {
        ConsensusState.Follower follower = state.followers().get(member.identity());
        return member.identity().equals(state.leader())
                || follower != null && follower.lastContactMs() < 2L * settings.electionMs();
    }

    private void change(RatisServer server, List<RaftMember> from, List<RaftMember> to, String identity) {
        try {
            LOG.info("Node {} takes {} into the cluster.", settings.name(), identity);
            server.changeMembers(from, to, CHANGE_TIMEOUT_MS);
            LOG.info("{} is a member of the cluster.", identity);
            members.expect(null);
        } catch (IOException | RuntimeException e) {
            LOG.warn("Could not take {} into the cluster; it repeats its request: {}", identity, e.getMessage());
        } finally {
            coming = "";
            free.release();
        }
    }

    /** A change that must not happen together with one of the members. */
    @FunctionalInterface
    public interface Change<T> {
        T make() throws IOException;
    }

    /**
     * Makes a change while the members stay the same.
     *
     * @throws IOException if another change is in progress for longer than 5 s, or the change fails
     */
    public <T> T withoutOthers(Change<T> change) throws IOException {
        occupy(WAIT_MS);
        try {
            return change.make();
        } finally {
            free.release();
        }
    }

    /**
     * Removes a member (CL-52, CL-55). Returns when the others have agreed on it. A node that an operator has added and that never
     * became a member is not expected any more.
     *
     * @param name   the name of the member, or of the expected node
     * @param server the server of this node, or null if it takes no part
     * @throws IOException if this node does not lead or would remove itself, if there is no such member, or if the others could not
     *     agree on anything without it
     */
    public void remove(String name, @Nullable RatisServer server) throws IOException {
        if (server == null) {
            throw notLeading();
        }
        leading(server);
        if (members.isExpected(name)) {
            cancelAddition(name);
            return;
        }
        if (name.equals(settings.name())) {
            throw new IOException("Expected a node that does not lead, but '" + name
                    + "' leads. First make another node the leader.");
        }
        occupy(WAIT_MS);
        try {
            ConsensusState state = leading(server);
            List<RaftMember> next = without(name, state);
            members.expect(null);
            server.changeMembers(state.members(), next, (long) REMOVAL_ELECTIONS * settings.electionMs());
            LOG.info("Node {} is no member of the cluster any more.", name);
        } finally {
            free.release();
        }
    }

    private void cancelAddition(String name) throws IOException {
        if (coming.startsWith(name + ".")) {
            throw new IOException("The addition of node '" + name
                    + "' is in progress. Stop the node: the addition then ends within five minutes, or with 'jitney cluster lead NODE'"
                    + " at once. Then try again.");
        }
        members.expect(null);
        LOG.info("Node {} is not added to the cluster any more.", name);
    }

    private List<RaftMember> without(String name, ConsensusState state) throws IOException {
        List<RaftMember> next = state.members().stream()
                .filter(member -> !Membership.nameOf(member.identity()).equals(name))
                .toList();
        if (next.size() == state.members().size()) {
            throw new IOException("Expected a member of the cluster, but got '" + name + "'. The members are "
                    + String.join(
                            ", ",
                            next.stream()
                                    .map(member -> Membership.nameOf(member.identity()))
                                    .toList())
                    + ".");
        }
        long answering = next.stream().filter(member -> answers(member, state)).count();
        if (2 * answering <= next.size()) {
            throw new IOException("Without node '" + name + "', only " + answering + " of " + next.size()
                    + " members would answer, and the cluster could not serve clients. Start the others first.");
        }
        return next;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
