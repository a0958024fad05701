package dev.jitney.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.runtime.store.StoreException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Three nodes of which some have faults or full disks")
class NodeFaultsTest {
    /** A leader sends a message at least twice in it, so that an election by timeout takes half of it or longer. */
    private static final int LONG_ELECTION_MS = 12_000;

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
    @DisplayName("have another leader at once when a store of the leader fails (CL-16, CL-42)")
    void passesOnWhenAStoreFails() throws Exception {
        cluster.close();
        cluster = new TestCluster(directory.resolve("long"), 3, 2, LONG_ELECTION_MS).startAll();
        TestCluster.TestNode failing = cluster.commit("a", "1");
        cluster.awaitEverywhere("a", "1");
        long term = failing.term().term();
        failing.disks.get(1).fail();
        long begin = System.nanoTime();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> failing.store(1).commit(TestCluster.row("b", "2")));
        TestCluster.TestNode next = cluster.leaderAfter(term);
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin)).isLessThan(LONG_ELECTION_MS / 2);
        assertThat(next).isNotSameAs(failing);
        cluster.commit("c", "3");
        cluster.awaitEverywhere("c", "3");
        assertThat(failing.disks.get(1).reopens()).isPositive();
    }

    @Test
    @DisplayName(
            "pass leadership on for damage that all of them have once each, and then the last one continues (CL-16)")
    void passesOnOnce() throws Exception {
        TestCluster.TestNode first = cluster.commit("a", "1");
        awaitPeers(first);
        assertThat(isYielding(first)).isTrue();
        TestCluster.TestNode second = cluster.leader();
        assertThat(second).isNotSameAs(first);
        assertThat(first.status().remark()).contains("It should not lead", "damage");
        awaitPeers(second);
        TestCluster.awaitTrue("the damage of the first node to be known", () -> !isWell(second, first));
        assertThat(isYielding(second)).isTrue();
        TestCluster.TestNode third = cluster.leader();
        assertThat(third).isNotSameAs(first).isNotSameAs(second);
        TestCluster.awaitTrue("both to be known", () -> !isWell(third, first) && !isWell(third, second));
        long term = third.term().term();
        for (int i = 0; i < 3; i++) {
            assertThat(isYielding(third)).isFalse();
        }
        third.commit("b", "2");
        assertThat(third.term().term()).isEqualTo(term);
        assertThat(third.node.yieldLeadership(term - 1, "damage of a term that is over"))
                .isFalse();
    }

    @Test
    @DisplayName("keep a leader that does not work as a whole while no other is in sync (CL-16)")
    void goesOnAlone() throws Exception {
        TestCluster.TestNode leader = cluster.commit("a", "1");
        cluster.followersOf(leader).forEach(node -> cluster.unreachable.add(node.member.name()));
        TestCluster.awaitTrue(
                "no answer of node ports",
                () -> cluster.followersOf(leader).stream().noneMatch(node -> isWell(leader, node)));
        assertThat(isYielding(leader)).isFalse();
        leader.commit("b", "2");
        assertThat(leader.term()).isNotNull();
    }

    private static boolean isYielding(TestCluster.TestNode node) throws Exception {
        boolean passed = node.node.yieldLeadership(node.term().term(), "damage");
        if (passed) {
            TestCluster.awaitTrue("the end of the term", () -> node.term() == null);
        }
        return passed;
    }

    private void awaitPeers(TestCluster.TestNode leader) throws Exception {
        TestCluster.awaitTrue(
                "answers of node ports",
                () -> cluster.followersOf(leader).stream().anyMatch(node -> isWell(leader, node)));
    }

    private static boolean isWell(TestCluster.TestNode asked, TestCluster.TestNode other) {
        return asked.node.knowsAsWell(other.member.name());
    }

    @Test
    @DisplayName("take more messages only while a majority has room (CL-43)")
    void needRoomOnAMajority() throws Exception {
        TestCluster.TestNode leader = cluster.commit("a", "1");
        List<TestCluster.TestNode> followers = cluster.followersOf(leader);
        assertThat(leader.store(0).acceptsGrowth()).isTrue();
        followers.get(0).disk.usableBytes = 512 << 20;
        TestCluster.awaitTrue("the small disk to be known", () -> !isWell(leader, followers.get(0)));
        assertThat(leader.store(0).acceptsGrowth()).isTrue();
        followers.get(1).disk.usableBytes = 512 << 20;
        TestCluster.awaitTrue("a refusal", () -> !leader.store(0).acceptsGrowth());
        leader.commit("b", "2");
        followers.get(0).disk.usableBytes = 2L << 30;
        TestCluster.awaitTrue("room again", () -> leader.store(0).acceptsGrowth());
        leader.disk.usableBytes = 512 << 20;
        TestCluster.awaitTrue(
                "a refusal for the disk of the leader's log",
                () -> !leader.store(0).acceptsGrowth());
        followers.get(1).disk.usableBytes = 2L << 30;
        leader.disk.usableBytes = 2L << 30;
        TestCluster.awaitTrue("room again", () -> leader.store(0).acceptsGrowth());
        followers.get(0).crash();
        followers.get(1).disk.usableBytes = 512 << 20;
        TestCluster.awaitTrue(
                "a refusal, because the only other node has no room",
                () -> !leader.store(0).acceptsGrowth());
    }

    @Test
    @DisplayName("have another leader when the leader alone has no room, so that they take messages again (CL-43)")
    void passOnWithoutRoom() throws Exception {
        TestCluster.TestNode small = cluster.commit("a", "1");
        cluster.awaitEverywhere("a", "1");
        awaitPeers(small);
        long term = small.term().term();
        small.disk.usableBytes = 512 << 20;
        TestCluster.TestNode next = cluster.leaderAfter(term);
        TestCluster.awaitTrue("room again", () -> next.store(0).acceptsGrowth());
        next.commit("b", "2");
        cluster.awaitEverywhere("b", "2");
        assertThat(small.status().role()).isEqualTo(NodeStatus.Role.FOLLOWER);
        assertThat(isWell(next, small)).isFalse();
    }

    @Test
    @DisplayName("continue without a follower whose disk is nearly full, until it has room (CL-42, CL-43)")
    void continueWithoutAFullNode() throws Exception {
        TestCluster.TestNode leader = cluster.commit("a", "1");
        TestCluster.TestNode full = cluster.followersOf(leader).get(0);
        cluster.awaitEverywhere("a", "1");
        full.disk.usableBytes = 100 << 20;
        TestCluster.awaitTrue("the end of its part", () -> full.status().role() == NodeStatus.Role.STOPPED);
        assertThat(full.status().remark()).contains("disk-of-the-test is nearly full", "Make room");
        cluster.commit("b", "2");
        assertThat(full.value(0, "b")).isNull();
        full.disk.usableBytes = 200 << 20;
        cluster.commit("c", "3");
        assertThat(full.status().role()).isEqualTo(NodeStatus.Role.STOPPED);
        full.disk.usableBytes = 2L << 30;
        cluster.awaitEverywhere("c", "3");
        assertThat(full.status().role()).isEqualTo(NodeStatus.Role.FOLLOWER);
        assertThat(full.value(0, "b")).isEqualTo("2");
    }

    @Test
    @DisplayName(
            "have another leader when the disk of the leader is nearly full, and it stops taking part (CL-16, CL-43)")
    void passOnWhenTheDiskIsFull() throws Exception {
        TestCluster.TestNode full = cluster.commit("a", "1");
        cluster.awaitEverywhere("a", "1");
        awaitPeers(full);
        long term = full.term().term();
        full.disk.usableBytes = 100 << 20;
        TestCluster.TestNode next = cluster.leaderAfter(term);
        TestCluster.awaitTrue("the end of its part", () -> full.status().role() == NodeStatus.Role.STOPPED);
        next.commit("b", "2");
        full.disk.usableBytes = TestCluster.TestDisk.TOTAL_BYTES;
        cluster.awaitEverywhere("b", "2");
    }
}
