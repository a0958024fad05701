package dev.jitney.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cluster.ratis.ConsensusState;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The time for which a follower has been behind")
class FollowerLagsTest {
    private final FollowerLags lags = new FollowerLags();
    private long nanos = -5_000_000_000L; // the clock may begin anywhere

    private void at(long seconds, boolean leads, long committed, long match) {
        nanos = TimeUnit.SECONDS.toNanos(seconds - 5);
        lags.note(
                new ConsensusState(
                        1,
                        leads,
                        !leads,
                        "a.1",
                        0,
                        List.of(),
                        committed,
                        committed,
                        -1,
                        leads ? Map.of("b.2", follower(match)) : Map.of()),
                nanos);
    }

    private ConsensusState follows(long seconds, long leaderCommitted, long committed) {
        nanos = TimeUnit.SECONDS.toNanos(seconds - 5);
        ConsensusState state = new ConsensusState(
                1, false, true, "a.1", 0, List.of(), committed, committed, leaderCommitted, Map.of());
        lags.note(state, nanos);
        return state;
    }

    private long ownBehindSeconds(ConsensusState state) {
        return TimeUnit.MILLISECONDS.toSeconds(lags.ownBehindMs(state, nanos));
    }

    @Test
    @DisplayName("is known on the follower itself from the messages of its leader (CL-63)")
    void own() {
        assertThat(ownBehindSeconds(follows(0, -1, 10))).isZero();
        assertThat(ownBehindSeconds(follows(1, 10, 10))).isZero();
        assertThat(ownBehindSeconds(follows(2, 12, 10))).isEqualTo(1);
        assertThat(ownBehindSeconds(follows(40, 20, 10))).isEqualTo(39);
        assertThat(ownBehindSeconds(follows(41, 20, 12)))
                .as("it has the entry of the second 2")
                .isEqualTo(39);
        assertThat(ownBehindSeconds(follows(42, 20, 20))).isZero();
    }

    private static ConsensusState.Follower follower(long match) {
        return new ConsensusState.Follower(match, 10);
    }

    private long behindSeconds(long committed, long match) {
        return TimeUnit.MILLISECONDS.toSeconds(lags.behindMs("b.2", follower(match), committed, nanos));
    }

    @Test
    @DisplayName("is 0 while it has everything, and grows while it stands still, however few entries it lacks (CL-81)")
    void standsStill() {
        at(0, true, 10, 10);
        assertThat(behindSeconds(10, 10)).isZero();

        at(1, true, 10, 10);
        for (int second = 2; second <= 60; second++) {
            at(second, true, 11, 10);
        }

        assertThat(behindSeconds(11, 10)).isEqualTo(59);
        at(61, true, 12, 11);
        assertThat(behindSeconds(12, 11)).as("it has the entry of the second 2").isEqualTo(59);
        at(62, true, 12, 12);
        assertThat(behindSeconds(12, 12)).isZero();
    }

    @Test
    @DisplayName("stays near its delay while it makes progress as fast as the leader (CL-81)")
    void delayed() {
        for (int second = 0; second <= 100; second++) {
            at(second, true, 1_000L * second, Math.max(0, 1_000L * (second - 3)));
        }

        assertThat(behindSeconds(100_000, 97_000)).isBetween(3L, 6L);
    }

    @Test
    @DisplayName("begins when the leader begins, because nothing is known before (CL-81)")
    void newLeader() {
        at(0, true, 20, 10);
        at(4, true, 20, 10);
        assertThat(behindSeconds(20, 10)).isEqualTo(4);

        at(5, false, 30, 0);
        assertThat(behindSeconds(30, 10)).as("of a node that does not lead").isZero();
        at(6, true, 40, 10);
        at(8, true, 40, 10);

        assertThat(behindSeconds(40, 10)).isEqualTo(2);
    }
}
