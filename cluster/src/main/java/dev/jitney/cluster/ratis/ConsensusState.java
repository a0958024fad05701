package dev.jitney.cluster.ratis;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of consensus on a node.
 *
 * @param term        the current term
 * @param leaderReady whether this node leads and has applied all entries of earlier terms
 * @param follower    whether this node neither leads nor is a candidate
 * @param leader      the identity of the leader, or null if this node knows none
 * @param leaderContactMs milliseconds since a follower last received something of its leader; otherwise 0
 * @param members     the members with a vote
 * @param applied     the index of the last applied entry
 * @param committed   the index of the last entry that is known to be in the logs of a majority
 * @param leaderCommitted on a follower, the index of the last entry that its leader knew to be in the logs of a majority when it last sent
 *     entries or a heartbeat; -1 if this node does not know it
 * @param followers   on the leader, how far the followers are, by identity
 */
public record ConsensusState(
        long term,
        boolean leaderReady,
        boolean follower,
        @Nullable String leader,
        long leaderContactMs,
        List<RaftMember> members,
        long applied,
        long committed,
        long leaderCommitted,
        Map<String, Follower> followers) {

    /** Returns whether an identity is a member with a vote. */
    public boolean hasMember(String identity) {
        return members.stream().anyMatch(member -> member.identity().equals(identity));
    }

    /**
     * A follower, as its leader knows it.
     *
     * @param match         the index of the last entry that is in its log as in the leader's
     * @param lastContactMs milliseconds since its last answer
     */
    public record Follower(long match, long lastContactMs) {}
}
