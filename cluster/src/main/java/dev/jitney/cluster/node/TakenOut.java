package dev.jitney.cluster.node;

import dev.jitney.cluster.member.Membership;
import dev.jitney.cluster.member.NodeHello;
import dev.jitney.cluster.ratis.ConsensusState;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the cluster has taken out the identity of a node that runs (CL-52): the leader sends it nothing any more, and its
 * introductions have other members. An introduction may be some seconds old, so both must last for longer than that.
 *
 * <p>Not thread-safe.
 */
final class TakenOut {
    /** Longer than an introduction counts. */
    static final long LASTS_NANOS = TimeUnit.SECONDS.toNanos(6);

    private static final long CONTACT_MS = 1_000;

    private boolean seen;
    private long sinceNanos;

    /**
     * Returns whether the identity was taken out.
     *
     * @param own      the part of this node in the cluster
     * @param state    the state of consensus on this node
     * @param leader   the last introduction of the leader, or null if there is none
     * @param nowNanos the time in {@link System#nanoTime}
     */
    boolean isSeen(Membership own, ConsensusState state, @Nullable NodeHello leader, long nowNanos) {
        boolean hearsALeader = state.leader() != null && state.leaderContactMs() < CONTACT_MS;
        boolean out = own.joined()
                && !state.leaderReady()
                && (!hearsALeader || !state.hasMember(own.identity()))
                && leader != null
                && !leader.members().isEmpty()
                && !leader.hasMember(own.identity());
        if (!out || !seen) {
            seen = out;
            sinceNanos = nowNanos;
        }
        return out && nowNanos - sinceNanos >= LASTS_NANOS;
    }
}
