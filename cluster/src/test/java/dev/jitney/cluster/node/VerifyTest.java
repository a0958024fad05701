package dev.jitney.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.cluster.verify.Verification;
import dev.jitney.runtime.store.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The comparison of three nodes")
class VerifyTest {
    @TempDir
    Path directory;

    private TestCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(directory, 3, 2).startAll();
        for (int i = 0; i < 100; i++) {
            cluster.commit("k" + i, "v" + i);
        }
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    @DisplayName("finds them equal at one position while more entries are applied (CL-5, CL-85)")
    void equal() throws Exception {
        TestCluster.TestNode leader = cluster.leader();
        AtomicBoolean enough = new AtomicBoolean();
        AtomicInteger commits = new AtomicInteger();
        Thread writer = new Thread(() -> {
            try {
                while (!enough.get()) {
                    cluster.commit("w" + commits.incrementAndGet(), "1");
                }
            } catch (Exception | AssertionError e) {
                commits.set(-1);
            }
        });
        writer.start();
        try {
            for (int i = 0; i < 3; i++) {
                Verification done = verify(leader);
                assertThat(done.isEqual()).as("%s", done).isTrue();
                assertThat(done.nodes())
                        .hasSize(3)
                        .allSatisfy(node -> assertThat(node.rows()).isGreaterThanOrEqualTo(100));
                assertThat(done.index()).isPositive();
            }
        } finally {
            enough.set(true);
            writer.join();
        }
        assertThat(commits.get()).isPositive();
    }

    @Test
    @DisplayName(
            "names node, store and table when a row was altered behind the back of a follower or the leader (CL-85)")
    void namesTheNode() throws Exception {
        TestCluster.TestNode leader = cluster.leader();
        TestCluster.TestNode follower = cluster.followersOf(leader).get(0);
        cluster.awaitEverywhere("k99", "v99");
        follower.disks.get(1).alter(Table.SESSIONS, TestCluster.bytes("s"), TestCluster.bytes("x"));
        leader.disks.get(0).alter(Table.META, TestCluster.bytes("k1"), TestCluster.bytes("other"));
        Verification done = verify(leader);
        assertThat(done.isEqual()).isFalse();
        assertThat(done.differences())
                .containsExactly(
                        new Verification.Difference(
                                leader.member.name(),
                                0,
                                "META",
                                done.differences().get(0).rows(),
                                done.differences().get(0).rows()),
                        new Verification.Difference(follower.member.name(), 1, "SESSIONS", 1, 0));
    }

    @Test
    @DisplayName("says which member is away and cannot be compared, and does not call them equal (CL-85)")
    void away() throws Exception {
        TestCluster.TestNode leader = cluster.leader();
        TestCluster.TestNode gone = cluster.followersOf(leader).get(0);
        cluster.awaitEverywhere("k99", "v99");
        gone.crash();
        Verification done = verify(leader);
        assertThat(done.state()).isEqualTo(Verification.State.DONE);
        assertThat(done.differences()).isEmpty();
        assertThat(done.isEqual()).isFalse();
        assertThat(done.nodes())
                .filteredOn(node -> node.state() == Verification.NodeState.AWAY)
                .extracting(Verification.Node::name)
                .containsExactly(gone.member.name());
        gone.start();
        TestCluster.awaitTrue("equal nodes", () -> verify(leader).isEqual());
    }

    @Test
    @DisplayName("is refused by a node that does not lead (CL-85)")
    void followersRefuse() throws Exception {
        TestCluster.TestNode follower = cluster.followersOf(cluster.leader()).get(0);
        assertThat(follower.node.verification()).isNull();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> follower.node.verify())
                .withMessageContaining("does not lead");
    }

    private static Verification verify(TestCluster.TestNode leader) throws Exception {
        leader.node.verify();
        return TestCluster.await("the end of the comparison", () -> {
            Verification state = leader.node.verification();
            return state == null || state.state() == Verification.State.RUNNING ? null : state;
        });
    }
}
