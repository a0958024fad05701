package dev.jitney.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cluster.member.Membership;
import dev.jitney.cluster.ratis.ConsensusState;
import dev.jitney.cluster.ratis.RaftMember;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A node is out of sync")
class StatusReportTest {
    private static final RaftMember A = new RaftMember("a.1", "localhost:7400");
    private static final RaftMember B = new RaftMember("b.2", "localhost:7410");

    private final FollowerLags lags = new FollowerLags();

    private @Nullable String outOfSync(@Nullable ConsensusState state) {
        Membership own = new Membership(
                "b.2", UUID.randomUUID(), List.of(), List.of(), true, false, false, Membership.Change.NONE, null, 1);
        return new StatusReport("b", own, "It restarts.", 0, 0, lags).outOfSync(state);
    }

    private static ConsensusState state(
            boolean leads, @Nullable String leader, long contactMs, List<RaftMember> members, long leaderCommitted) {
        return new ConsensusState(
                1, leads, !leads, leader, contactMs, members, 5_000, 5_000, leaderCommitted, Map.of());
    }

    @Test
    @DisplayName(
            "if it does not vote yet, knows no leader, lacks entries, or gets nothing from its leader (CL-51, CL-63)")
    void outOfSync() {
        List<RaftMember> both = List.of(A, B);
        assertThat(outOfSync(state(true, "b.2", 0, both, -1))).isNull();
        assertThat(outOfSync(state(false, "a.1", 100, both, 5_000))).isNull();
        assertThat(outOfSync(state(false, "a.1", 100, both, 5_900))).isNull();
        assertThat(outOfSync(null)).contains("takes no part", "It restarts.");
        assertThat(outOfSync(state(false, "a.1", 100, List.of(A), 5_000))).contains("does not vote yet");
        assertThat(outOfSync(state(false, null, 0, both, 5_000))).contains("knows no leader");
        assertThat(outOfSync(state(false, "a.1", 100, both, -1))).contains("does not know yet");
        assertThat(outOfSync(state(false, "a.1", 100, both, 7_000))).contains("has yet to apply 2,000 entries");
        ConsensusState replaying = new ConsensusState(1, false, true, "a.1", 100, both, 3_000, 5_000, 5_000, Map.of());
        assertThat(outOfSync(replaying))
                .as("a restarted node with the whole log")
                .contains("has yet to apply 2,000 entries");
        assertThat(outOfSync(state(false, "a.1", 60_000, both, 5_000))).contains("60 s ago");
    }
}
