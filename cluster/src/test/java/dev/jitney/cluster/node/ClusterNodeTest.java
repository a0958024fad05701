package dev.jitney.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Three nodes with Ratis")
class ClusterNodeTest {
    @TempDir
    Path directory;

    private TestCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(directory, 3, 2).startAll();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    @DisplayName("elect one leader, and have a commit on every node (CL-1, CL-5, CL-11)")
    void commits() throws Exception {
        TestCluster.TestNode leader = cluster.commit("a", "1");
        assertThat(leader.value(0, "a")).isEqualTo("1");
        cluster.awaitEverywhere("a", "1");
        for (TestCluster.TestNode node : cluster.nodes) {
            assertThat(node.disks.get(0).position())
                    .isEqualTo(leader.disks.get(0).position());
        }
        assertThat(cluster.nodes.stream().filter(node -> node.term() != null)).hasSize(1);
        for (TestCluster.TestNode follower : cluster.followersOf(leader)) {
            TestCluster.awaitTrue("a known leader", () -> leader.member.equals(follower.follows));
        }
    }

    @Test
    @DisplayName("have everything acknowledged after the leader has crashed (CL-1, CL-2)")
    void survivesTheLeader() throws Exception {
        for (int i = 0; i < 20; i++) {
            cluster.commit("k" + i, "1");
        }
        TestCluster.TestNode first = cluster.leader();
        LeaderTerm term = first.term();
        first.crash();
        TestCluster.TestNode second = cluster.leaderAfter(term.term());
        for (int i = 0; i < 20; i++) {
            assertThat(second.value(0, "k" + i)).isEqualTo("1");
        }
        second.commit("more", "2");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> term.stores().get(0).commit(TestCluster.row("late", "3")));
    }

    @Test
    @DisplayName("commit a batch that is larger than an entry as a whole (CL-7)")
    void commitsLargeBatches() throws Exception {
        TestCluster.TestNode leader = cluster.leader();
        RowBatch batch = TestCluster.row("large", "1");
        batch.put(Table.META, new byte[] {1}, new byte[7 << 20]);
        leader.store(0).commit(batch);
        cluster.awaitEverywhere("large", "1");
        assertThat(leader.status().skipped()).isZero();
    }

    @Test
    @DisplayName("pass leadership to a member by order (CL-17)")
    void transfers() throws Exception {
        TestCluster.TestNode leader = cluster.commit("a", "1");
        TestCluster.TestNode other = cluster.followersOf(leader).get(0);
        leader.node.transferLeadership(other.member.name());
        TestCluster.awaitTrue("the other leader", () -> other.term() != null);
        TestCluster.awaitTrue("the end of the first term", () -> leader.term() == null);
        assertThat(leader.news()).hasSize(2);
        other.commit("b", "2");
        cluster.awaitEverywhere("b", "2");
    }

    @Test
    @DisplayName("come back by themselves after all were stopped (CL-46)")
    void restartsAll() throws Exception {
        for (int i = 0; i < 10; i++) {
            cluster.commit("k" + i, "" + i);
        }
        cluster.nodes.forEach(TestCluster.TestNode::crash);
        cluster.startAll();
        TestCluster.TestNode leader = cluster.commit("after", "1");
        for (int i = 0; i < 10; i++) {
            assertThat(leader.value(0, "k" + i)).isEqualTo("" + i);
        }
        cluster.awaitEverywhere("after", "1");
        List<byte[]> batches = leader.disks.get(0).batches();
        for (TestCluster.TestNode node : cluster.nodes) {
            assertThat(node.disks.get(0).batches()).hasSize(batches.size());
        }
    }

    @Test
    @DisplayName(
            "take a node with an empty disk in as a new identity, and give it everything (CL-40, CL-47, CL-50, CL-51)")
    void replacesAWipedNode() throws Exception {
        for (int i = 0; i < 10; i++) {
            cluster.commit("k" + i, "" + i);
        }
        TestCluster.TestNode leader = cluster.leader();
        TestCluster.TestNode lost = cluster.followersOf(leader).get(0);
        lost.crash();
        lost.wipe();
        lost.start();
        TestCluster.awaitTrue("the new member", () -> lost.status().role() == NodeStatus.Role.FOLLOWER);
        cluster.commit("after", "1");
        cluster.awaitEverywhere("after", "1");
        assertThat(lost.value(0, "k3")).isEqualTo("3");
        assertThat(leader.status().members()).hasSize(3);
        assertThat(cluster.requests).containsKey("checkpoint");
        leader.crash();
        cluster.commit("later", "2");
        cluster.awaitEverywhere("later", "2");
    }
}
