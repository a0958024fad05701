package dev.jitney.cluster.member;

import dev.jitney.cluster.ratis.ConsensusState;
import dev.jitney.cluster.ratis.RaftMember;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of this node into its cluster, and out of it: it founds or joins one (CL-51), notes that it is a member, and notices
 * that it was taken out (CL-52).
 *
 * <p>One thread calls the methods; any thread may read {@link #membership} and {@link #waiting}.
 */
public final class Joining {
    private static final Logger LOG = LoggerFactory.getLogger(Joining.class);
    private static final long LEADER_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final String NOT_LEADING = "does not lead";
    private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final ClusterSettings settings;
    private final Members members;
    private final NodeLink link;
    private final Supplier<NodeHello> self;
    private final Founding founding;
    private volatile Membership membership;

    /** The condition that the node waits for before it takes part. */
    private volatile String waiting = "It has not reached the other nodes yet.";

    private long askedNanos = System.nanoTime() - ASK_NANOS;

    /**
     * @param membership the part of this node as its directory has it
     * @param members    receives the members, as the log has them
     * @param self       returns the introduction of this node
     */
    public Joining(
            ClusterSettings settings, Membership membership, Members members, NodeLink link, Supplier<NodeHello> self) {
        this.settings = settings;
        this.members = members;
        this.membership = membership;
        this.link = link;
        this.self = self;
        founding = new Founding(settings, link, self);
    }

    public Membership membership() {
        return membership;
    }

    /** Returns a sentence about the condition that the node waits for before it is a member. */
    public String waiting() {
        return waiting;
    }

    /**
     * Tries to find a cluster for a node that belongs to none.
     *
     * @return whether the node belongs to one now; its directory has it
     */
    public boolean find() throws IOException {
        if (!isTimeToAsk()) {
            return false;
        }
        Founding.Outcome outcome = founding.attempt(membership);
        Membership found = outcome.membership();
        if (found == null) {
            if (!outcome.waiting().equals(waiting)) {
                LOG.info("Node {} takes no part in a cluster yet. {}", settings.name(), outcome.waiting());
            }
            waiting = outcome.waiting();
            return false;
        }
        found.write(settings.directory());
        members.agreed(found.known());
        membership = found;
        return true;
    }

    private boolean isTimeToAsk() {
        long now = System.nanoTime();
        if (now - askedNanos < ASK_NANOS) {
            return false;
        }
        askedNanos = now;
        return true;
    }

    /** Sends requests to join to the leader, until this identity is a member. */
    public void join(ConsensusState state) {
        noteMembers(state.members());
        Membership own = membership;
        boolean member = state.hasMember(own.identity());
        if (member && !own.joined()) {
            try {
                own.asMember().write(settings.directory());
                membership = own.asMember();
                LOG.info("Node {} is a member of cluster {} as {}.", settings.name(), own.cluster(), own.identity());
            } catch (IOException e) {
                LOG.warn("Could not write {}; the next attempt follows: {}", Membership.FILE, e.getMessage());
            }
        }
        if (member || own.joined() || !isTimeToAsk()) {
            return;
        }
        String leaderless = "";
        for (ClusterMember other : members.toAsk()) {
            try {
                link.ask(other, NodeLink.JOIN, self.get().bytes());
                waiting = "It gets everything that it lacks from " + other.name() + ".";
                return;
            } catch (IOException e) {
                String reason = String.valueOf(e.getMessage());
                // The reason of the leader is the one that helps.
                leaderless = leaderless.isEmpty() || leaderless.contains(NOT_LEADING) ? reason : leaderless;
            }
        }
        waiting = "It waits for a leader that takes it in: " + leaderless;
    }

    /** Notes the members, as the log has them, for the next start (CL-50). */
    private void noteMembers(List<RaftMember> now) {
        members.agreed(now);
        Membership known = membership.knowing(now);
        if (now.isEmpty() || known.equals(membership)) {
            return;
        }
        try {
            known.write(settings.directory());
            membership = known;
        } catch (IOException e) {
            LOG.warn("Could not write {}; the next attempt follows: {}", Membership.FILE, e.getMessage());
        }
    }

    /**
     * Returns the answer of the leader, or null if no other node answers within two seconds that it leads. Call it before this node
     * takes part: then the entries that the leader knows are of an earlier start (CL-50).
     */
    @Nullable
    public NodeHello leader() {
        byte[] own = self.get().bytes();
        List<CompletableFuture<Optional<NodeHello>>> asked = members.toAsk().stream()
                .map(other -> CompletableFuture.supplyAsync(() -> hello(other, own), this::execute))
                .toList();
        long end = System.nanoTime() + LEADER_NANOS;
        NodeHello leader = null;
        for (CompletableFuture<Optional<NodeHello>> each : asked) {
            NodeHello answer = answer(each, Math.max(0, end - System.nanoTime()));
            if (answer != null
                    && answer.leads()
                    && Objects.equals(answer.cluster(), membership.cluster())
                    && (leader == null || leader.term() < answer.term())) {
                leader = answer;
            }
        }
        return leader;
    }

    private void execute(Runnable task) {
        Thread thread = new Thread(task, "cluster-leader-" + settings.name());
        thread.setDaemon(true);
        thread.start();
    }

    private Optional<NodeHello> hello(ClusterMember other, byte[] own) {
        try {
            return Optional.of(NodeHello.parse(link.ask(other, NodeLink.HELLO, own)));
        } catch (IOException | RuntimeException e) {
            LOG.debug("{} does not answer.", other.name(), e);
            return Optional.empty();
        }
    }

    private static @Nullable NodeHello answer(CompletableFuture<Optional<NodeHello>> asked, long nanos) {
        try {
            return asked.get(nanos, TimeUnit.NANOSECONDS).orElse(null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException | TimeoutException e) {
            return null;
        }
    }

    /**
     * Returns whether the leader has taken this identity out, and records it (CL-52).
     *
     * @param leader the answer of the leader, or null
     */
    public boolean isTakenOut(@Nullable NodeHello leader) {
        Membership own = membership;
        if (leader == null || !own.joined() || leader.hasMember(own.identity())) {
            return false;
        }
        record(own.asRemoved());
        return true;
    }

    /** Records that the cluster has taken this identity out (CL-52). */
    public void recordRemoval() {
        record(membership.asRemoved());
    }

    /** Records that the log of this node has lost entries that it had acknowledged (CL-50). */
    public void recordLoss() {
        record(membership.asLost());
    }

    /** Returns a sentence if this identity takes no part any more, otherwise null. */
    @Nullable
    public String refusal() {
        Membership own = membership;
        return own.removed() ? Membership.REMOVED : own.lost() ? Membership.LOST : null;
    }

    private void record(Membership out) {
        membership = out;
        try {
            out.write(settings.directory());
        } catch (IOException e) {
            LOG.warn("Could not write {}: {}", Membership.FILE, e.getMessage());
        }
    }
}
