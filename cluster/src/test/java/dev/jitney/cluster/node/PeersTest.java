package dev.jitney.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The nodes of a cluster")
class PeersTest {
    private static final long CLOCK_MS = 5_000;

    @TempDir
    Path directory;

    private TestCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(directory, 3, 1, TestCluster.SHORT_ELECTION_MS);
        cluster.nodes.get(1).clockOffsetMs = CLOCK_MS;
        cluster.startAll();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    @DisplayName("know the cluster's id and each other's release, settings, room and clock (CL-31, CL-53, CL-81)")
    void know() throws Exception {
        TestCluster.TestNode first = cluster.nodes.get(0);
        TestCluster.awaitTrue("three nodes", () -> first.node.peers().size() == 3);
        List<NodeStatus.Peer> peers = first.node.peers();
        assertThat(peers).extracting(NodeStatus.Peer::name).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(peers.get(0).name()).isEqualTo("a");
        assertThat(peers).allSatisfy(peer -> {
            assertThat(peer.release()).isEqualTo("1.2.3");
            assertThat(peer.settings())
                    .containsEntry("--stores", "01ab" + peer.name())
                    .hasSize(2);
            assertThat(peer.room()).isTrue();
        });
        // It is measured again and again, and wrong if the machine pauses during the measurement.
        TestCluster.awaitTrue(
                "the offsets of three clocks",
                () -> first.node.peers().stream().filter(PeersTest::hasItsClock).count() == 3);
        assertThat(first.node.clusterId()).isNotEmpty();
        assertThat(cluster.nodes).extracting(node -> node.node.clusterId()).containsOnly(first.node.clusterId());
    }

    private static boolean hasItsClock(NodeStatus.Peer peer) {
        return Math.abs(peer.clockOffsetMs() - (peer.name().equals("b") ? CLOCK_MS : 0)) <= 900;
    }

    @Test
    @DisplayName("measure the time without a leader from their last contact with the old leader (CL-83)")
    void leaderless() throws Exception {
        cluster.commit("k", "v");
        cluster.awaitEverywhere("k", "v");
        TestCluster.TestNode leader = cluster.leader();
        long term = leader.term().term();
        leader.crash();
        long goneNanos = System.nanoTime();
        TestCluster.TestNode next = cluster.leaderAfter(term);
        TestCluster.awaitTrue("the leader", () -> next.status().leader() != null);
        TestCluster.awaitTrue(
                "a time near the end of the old leader",
                () -> Math.abs(next.node.leaderlessSinceNanos() - goneNanos) < TimeUnit.SECONDS.toNanos(4));
    }
}
