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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes nodes with new identities in, on the leader: one change at a time, in the background (CL-51, CL-55). The new identity
 * takes the place of the one with the same name, in one step, when it has everything.
 */
public final class MemberChanges implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MemberChanges.class);

    /** Longer than Ratis waits for a new member that makes no progress. */
    private static final long CHANGE_TIMEOUT_MS = TimeUnit.HOURS.toMillis(4);

    private final ClusterSettings settings;
    private final AtomicBoolean busy = new AtomicBoolean();
    private final ExecutorService executor;

    public MemberChanges(ClusterSettings settings) {
        this.settings = settings;
        executor = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "cluster-members-" + settings.name());
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Begins to take a node in.
     *
     * @param hello  the node
     * @param server the server of this node, or null if it takes no part
     * @throws IOException if this node does not lead, or the node cannot be taken in now
     */
    public void join(NodeHello hello, @Nullable RatisServer server) throws IOException {
        ConsensusState state = server == null ? null : server.state();
        if (server == null || state == null || !state.leaderReady()) {
            throw new IOException("Node " + settings.name() + " does not lead.");
        }
        ClusterMember place = settings.members().stream()
                .filter(member -> member.name().equals(hello.name()))
                .findFirst()
                .orElseThrow(
                        () -> new IOException("Expected a node of --cluster-nodes, but got '" + hello.name() + "'."));
        if (hello.stores() != settings.stores()) {
            throw new IOException("Expected " + settings.stores() + " stores, but node '" + hello.name() + "' has "
                    + hello.stores() + ".");
        }
        if (state.hasMember(hello.identity())) {
            return;
        }
        List<RaftMember> members = new ArrayList<>();
        for (RaftMember member : state.members()) {
            if (!Membership.nameOf(member.identity()).equals(hello.name())) {
                members.add(member);
            } else {
                requireGone(member, state);
            }
        }
        members.add(new RaftMember(hello.identity(), place.raftAddress()));
        if (!busy.compareAndSet(false, true)) {
            throw new IOException("Another node is being taken in.");
        }
        try {
            executor.execute(() -> change(server, state.members(), members, hello.identity()));
        } catch (RejectedExecutionException e) {
            busy.set(false);
            throw new IOException("Node " + settings.name() + " stops.", e);
        }
    }

    /** Two nodes with one name are a mistake: the one that is a member and answers stays. */
    private void requireGone(RaftMember member, ConsensusState state) throws IOException {
        ConsensusState.Follower follower = state.followers().get(member.identity());
        if (member.identity().equals(state.leader())
                || follower != null && follower.lastContactMs() < 2L * settings.electionMs()) {
            throw new IOException("Expected that node '" + Membership.nameOf(member.identity())
                    + "' is away, but a node of this name takes part. Check --cluster-node.");
        }
    }

    private void change(RatisServer server, List<RaftMember> from, List<RaftMember> to, String identity) {
        try {
            LOG.info("Node {} takes {} into the cluster.", settings.name(), identity);
            server.changeMembers(from, to, CHANGE_TIMEOUT_MS);
            LOG.info("{} is a member of the cluster.", identity);
        } catch (IOException | RuntimeException e) {
            LOG.warn("Could not take {} into the cluster; it repeats its request: {}", identity, e.getMessage());
        } finally {
            busy.set(false);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
