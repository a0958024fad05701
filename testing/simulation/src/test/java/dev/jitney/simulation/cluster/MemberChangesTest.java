package dev.jitney.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.disk.Write;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of the removal and the addition of a member in the simulated cluster. */
final class MemberChangesTest {
    private SimulatedCluster cluster;
    private long nowMs;
    private int follower;

    @BeforeEach
    void elect() {
        cluster = new SimulatedCluster(1, new SeededRandom(1), () -> nowMs, ms -> nowMs += ms, new Nobody());
        cluster.change(false);
        cluster.heal();
        follower = (cluster.current().nodeNumber() + 1) % 3;
    }

    @Test
    @DisplayName("CL-55: two members that remain need each other, and one member at a time is taken out")
    void remove() {
        assertThat(cluster.remove(follower)).isTrue();
        cluster.discard(follower);
        int other = 3 - follower - cluster.current().nodeNumber();
        assertThat(cluster.remove(other)).isFalse();
        assertThat(cluster.isLeading()).isTrue();
        cluster.cutOff(other);
        assertThat(cluster.isLeading()).as("alone of two members").isFalse();
    }

    @Test
    @DisplayName("CL-51, CL-55: a node that was taken out stays out until it is added, and then counts again")
    void add() {
        assertThat(cluster.remove(follower)).isTrue();
        cluster.discard(follower);
        int other = 3 - follower - cluster.current().nodeNumber();
        cluster.join(follower);
        cluster.cutOff(other);
        assertThat(cluster.isLeading()).as("alone of two members").isFalse();
        cluster.repair(other);
        cluster.change(false);
        cluster.heal();
        cluster.add(follower);
        int third = 3 - follower - cluster.current().nodeNumber();
        if (follower != cluster.current().nodeNumber()) {
            cluster.cutOff(third);
            assertThat(cluster.isLeading()).as("with the new member").isTrue();
        }
        cluster.verify();
    }

    @Test
    @DisplayName("CL-17: the leader is not taken out")
    void leader() {
        assertThat(cluster.remove(cluster.current().nodeNumber())).isFalse();
    }

    /** A watcher that needs no news. */
    private static final class Nobody implements ClusterWatcher {
        @Override
        public void durable(int store, List<Write> writes) {}

        @Override
        public void written(Leadership by, int store) {}

        @Override
        public void fault(Leadership of) {}

        @Override
        public void opened(Leadership by, int store) {}

        @Override
        public void stalls(Leadership by, int store) {}
    }
}
