package dev.jitney.cluster.node;

import dev.jitney.cluster.member.ClusterSettings;
import dev.jitney.cluster.member.Membership;
import dev.jitney.cluster.member.NodeHello;
import dev.jitney.cluster.ratis.ConsensusState;
import dev.jitney.cluster.ratis.RaftMember;
import dev.jitney.runtime.store.FormatLevels;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Raises the level of the cluster to the highest one that all members support, on the leader (CL-61). It checks all members first. A member
 * that changes its release between the check and the entry with the level refuses to take part by itself.
 */
final class LevelUpgrade {
    private static final Logger LOG = LoggerFactory.getLogger(LevelUpgrade.class);

    private final ClusterSettings settings;
    private final ClusterLevel level;
    private final Introductions introductions;
    private final Supplier<@Nullable ConsensusState> state;
    private final FollowerLags lags;

    /** Requests the introductions of other members. */
    @FunctionalInterface
    interface Introductions {
        /** @throws IOException if the member does not answer within a few seconds */
        NodeHello of(RaftMember member) throws IOException;
    }

    /**
     * @param state returns the state of consensus, or null while this node takes no part
     * @param lags  for how long the followers have been behind
     */
    LevelUpgrade(
            ClusterSettings settings,
            ClusterLevel level,
            Introductions introductions,
            Supplier<@Nullable ConsensusState> state,
            FollowerLags lags) {
        this.settings = settings;
        this.level = level;
        this.introductions = introductions;
        this.state = state;
        this.lags = lags;
    }

    /**
     * Raises the level. One thread at a time, and not during a change of the members.
     *
     * @throws IOException if this node does not lead, or a member is not ready; the message names these members and the remedy
     */
    LevelChange run(LevelWriter writer) throws IOException {
        ConsensusState now = state.get();
        if (now == null || !now.leaderReady()) {
            throw new IOException("Node " + settings.name() + " does not lead.");
        }
        int before = level.current();
        int target = target(now, before);
        if (target > before) {
            LOG.info("Node {} raises the level of the cluster from {} to {}.", settings.name(), before, target);
            writer.raise(target);
        }
        return new LevelChange(before, Math.max(before, target));
    }

    private int target(ConsensusState now, int before) throws IOException {
        Map<String, FormatLevels> supported = new TreeMap<>();
        Map<String, String> releases = new TreeMap<>();
        List<String> reasons = new ArrayList<>();
        for (RaftMember member : now.members()) {
            String name = Membership.nameOf(member.identity());
            if (name.equals(settings.name())) {
                supported.put(name, settings.levels());
                releases.put(name, settings.facts().release());
                continue;
            }
            NodeHello hello = introduction(member);
            if (hello == null) {
                reasons.add("Node " + name + " does not answer. Start it, or make its node port reachable.");
            } else if (!isInSync(member, now)) {
                reasons.add("Node " + name + " is not in sync. Wait until 'jitney cluster status' shows it in sync.");
            } else {
                supported.put(name, hello.condition().levels().supported());
                releases.put(name, hello.condition().facts().release());
            }
        }
        int highest = supported.values().stream()
                .mapToInt(FormatLevels::highest)
                .max()
                .orElse(before);
        int common = supported.values().stream()
                .mapToInt(FormatLevels::highest)
                .min()
                .orElse(before);
        if (common <= before && highest > before) {
            supported.forEach((name, levels) -> {
                if (levels.highest() <= before) {
                    reasons.add("Node " + name + release(releases.get(name)) + " supports " + levels
                            + ". Upgrade it to a release that supports level " + (before + 1) + ".");
                }
            });
        }
        if (!reasons.isEmpty()) {
            throw new IOException(String.join(" ", reasons));
        }
        return common;
    }

    /** Returns the introduction of a member as of now, or null. One of a second ago may be that of a process that has ended. */
    private @Nullable NodeHello introduction(RaftMember member) {
        try {
            NodeHello hello = introductions.of(member);
            return hello.identity().equals(member.identity()) ? hello : null;
        } catch (IOException e) {
            LOG.debug("{} does not answer.", member.identity(), e);
            return null;
        }
    }

    private static String release(@Nullable String release) {
        return release == null || release.isEmpty() ? "" : " of release " + release;
    }

    private boolean isInSync(RaftMember member, ConsensusState now) {
        ConsensusState.Follower follower = now.followers().get(member.identity());
        return follower != null
                && NodeStatus.isInSync(
                        Math.max(0, now.committed() - follower.match()),
                        lags.behindMs(member.identity(), follower, now.committed(), System.nanoTime()),
                        follower.lastContactMs());
    }
}
