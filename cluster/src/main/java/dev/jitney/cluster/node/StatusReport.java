package dev.jitney.cluster.node;

import dev.jitney.cluster.member.Membership;
import dev.jitney.cluster.ratis.ConsensusState;
import dev.jitney.cluster.ratis.RaftMember;
import dev.jitney.cluster.ratis.RatisServer;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Describes the state of a node (CL-81).
 *
 * @param name          the name of the node
 * @param membership    its part in the cluster
 * @param remark        a sentence about its condition, or null if it is in order
 * @param leaderChanges the number of times that it saw another leader
 * @param restarts      the number of restarts after faults
 * @param lags          for how long the followers have been behind
 */
record StatusReport(
        String name,
        Membership membership,
        @Nullable String remark,
        long leaderChanges,
        long restarts,
        FollowerLags lags) {

    /** Returns the state of a node that takes no part. */
    NodeStatus withoutServer() {
        return new NodeStatus(
                name,
                membership.cluster() == null ? NodeStatus.Role.WAITING : NodeStatus.Role.STOPPED,
                0,
                null,
                -1,
                -1,
                List.of(),
                remark == null ? "It is closed." : remark,
                leaderChanges,
                restarts,
                0,
                0,
                0,
                0);
    }

    /** Returns the state of a node with its server. */
    NodeStatus of(RatisServer server, ConsensusState state) {
        String leader = state.leader() == null ? null : Membership.nameOf(state.leader());
        return new NodeStatus(
                name,
                role(state, leader),
                state.term(),
                leader,
                state.applied(),
                state.committed(),
                state.members().stream().map(member -> member(member, state)).toList(),
                remark,
                leaderChanges,
                restarts,
                server.applied(),
                server.appliedBytes(),
                server.skipped(),
                logBytes(server));
    }

    /**
     * Returns a sentence that says why this node is not a voting member in sync, or null if it is one. A leader is.
     *
     * @param state the state of consensus, or null if the node takes no part
     */
    @Nullable
    String outOfSync(@Nullable ConsensusState state) {
        if (state == null) {
            return "Node " + name + " takes no part in the cluster: "
                    + withoutServer().remark();
        }
        String leader = state.leader() == null ? null : Membership.nameOf(state.leader());
        return switch (role(state, leader)) {
            case LEADER -> null;
            case FOLLOWER -> behind(state);
            case JOINING -> "Node " + name + " gets what it lacks, and does not vote yet.";
            case SEEKING, WAITING, STOPPED -> "Node " + name + " knows no leader.";
        };
    }

    private @Nullable String behind(ConsensusState state) {
        if (state.leaderCommitted() < 0) {
            return "Node " + name + " does not know yet which entries its leader has.";
        }
        long lag = Math.max(0, state.leaderCommitted() - state.applied());
        long behindMs = lags.ownBehindMs(state, System.nanoTime());
        return NodeStatus.isInSync(lag, behindMs, state.leaderContactMs())
                ? null
                : String.format(
                        Locale.ROOT,
                        "Node %s is catching up: it has yet to apply %,d entries, has been behind for %,d s, and got the last message of its leader %,d s ago.",
                        name,
                        lag,
                        TimeUnit.MILLISECONDS.toSeconds(behindMs),
                        TimeUnit.MILLISECONDS.toSeconds(state.leaderContactMs()));
    }

    private NodeStatus.Role role(ConsensusState state, @Nullable String leader) {
        if (!state.hasMember(membership.identity())) {
            return NodeStatus.Role.JOINING;
        }
        if (state.leaderReady()) {
            return NodeStatus.Role.LEADER;
        }
        return leader == null || leader.equals(name) ? NodeStatus.Role.SEEKING : NodeStatus.Role.FOLLOWER;
    }

    private NodeStatus.Member member(RaftMember member, ConsensusState state) {
        boolean leads = member.identity().equals(state.leader());
        String itsName = Membership.nameOf(member.identity());
        if (member.identity().equals(membership.identity())) {
            return new NodeStatus.Member(itsName, member.address(), leads, state.applied(), 0, 0, 0);
        }
        ConsensusState.Follower follower = state.followers().get(member.identity());
        return follower == null
                ? new NodeStatus.Member(itsName, member.address(), leads, -1, -1, -1, -1)
                : new NodeStatus.Member(
                        itsName,
                        member.address(),
                        leads,
                        follower.match(),
                        Math.max(0, state.committed() - follower.match()),
                        lags.behindMs(member.identity(), follower, state.committed(), System.nanoTime()),
                        follower.lastContactMs());
    }

    private static long logBytes(RatisServer server) {
        try {
            return server.logBytes();
        } catch (IOException e) {
            return 0;
        }
    }
}
