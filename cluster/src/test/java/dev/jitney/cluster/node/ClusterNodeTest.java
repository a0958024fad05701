package dev.jitney.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.cluster.InMemoryReplicaStore;
import dev.jitney.cluster.ratis.AgreementFigures;
import dev.jitney.cluster.ratis.LogPoint;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Three nodes with Ratis")
class ClusterNodeTest {
    /** The tag of tests that work with any leader. */
    private static final String SHORT_ELECTIONS = "short-elections";

    @TempDir
    Path directory;

    private TestCluster cluster;

    @BeforeEach
    void start(TestInfo test) throws Exception {
        boolean shorter = test.getTags().contains(SHORT_ELECTIONS);
        cluster = new TestCluster(directory, 3, 2, shorter ? TestCluster.SHORT_ELECTION_MS : TestCluster.ELECTION_MS)
                .startAll();
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
    @Tag(SHORT_ELECTIONS)
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
        cluster.commit("more", "2");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> term.stores().get(0).commit(TestCluster.row("late", "3")));
    }

    @Test
    @DisplayName("commit a batch that is larger than an entry as a whole (CL-7)")
    void commitsLargeBatches() throws Exception {
        RowBatch batch = TestCluster.row("large", "1");
        batch.put(Table.META, new byte[] {1}, new byte[7 << 20]);
        TestCluster.TestNode leader = cluster.commit(0, batch);
        cluster.awaitEverywhere("large", "1");
        assertThat(leader.status().skipped()).isZero();
    }

    @Test
    @DisplayName("measure each commit, the agreement of a majority, and the syncs of the own log (CL-82)")
    void measures() throws Exception {
        TestCluster.TestNode leader = cluster.leader();
        AgreementFigures.Snapshot before = leader.node.figures().commits();
        for (int i = 0; i < 10; i++) {
            leader.commit("k" + i, "1");
        }
        cluster.awaitEverywhere("k9", "1");
        AgreementFigures.Snapshot after = leader.node.figures().commits();
        assertThat(count(after.commits()) - count(before.commits())).isEqualTo(10);
        assertThat(count(after.agreements()) - count(before.agreements())).isEqualTo(10);
        assertThat(count(after.syncs()) - count(before.syncs())).isPositive();
        assertThat(after.agreements().sumSeconds())
                .isPositive()
                .isLessThanOrEqualTo(after.commits().sumSeconds());
        for (TestCluster.TestNode follower : cluster.followersOf(leader)) {
            AgreementFigures.Snapshot figures = follower.node.figures().commits();
            assertThat(count(figures.syncs())).isPositive();
            assertThat(figures.syncs().sumSeconds()).isPositive();
            assertThat(count(figures.agreements())).isZero();
        }
    }

    private static long count(AgreementFigures.Histogram durations) {
        return Arrays.stream(durations.counts()).sum();
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
    @DisplayName("know the last entry of their log after a restart without a leader (CL-56)")
    void knowTheEndOfTheirLog() throws Exception {
        TestCluster.TestNode leader = cluster.commit("a", "1");
        cluster.awaitEverywhere("a", "1");
        TestCluster.TestNode other = cluster.followersOf(leader).get(0);
        LogPoint acknowledged = leader.node.lastEntry();
        List.copyOf(cluster.nodes).forEach(TestCluster.TestNode::crash);
        assertThat(acknowledged.index()).isPositive();

        other.start();

        TestCluster.awaitTrue(
                "the search for a leader", () -> other.node.status().role() == NodeStatus.Role.SEEKING);
        assertThat(other.node.lastEntry().index()).isGreaterThanOrEqualTo(acknowledged.index());
        assertThat(other.node.lastEntry().term()).isGreaterThanOrEqualTo(acknowledged.term());
    }

    @Test
    @DisplayName("keep their leader and its term if leadership is to move to a member that does not answer (CL-17)")
    void keepsItsTermWithoutASuccessor() throws Exception {
        TestCluster.TestNode leader = cluster.leader();
        TestCluster.TestNode away = cluster.followersOf(leader).get(0);
        String name = away.member.name();
        leader.commit("a", "1");
        long term = leader.node.status().term();
        away.crash();
        TestCluster.awaitTrue(
                "the absence of " + name,
                () -> leader.node.status().members().stream()
                        .anyMatch(member ->
                                member.name().equals(name) && member.lastContactMs() > 2 * TestCluster.ELECTION_MS));

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> leader.node.transferLeadership(name))
                .withMessageContaining("Expected a node that answers, but node '" + name + "' has not answered for");

        leader.commit("b", "2");
        assertThat(leader.node.status().term()).isEqualTo(term);
    }

    @Test
    @Tag(SHORT_ELECTIONS)
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
    @Tag(SHORT_ELECTIONS)
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
        TestCluster.awaitTrue("the new member", lost::takesPart);
        cluster.commit("after", "1");
        cluster.awaitEverywhere("after", "1");
        assertThat(lost.value(0, "k3")).isEqualTo("3");
        assertThat(leader.status().members()).hasSize(3);
        assertThat(cluster.requests).containsKey("checkpoint");
        leader.crash();
        cluster.commit("later", "2");
        cluster.awaitEverywhere("later", "2");
    }

    @Test
    @Tag(SHORT_ELECTIONS)
    @DisplayName("acknowledge nothing without a majority, and end the term (CL-2, CL-10, CL-12)")
    void needsAMajority() throws Exception {
        TestCluster.TestNode leader = cluster.commit("a", "1");
        cluster.followersOf(leader).forEach(TestCluster.TestNode::crash);
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> leader.commit("b", "2"));
        assertThat(leader.value(0, "b")).isNull();
        TestCluster.awaitTrue("the end of the term", () -> leader.term() == null);
        cluster.nodes.stream().filter(node -> node.node == null).forEach(this::startAgain);
        cluster.commit("c", "3");
        cluster.awaitEverywhere("c", "3");
    }

    private void startAgain(TestCluster.TestNode node) {
        try {
            node.start();
        } catch (IOException | StoreException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("release outputs only while a majority answers (CL-9)")
    void needsTheLease() throws Exception {
        TestCluster.TestNode leader = cluster.commit("a", "1");
        MessagingStore store = leader.store(1);
        store.confirm();
        cluster.followersOf(leader).forEach(TestCluster.TestNode::crash);
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (System.nanoTime() - end < 0) {
                store.confirm();
            }
        });
        assertThatExceptionOfType(StoreException.class).isThrownBy(store::confirm);
    }

    @Test
    @DisplayName("apply every entry exactly once over a restart in the middle of a term (CL-4, CL-5)")
    void restartsInTheMiddleOfATerm() throws Exception {
        TestCluster.TestNode leader = cluster.leader();
        TestCluster.TestNode follower = cluster.followersOf(leader).get(0);
        for (int i = 0; i < 15; i++) {
            leader.commit("n", "" + i);
            if (i == 4) {
                cluster.awaitEverywhere("n", "4");
                follower.disks.get(0).flush();
            } else if (i == 9) {
                follower.crash();
            }
        }
        follower.start();
        cluster.awaitEverywhere("n", "14");
        assertThat(follower.disks.get(0).batches())
                .hasSize(leader.disks.get(0).batches().size());
        assertThat(follower.disks.get(0).position())
                .isEqualTo(leader.disks.get(0).position());
        assertThat(follower.status().skipped()).isZero();
    }

    @Test
    @DisplayName("stop taking part after a fault of a store, open it again, and catch up (CL-16, CL-42)")
    void recoversFromFaults() throws Exception {
        TestCluster.TestNode leader = cluster.commit("a", "1");
        TestCluster.TestNode follower = cluster.followersOf(leader).get(0);
        follower.disks.get(0).fail();
        cluster.commit("b", "2");
        TestCluster.awaitTrue("a restart", () -> follower.status().restarts() > 0);
        cluster.awaitEverywhere("b", "2");
        assertThat(follower.disks.get(0).reopens()).isPositive();

        TestCluster.TestNode failing = cluster.leader();
        long term = failing.term().term();
        failing.disks.get(0).fail();
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> failing.commit("c", "3"));
        cluster.leaderAfter(term);
        cluster.commit("d", "4");
        cluster.awaitEverywhere("d", "4");
    }

    @Test
    @Tag(SHORT_ELECTIONS)
    @DisplayName("start again after a kill in the middle of a write to the log (CL-42, CL-46)")
    void startsWithATornLog() throws Exception {
        cluster.commit("a", "1");
        TestCluster.TestNode leader = cluster.commit("b", "2");
        TestCluster.TestNode follower = cluster.followersOf(leader).get(0);
        cluster.awaitEverywhere("b", "2");
        follower.crash();
        Path open = follower.openLog();
        byte[] log = Files.readAllBytes(open);
        int end = endOfEntries(log);
        // the first half of an entry of 20,000 bytes, and zeros that were written in advance
        byte[] torn = Arrays.copyOf(Arrays.copyOf(log, end), end + 65_536);
        Arrays.fill(torn, end, end + 10_000, (byte) 'x');
        ByteBuffer.wrap(torn, end, 4).put(new byte[] {(byte) 0xa0, (byte) 0x9c, 1, 8});
        Files.write(open, torn);
        cluster.commit("c", "3");
        follower.start();
        cluster.awaitEverywhere("c", "3");
        assertThat(follower.status().restarts()).isZero();
    }

    /** Returns the end of the entries in a log file: 8 bytes of header, then a size of some bytes, the entry and 4 bytes of checksum for each. */
    private static int endOfEntries(byte[] log) {
        int at = 8;
        while (at < log.length && log[at] != 0) {
            int size = 0;
            for (int shift = 0, more = 0x80; more != 0; shift += 7) {
                more = log[at] & 0x80;
                size |= (log[at++] & 0x7f) << shift;
            }
            at += size + Integer.BYTES; // the checksum may end with a zero
        }
        return at;
    }

    @Test
    @DisplayName("refuse a node whose log has lost entries that it acknowledged, until its directory is empty (CL-50)")
    void refusesAShorterLog() throws Exception {
        TestCluster.TestNode leader = cluster.commit("a", "1");
        TestCluster.TestNode follower = cluster.followersOf(leader).get(0);
        loseEntries(follower);
        follower.start();
        awaitLost(follower);
        cluster.commit("b", "2");
        assertThat(follower.value(0, "b")).isNull();
        assertThat(follower.status().restarts()).isZero();

        // It refuses after a restart, too: the next leader does not know the lost entries.
        follower.crash();
        TestCluster.TestNode current = cluster.leader();
        long term = current.term().term();
        current.node.stepDown();
        cluster.leaderAfter(term);
        follower.start();
        awaitLost(follower);
        cluster.commit("c", "3");
        assertThat(follower.value(0, "c")).isNull();

        follower.crash();
        follower.wipe();
        follower.start();
        TestCluster.awaitTrue("the new member", follower::takesPart);
        cluster.commit("d", "4");
        cluster.awaitEverywhere("d", "4");
        assertThat(follower.value(0, "c")).isEqualTo("3");
    }

    @Test
    @DisplayName("refuse a node whose log has lost entries also if it reaches the leader later (CL-50)")
    void refusesAShorterLogLater() throws Exception {
        TestCluster.TestNode leader = cluster.commit("a", "1");
        TestCluster.TestNode follower = cluster.followersOf(leader).get(0);
        loseEntries(follower);
        cluster.unreachable.add(leader.member.name());
        follower.start();
        TestCluster.awaitTrue("a known leader", () -> follower.status().leader() != null);
        cluster.unreachable.clear();
        awaitLost(follower);
        cluster.commit("b", "2");
        assertThat(follower.value(0, "b")).isNull();
    }

    /** Stops a node, and cuts its log. */
    private void loseEntries(TestCluster.TestNode node) throws Exception {
        cluster.awaitEverywhere("a", "1");
        node.crash();
        byte[] before = Files.readAllBytes(node.openLog());
        node.start();
        for (int i = 0; i < 20; i++) {
            cluster.commit("k" + i, "1");
        }
        cluster.awaitEverywhere("k19", "1");
        assertThat(node.status().remark()).isNull();
        node.crash();
        Files.write(node.openLog(), before);
    }

    private static void awaitLost(TestCluster.TestNode node) throws Exception {
        TestCluster.awaitTrue("the end of its part", () -> node.status().role() == NodeStatus.Role.STOPPED);
        assertThat(node.status().remark())
                .contains("Its log has lost entries that it acknowledged", "Empty the data directory");
    }

    @Test
    @DisplayName("continue without a node that starts with a damaged log, until an operator has repaired it (CL-42)")
    void startsWithADamagedLog() throws Exception {
        TestCluster.TestNode leader = cluster.commit("a", "1");
        TestCluster.TestNode follower = cluster.followersOf(leader).get(0);
        for (int i = 0; i < 10; i++) {
            cluster.commit("k" + i, "1");
        }
        cluster.awaitEverywhere("k9", "1");
        follower.crash();
        Path log = follower.openLog();
        byte[] intact = Files.readAllBytes(log);
        byte[] damaged = intact.clone();
        damaged[100] ^= 0x5a;
        Files.write(log, damaged);

        follower.start();
        assertThat(follower.status().role()).isEqualTo(NodeStatus.Role.STOPPED);
        assertThat(follower.status().remark()).contains("log_inprogress", "Repair", "empty the data directory");
        cluster.commit("b", "2");
        TestCluster.awaitTrue("attempts", () -> follower.status().restarts() > 3);
        assertThat(follower.status().remark()).contains("log_inprogress", "Repair", "empty the data directory");
        assertThat(follower.value(0, "b")).isNull();
        assertThat(Files.readAllBytes(log)).isEqualTo(damaged);

        restore(log, intact);
        cluster.awaitEverywhere("b", "2");
        assertThat(follower.status().role()).isEqualTo(NodeStatus.Role.FOLLOWER);
        assertThat(follower.status().remark()).isNull();
    }

    /** Replaces a file in one step. Ratis removes a log file that it finds empty, also one that is just being written. */
    private void restore(Path file, byte[] content) throws IOException {
        Path restored = Files.write(file.resolveSibling("restored"), content);
        Files.move(restored, file, StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    @Tag(SHORT_ELECTIONS)
    @DisplayName("continue without a node that starts with damage in a log file that is complete (CL-42)")
    void startsWithADamagedCompleteFile() throws Exception {
        cluster.close();
        for (TestCluster.TestNode node : cluster.nodes) {
            node.logBytesMax = 32 << 20; // files of 4 MiB
        }
        cluster.startAll();
        TestCluster.TestNode leader = cluster.commit("a", "1");
        TestCluster.TestNode follower = cluster.followersOf(leader).get(0);
        for (int i = 0; i < 6; i++) {
            RowBatch batch = TestCluster.row("k" + i, "1");
            batch.put(Table.META, new byte[] {1}, new byte[1 << 20]);
            cluster.commit(0, batch);
        }
        cluster.awaitEverywhere("k5", "1");
        follower.crash();
        Path log;
        try (Stream<Path> files = Files.list(follower.openLog().getParent())) {
            log = files.filter(file -> file.getFileName().toString().matches("log_\\d+-\\d+"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] intact = Files.readAllBytes(log);
        byte[] damaged = intact.clone();
        damaged[damaged.length / 2] ^= 0x5a;
        Files.write(log, damaged);

        follower.start();
        TestCluster.awaitTrue("attempts", () -> follower.status().restarts() > 3);
        assertThat(follower.status().role()).isEqualTo(NodeStatus.Role.STOPPED);
        assertThat(follower.status().remark())
                .contains("The replicated log in " + follower.directory(), "Repair", "empty the data directory");
        long before = follower.status().restarts();
        Set<String> remarks = new HashSet<>();
        TestCluster.awaitTrue("another attempt", () -> {
            NodeStatus status = follower.status();
            remarks.add(String.valueOf(status.remark()));
            return status.restarts() > before + 1;
        });
        assertThat(remarks)
                .as("also during an attempt")
                .allSatisfy(remark -> assertThat(remark).contains("empty the data directory"));
        cluster.commit("b", "2");
        assertThat(Files.readAllBytes(log)).isEqualTo(damaged);

        restore(log, intact);
        cluster.awaitEverywhere("b", "2");
    }

    @Test
    @DisplayName(
            "do not start with a damaged file beside the log, or without the term and the vote, but try again (CL-42, CL-50)")
    void startsWithDamagedFilesBesideTheLog() throws Exception {
        TestCluster.TestNode leader = cluster.commit("a", "1");
        TestCluster.TestNode follower = cluster.followersOf(leader).get(0);
        cluster.awaitEverywhere("a", "1");
        follower.crash();
        Path vote = follower.openLog().resolveSibling("raft-meta");
        Path replay = follower.directory().resolve("raft").resolve("replay");
        for (Path file : List.of(vote, replay)) {
            byte[] intact = Files.readAllBytes(file);
            Files.write(file, new byte[0]);
            follower.start();
            assertThat(follower.status().role()).isEqualTo(NodeStatus.Role.STOPPED);
            assertThat(follower.status().remark()).contains(file.toString());
            restore(file, intact);
            TestCluster.awaitTrue("its part", follower::takesPart);
            follower.crash();
        }
    }

    @Test
    @Tag(SHORT_ELECTIONS)
    @DisplayName("write their term and their vote again if Ratis has lost them because the disk was full (CL-42)")
    void writesItsVoteAgain() throws Exception {
        TestCluster.TestNode leader = cluster.commit("a", "1");
        TestCluster.TestNode follower = cluster.followersOf(leader).get(0);
        cluster.awaitEverywhere("a", "1");
        for (TestCluster.TestNode node : List.of(follower, leader)) {
            Path vote = node.openLog().resolveSibling("raft-meta");
            long before = node.status().restarts();
            Files.write(vote, new byte[0]);
            TestCluster.awaitTrue("another attempt", () -> node.status().restarts() > before);
            TestCluster.awaitTrue("its part", node::takesPart);
            assertThat(Files.readString(vote)).contains("term=", "votedFor=");
        }
        cluster.commit("b", "2");
        cluster.awaitEverywhere("b", "2");
    }

    @Test
    @Tag(SHORT_ELECTIONS)
    @DisplayName("do not start when a port is in use (CL-84)")
    void refusesAPortInUse() throws Exception {
        TestCluster.TestNode leader = cluster.commit("a", "1");
        TestCluster.TestNode follower = cluster.followersOf(leader).get(0);
        follower.crash();
        try (ServerSocket other =
                new ServerSocket(follower.member.raftPort(), 1, InetAddress.getByName(follower.member.host()))) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(follower::start)
                    .withMessageContaining("replication port " + other.getLocalPort());
        }
        follower.start();
        cluster.commit("b", "2");
        cluster.awaitEverywhere("b", "2");
    }

    @Test
    @DisplayName("let no time run back under another leader (CL-13)")
    void keepsTime() throws Exception {
        TestCluster.TestNode leader = cluster.leader();
        leader.clockOffsetMs = TimeUnit.HOURS.toMillis(1);
        leader.node.stepDown();
        TestCluster.TestNode first = cluster.commit("a", "1");
        if (first != leader) {
            first.node.transferLeadership(leader.member.name());
            TestCluster.awaitTrue("the fast clock", () -> leader.term() != null);
        }
        leader.commit("b", "2");
        long timeMs = leader.disks.get(0).position().timeMs();
        long term = leader.term().term();
        leader.crash();
        TestCluster.TestNode next = cluster.leaderAfter(term);
        assertThat(next.term().timeFloorMs()).isGreaterThanOrEqualTo(timeMs);
        assertThat(next.term().clock().steady().nowMs()).isGreaterThanOrEqualTo(timeMs);
    }

    @Test
    @DisplayName("have another leader within an election when the leader stops in order (CL-15)")
    void stopsInOrder() throws Exception {
        TestCluster.TestNode leader = cluster.commit("a", "1");
        long term = leader.term().term();
        leader.stop();
        assertThat(cluster.nodes.stream()
                        .filter(node -> node.node != null)
                        .map(node -> node.status().term()))
                .contains(term + 1);
        assertThat(leader.news()).last().asString().startsWith("ended");
        cluster.commit("b", "2");
        // The last ones cannot pass it on, and stop all the same.
        cluster.nodes.forEach(TestCluster.TestNode::stop);
    }

    @Test
    @DisplayName(
            "send a checkpoint to a follower that lacks entries that the log has no more (CL-40, CL-41, RATIS-2500)")
    void sendsACheckpoint() throws Exception {
        cluster.close();
        for (TestCluster.TestNode node : cluster.nodes) {
            node.logBytesMax = 0;
        }
        cluster.startAll();
        TestCluster.TestNode leader = cluster.commit("a", "1");
        TestCluster.TestNode follower = cluster.followersOf(leader).get(0);
        cluster.awaitEverywhere("a", "1");
        follower.crash();
        for (int i = 0; i < 20; i++) {
            RowBatch batch = TestCluster.row("k" + i, "" + i);
            batch.put(Table.META, new byte[] {1}, new byte[1 << 20]);
            leader.store(0).commit(batch);
        }
        for (InMemoryReplicaStore disk : leader.disks) {
            disk.flush();
        }
        TestCluster.awaitTrue("a shorter log", () -> leader.status().logBytes() < (14 << 20));
        follower.start();
        cluster.awaitEverywhere("k19", "19");
        assertThat(cluster.requests).containsKey("checkpoint");
        assertThat(follower.value(0, "k0")).isEqualTo("0");
        cluster.commit("b", "2");
        cluster.awaitEverywhere("b", "2");
        int checkpoints = cluster.requests.get("checkpoint");
        follower.crash();
        follower.start();
        cluster.commit("c", "3");
        cluster.awaitEverywhere("c", "3");
        assertThat(cluster.requests).containsEntry("checkpoint", checkpoints);
        assertThat(follower.disks.get(0).position())
                .isEqualTo(leader.disks.get(0).position());
    }

    @Test
    @DisplayName("keep the fetched part of a checkpoint until they are in sync, and delete it then (CL-45)")
    void deletesAPartOfACheckpoint() throws Exception {
        TestCluster.TestNode away = cluster.followersOf(cluster.leader()).get(0);
        away.stop();
        Path part = away.workDirectory(0).resolve("incoming-0").resolve("000007.sst~part");
        Files.createDirectories(part.getParent());
        Files.write(part, new byte[10]);
        for (TestCluster.TestNode other : List.copyOf(cluster.nodes)) {
            other.stop();
        }
        away.start();
        TestCluster.awaitTrue(
                "the search for a leader", () -> away.node.status().role() == NodeStatus.Role.SEEKING);
        assertThat(part).exists();

        for (TestCluster.TestNode other : cluster.nodes) {
            if (other != away) {
                other.start();
            }
        }
        TestCluster.awaitTrue("the end of the part", () -> !Files.exists(part.getParent()));
        cluster.commit("a", "1");
        cluster.awaitEverywhere("a", "1");
    }

    @Test
    @DisplayName(
            "continue with a node that was killed between the stores of a checkpoint, without the node that sent it"
                    + " (CL-4, CL-45, CL-46)")
    void survivesAKillBetweenStores() throws Exception {
        cluster.close();
        for (TestCluster.TestNode node : cluster.nodes) {
            node.logBytesMax = 0;
        }
        cluster.startAll();
        TestCluster.TestNode sender = cluster.commit("a", "1");
        TestCluster.TestNode killed = cluster.followersOf(sender).get(0);
        TestCluster.TestNode other = cluster.followersOf(sender).get(1);
        cluster.awaitEverywhere("a", "1");
        killed.crash();
        for (int i = 0; i < 20; i++) {
            RowBatch batch = TestCluster.row("k" + i, "" + i);
            batch.put(Table.META, new byte[] {1}, new byte[1 << 20]);
            sender.store(i % 2).commit(batch);
        }
        TestCluster.awaitTrue("the last row", () -> "19".equals(other.value(1, "k19")));
        List<InMemoryReplicaStore> flushed = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            sender.disks.get(i).flush();
            other.disks.get(i).flush();
            flushed.add(other.disks.get(i).restarted());
        }
        TestCluster.awaitTrue(
                "shorter logs",
                () -> sender.status().logBytes() < (14 << 20) && other.status().logBytes() < (14 << 20));
        sender.commit("last", "1");
        sender.store(1).commit(TestCluster.row("last", "2"));
        TestCluster.awaitTrue("the last row", () -> "2".equals(other.value(1, "last")));

        // The node has put one of the two stores of a checkpoint in place. The sender is gone; the other one loses its
        // memory.
        Path checkpoint = directory.resolve("checkpoint-of-the-sender");
        sender.disks.get(0).checkpoint(checkpoint);
        InMemoryReplicaStore replaced = killed.disks.get(0).restarted();
        assertThat(replaced.replaceBy(checkpoint)).isTrue();
        killed.disks.set(0, replaced);
        sender.crash();
        other.crash();
        for (int i = 0; i < 2; i++) {
            other.disks.set(i, flushed.get(i));
        }
        other.start();
        killed.start();
        cluster.commit("after", "3");
        cluster.awaitEverywhere("after", "3");
        for (TestCluster.TestNode node : List.of(killed, other)) {
            assertThat(node.value(0, "last")).isEqualTo("1");
            assertThat(node.value(1, "last")).isEqualTo("2");
            assertThat(node.value(0, "k18")).isEqualTo("18");
            assertThat(node.value(1, "k19")).isEqualTo("19");
        }
        assertThat(cluster.requests).containsKey("checkpoint");

        // A restart of the node finds everything that its log may have dropped.
        killed.crash();
        killed.start();
        sender.start();
        cluster.commit("later", "4");
        cluster.awaitEverywhere("later", "4");
        for (int i = 0; i < 2; i++) {
            assertThat(killed.disks.get(i).position())
                    .isEqualTo(sender.disks.get(i).position());
            assertThat(killed.disks.get(i).batches())
                    .hasSameSizeAs(sender.disks.get(i).batches());
        }
    }

    @Test
    @DisplayName("refuse requests and orders from the network (CL-71)")
    void refusesOutsiders() throws Exception {
        TestCluster.TestNode leader = cluster.leader();
        assertThat(Outsider.refusal(leader.member.raftAddress())).contains("PERMISSION_DENIED");
        cluster.commit("a", "1");
    }
}
