package dev.jitney.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.runtime.ShardFigures;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LeaderCareTest {
    private final FakeLeader leader = new FakeLeader();
    private final LeaderCare care = new LeaderCare(leader);

    private static final class FakeLeader implements LeaderCare.Leader {
        private final List<String> calls = new ArrayList<>();
        private long term = 7;
        private @Nullable String fault;
        private boolean openingDue;
        private boolean another;

        @Override
        public long term() {
            return term;
        }

        @Override
        public @Nullable String fault() {
            return fault;
        }

        @Override
        public boolean isOpeningDue() {
            return openingDue;
        }

        @Override
        public void open() {
            calls.add("open");
        }

        @Override
        public boolean letAnotherLead(long ending, String cause) {
            calls.add(ending + " " + cause);
            return another;
        }
    }

    @Test
    @DisplayName("CL-16: another node should lead when a fault is seen twice in a term")
    void passesOn() {
        care.look();
        leader.fault = "broken";
        care.look();
        assertThat(leader.calls).isEmpty();
        leader.term = 8;
        care.look();
        assertThat(leader.calls).isEmpty();
        leader.another = true;
        care.look();
        assertThat(leader.calls).containsExactly("8 broken");
        leader.term = 0;
        care.look();
        assertThat(leader.calls).hasSize(1);
    }

    @Test
    @DisplayName("CL-16: a broker that cannot open opens again after pauses while no other node can lead")
    void opensAgain() {
        leader.fault = "cannot open";
        leader.openingDue = true;
        for (int i = 0; i < 4; i++) {
            care.look();
        }
        // The second attempt has to wait, which the calls without a pause in between show.
        assertThat(leader.calls).containsExactly("7 cannot open", "open", "7 cannot open", "7 cannot open");
    }

    @Test
    @DisplayName(
            "CL-16, CL-34, CL-43: a failed store and damaged entities are faults; a stopped or a full store is none")
    void faults() {
        assertThat(LeaderCare.fault(List.of(shard(null, false, true, true, 0)))).isNull();
        assertThat(LeaderCare.fault(List.of(shard("stopped", true, false, true, 0))))
                .isNull();
        assertThat(LeaderCare.fault(List.of(shard("full", false, true, false, 0))))
                .isNull();
        assertThat(LeaderCare.fault(List.of(shard(null, false, true, true, 0), shard("broken", false, false, true, 0))))
                .isEqualTo("broken");
        assertThat(LeaderCare.fault(List.of(shard("queue 'q' is out of service", false, true, true, 1))))
                .contains("out of service");
        assertThat(LeaderCare.fault(List.of(shard(null, false, false, true, 0))))
                .contains("does not respond");
    }

    private static ShardFigures shard(
            @Nullable String trouble, boolean stopped, boolean serving, boolean acceptsGrowth, int damaged) {
        ShardFigures.Histogram none = new ShardFigures.Histogram(new double[0], new long[0], 0);
        return new ShardFigures(
                0,
                0,
                0,
                0,
                trouble,
                stopped,
                serving,
                false,
                acceptsGrowth,
                null,
                damaged,
                0,
                0,
                0,
                none,
                none,
                none,
                none);
    }
}
