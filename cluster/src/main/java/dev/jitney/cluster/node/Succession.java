package dev.jitney.cluster.node;

import dev.jitney.cluster.member.ClusterSettings;
import dev.jitney.cluster.member.Membership;
import dev.jitney.cluster.ratis.ConsensusState;
import dev.jitney.cluster.ratis.RaftMember;
import dev.jitney.cluster.ratis.RatisServer;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes leadership of this node on to another one (CL-15 to CL-17). Any thread may call it. */
final class Succession {
    private static final Logger LOG = LoggerFactory.getLogger(Succession.class);

    private static final long RETRY_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);

    private final ClusterSettings settings;
    private final Supplier<@Nullable LeaderTerm> leading;
    private final Predicate<String> well;
    private final FollowerLags lags;
    private final AtomicBoolean yielding = new AtomicBoolean();
    private volatile String trouble = "";
    private volatile long nextNanos = System.nanoTime();

    /**
     * @param leading returns the current term of this node
     * @param well    returns whether nothing is known that keeps an identity from leading (CL-16)
     * @param lags    for how long the followers have been behind
     */
    Succession(
            ClusterSettings settings,
            Supplier<@Nullable LeaderTerm> leading,
            Predicate<String> well,
            FollowerLags lags) {
        this.lags = lags;
        this.settings = settings;
        this.leading = leading;
        this.well = well;
    }

    /**
     * Passes leadership on to the follower that has most of the log and has answered recently; one that is well comes before all
     * others. Returns when it leads.
     *
     * @param server   the server of this node
     * @param onlyWell whether the others must not lead at all
     * @param triesMax the number of followers to try
     * @return whether another node leads; false if this node does not lead, or no follower is in sync
     */
    boolean passOn(@Nullable RatisServer server, boolean onlyWell, int triesMax) {
        ConsensusState state = server == null ? null : server.state();
        if (server == null || state == null || !state.leaderReady()) {
            return false;
        }
        return candidates(state, onlyWell).stream().limit(triesMax).anyMatch(identity -> isPassed(server, identity));
    }

    private List<String> candidates(ConsensusState state, boolean onlyWell) {
        Comparator<Map.Entry<String, ConsensusState.Follower>> wellFirst =
                Comparator.comparing(follower -> !well.test(follower.getKey()));
        return state.followers().entrySet().stream()
                .filter(follower -> follower.getValue().lastContactMs() <= settings.electionMs())
                .filter(follower -> state.hasMember(follower.getKey()))
                .filter(follower -> !onlyWell || well.test(follower.getKey()))
                .sorted(wellFirst.thenComparingLong(
                        follower -> -follower.getValue().match()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private boolean isPassed(RatisServer server, String identity) {
        try {
            transfer(server, identity);
            return true;
        } catch (IOException e) {
            LOG.warn("Node {} could not pass leadership on to {}: {}", settings.name(), identity, e.getMessage());
            return false;
        }
    }

    /**
     * Passes leadership on because this node leads and does not work as a whole (CL-16). From then on the others receive
     * the cause, and do not pass leadership to it.
     *
     * @param cause a sentence about the fault
     * @return whether another node leads
     */
    boolean isYieldedFor(@Nullable RatisServer server, String cause) {
        if (!yielding.compareAndSet(false, true)) {
            return false;
        }
        try {
            if (!trouble.equals(cause)) {
                trouble = cause;
                LOG.warn("Node {} lets another node lead, if one is in sync and well: {}", settings.name(), cause);
            }
            return System.nanoTime() - nextNanos >= 0 && isPassedToAWellOne(server);
        } finally {
            yielding.set(false);
        }
    }

    /** Passes leadership on because this node leads and has no room for more messages, and others have (CL-43). */
    void leaveForRoom(@Nullable RatisServer server) {
        if (System.nanoTime() - nextNanos < 0 || !yielding.compareAndSet(false, true)) {
            return;
        }
        try {
            if (isPassedToAWellOne(server)) {
                LOG.warn(
                        "Node {} has no room for more messages, and lets a node with room lead. Make room on its disks.",
                        settings.name());
            }
        } finally {
            yielding.set(false);
        }
    }

    private boolean isPassedToAWellOne(@Nullable RatisServer server) {
        long begun = System.nanoTime();
        if (passOn(server, true, 1)) {
            LOG.info("Node {} has passed leadership on.", settings.name());
            return true;
        }
        // A transfer that failed takes its time, and delays the senders; one without a candidate does not.
        long took = System.nanoTime() - begun;
        nextNanos = System.nanoTime() + Math.min(RETRY_NANOS_MAX, 10 * took);
        return false;
    }

    /** Returns the reason why this node should not lead, although it takes part; empty if there is none. */
    String trouble() {
        return trouble;
    }

    /** Notes that the stores of this node were opened again or replaced. */
    void mended() {
        trouble = "";
    }

    /**
     * Passes leadership on to a member.
     *
     * @param server the server of this node
     * @param name   the name of the member
     * @throws IOException if this node does not lead, the member is not in sync, or it has not become leader within two elections
     */
    void passTo(@Nullable RatisServer server, String name) throws IOException {
        ConsensusState state = server == null ? null : server.state();
        if (server == null || state == null || !state.leaderReady()) {
            throw new IOException("Expected the leader, but node " + settings.name() + " does not lead.");
        }
        String identity = state.members().stream()
                .map(RaftMember::identity)
                .filter(member -> Membership.nameOf(member).equals(name))
                .findFirst()
                .orElseThrow(() -> new IOException("Expected a member of the cluster, but got '" + name + "'."));
        requireInSync(state, name, identity);
        try {
            transfer(server, identity);
        } catch (IOException e) {
            throw new IOException(
                    "Node '" + name + "' has not become the leader within " + 2L * settings.electionMs() + " ms ("
                            + e.getMessage() + "). Look at 'jitney cluster status', and try again.",
                    e);
        }
    }

    /** A transfer that fails ends the term. So it begins only if the member can lead within the time. */
    private void requireInSync(ConsensusState state, String name, String identity) throws IOException {
        if (identity.equals(state.leader())) {
            return;
        }
        ConsensusState.Follower follower = state.followers().get(identity);
        if (follower == null || follower.lastContactMs() > 2L * settings.electionMs()) {
            throw new IOException("Expected a node that answers, but node '" + name + "' has "
                    + (follower == null ? "not answered yet" : "not answered for " + follower.lastContactMs() + " ms")
                    + ". Start it or wait until it answers, and try again.");
        }
        long lag = Math.max(0, state.committed() - follower.match());
        long behindMs = lags.behindMs(identity, follower, state.committed(), System.nanoTime());
        if (!NodeStatus.isInSync(lag, behindMs, follower.lastContactMs())) {
            throw new IOException("Expected a node in sync, but node '" + name + "' lacks " + lag
                    + " entries. Wait until 'jitney cluster status' shows it as in sync, and try again.");
        }
    }

    private void transfer(RatisServer server, String identity) throws IOException {
        LeaderTerm term = leading.get();
        if (term != null) {
            term.agreement().distrustLease();
        }
        try {
            server.transfer(identity, 2L * settings.electionMs());
        } catch (IOException e) {
            // The member may be a candidate all the same, for which the others vote at any time. Ratis also refuses
            // while members change. The end of the term then ends a change that waits for a node that never comes.
            if (term != null) {
                term.agreement().giveUp();
            }
            throw e;
        }
    }
}
