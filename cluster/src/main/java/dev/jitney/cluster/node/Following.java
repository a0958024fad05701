package dev.jitney.cluster.node;

import dev.jitney.cluster.member.ClusterSettings;
import dev.jitney.cluster.member.Members;
import dev.jitney.cluster.member.Membership;
import dev.jitney.cluster.ratis.ConsensusState;
import dev.jitney.cluster.ratis.RatisServer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Announces which leader this node follows, and renews its connections then. One thread calls it. */
final class Following {
    private static final Logger LOG = LoggerFactory.getLogger(Following.class);
    private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ClusterSettings settings;
    private final Members members;
    private final Announcer announcer;
    private volatile long leaderChanges;
    private volatile long leaderlessSinceNanos = System.nanoTime();
    private long contactNanos = System.nanoTime();
    private @Nullable String followed;
    private boolean followedOnce;
    private @Nullable String refreshedFor;
    private long refreshedNanos = System.nanoTime();

    Following(ClusterSettings settings, Members members, Announcer announcer) {
        this.settings = settings;
        this.members = members;
        this.announcer = announcer;
    }

    /** Announces the leader of a state, if it is another one than before. */
    void follow(RatisServer server, ConsensusState state) {
        String leader = state.leader() == null ? null : Membership.nameOf(state.leader());
        long now = System.nanoTime();
        if (!followedOnce || !Objects.equals(leader, followed)) {
            if (followed != null) {
                leaderlessSinceNanos = contactNanos;
            }
            if (leader != null) {
                leaderChanges++;
            }
            followedOnce = true;
            followed = leader;
            announce(leader, state.term());
        }
        if (leader != null) {
            contactNanos = now - TimeUnit.MILLISECONDS.toNanos(state.leaderContactMs());
        }
        refresh(server, state);
    }

    /**
     * Returns the time of the last contact with the leader before the current one, or the start of this node if there was none,
     * in {@link System#nanoTime} (CL-83). Any thread may call it.
     */
    long leaderlessSinceNanos() {
        return leaderlessSinceNanos;
    }

    private void announce(@Nullable String leader, long term) {
        if (!settings.name().equals(leader)) {
            announcer.follows(leader == null ? null : members.named(leader));
            if (leader != null) {
                LOG.debug("Node {} follows {} in term {}.", settings.name(), leader, term);
            }
        }
    }

    /** Votes must not fail because a member was away some time ago. */
    private void refresh(RatisServer server, ConsensusState state) {
        long now = System.nanoTime();
        boolean another = state.leader() != null && !state.leader().equals(refreshedFor);
        boolean none = state.leader() == null && now - refreshedNanos >= REFRESH_NANOS;
        if (state.follower() && (another || none)) {
            refreshedFor = state.leader();
            refreshedNanos = now;
            server.refreshConnections();
        }
    }

    /** Announces that this node follows none, because it takes no part. */
    void followNone() {
        if (followed != null || !followedOnce) {
            if (followed != null) {
                leaderlessSinceNanos = contactNanos;
            }
            followed = null;
            followedOnce = true;
            announcer.follows(null);
        }
    }

    /** Returns the number of times that this node saw another leader. Any thread may call it. */
    long leaderChanges() {
        return leaderChanges;
    }
}
