package dev.jitney.cluster.node;

import static dev.jitney.cluster.node.TestCluster.awaitTrue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.cluster.node.TestCluster.TestNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The members of a cluster")
@Timeout(180)
class MembersTest {
    @TempDir
    Path directory;

    private static ClusterNode node(TestNode of) {
        return Objects.requireNonNull(of.node);
    }

    private static List<String> names(TestNode of) {
        return of.status().members().stream()
                .map(NodeStatus.Member::name)
                .sorted()
                .toList();
    }

    @Test
    @DisplayName("grow by a node that an operator adds, and it has everything from before (CL-51, CL-55)")
    void grow() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 3, 1).startAll()) {
            TestNode leader = cluster.commit("before", "1");
            TestNode added = cluster.newNode("d", leader);
            added.start();
            awaitTrue(
                    "a refusal of node d, which nobody has added",
                    () -> String.valueOf(added.status().remark()).contains("jitney cluster add d=HOST:PORT"));

            assertThat(node(added).outOfSync()).isNotNull();
            assertThat(node(leader).add(added.member)).isTrue();

            awaitTrue("the part of d in the cluster", added::takesPart);
            assertThat(names(leader)).containsExactly("a", "b", "c", "d");
            for (TestNode each : cluster.nodes) {
                awaitTrue(
                        each.member.name() + " is a voting member in sync (CL-63)",
                        () -> node(each).outOfSync() == null);
            }
            cluster.commit("after", "2");
            cluster.awaitEverywhere("before", "1");
            cluster.awaitEverywhere("after", "2");
            assertThat(node(leader).add(added.member)).isFalse();
        }
    }

    @Test
    @DisplayName("know each other's addresses without the options: an added node leads and is followed (CL-50)")
    void knowAddresses() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 3, 1).startAll()) {
            TestNode leader = cluster.commit("before", "1");
            TestNode added = cluster.newNode("d", leader);
            added.start();
            awaitTrue("node d finds the cluster", () -> !node(added).clusterId().isEmpty());
            node(leader).add(added.member);
            awaitTrue("the part of d in the cluster", added::takesPart);
            awaitTrue("d answers the leader", () -> node(leader).knowsAsWell("d"));

            cluster.lead(added); // not before the addition is complete

            cluster.commit("led by d", "2");
            for (TestNode other : cluster.nodes) {
                if (other != added) {
                    awaitTrue(
                            other.member.name() + " follows d at its address",
                            () -> added.member.equals(other.follows));
                }
            }
            TestNode restarted = cluster.followersOf(added).get(0);
            restarted.stop();
            restarted.start();
            awaitTrue("a restarted node follows d", () -> added.member.equals(restarted.follows));
        }
    }

    @Test
    @DisplayName(
            "are known to the founder of a cluster that has grown, also if Ratis has lost them on a full disk (CL-42, CL-55)")
    void rememberThemselves() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 1, 1, TestCluster.SHORT_ELECTION_MS).startAll()) {
            TestNode founder = cluster.commit("before", "1");
            TestNode added = cluster.newNode("b", founder);
            added.start();
            awaitTrue("node b finds the cluster", () -> !node(added).clusterId().isEmpty());
            node(founder).add(added.member);
            awaitTrue("the part of b in the cluster", added::takesPart);
            cluster.commit("after", "2");
            cluster.awaitEverywhere("after", "2");
            founder.disks.get(0).flush();
            awaitTrue(
                    "everything in table files",
                    () -> replayIndex(founder) == founder.status().applied());
            added.stop();
            founder.stop();
            // The log with the change of members is not needed any more, and the disk was full when Ratis wrote its
            // file.
            for (Path file : files(founder)) {
                if (file.getFileName().toString().startsWith("log_")) {
                    Files.delete(file);
                }
            }
            Files.write(file(founder, "raft-meta.conf"), new byte[0]);

            founder.start();

            assertThat(leadsWithin(3 * TestCluster.SHORT_ELECTION_MS, founder))
                    .as("leads without a majority")
                    .isFalse();
            added.start();
            cluster.commit("both", "3");
            cluster.awaitEverywhere("both", "3");
        }
    }

    private static boolean leadsWithin(long ms, TestNode node) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        while (node.term() == null && System.nanoTime() - end < 0) {
            new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
        }
        return node.term() != null;
    }

    private static long replayIndex(TestNode node) throws IOException {
        Path file = file(node, "replay");
        return Files.exists(file) ? Long.parseLong(Files.readString(file).split(" ", -1)[2]) : -1;
    }

    private static Path file(TestNode node, String name) throws IOException {
        return files(node).stream()
                .filter(file -> file.endsWith(name))
                .findFirst()
                .orElse(Path.of(name));
    }

    private static List<Path> files(TestNode node) throws IOException {
        try (Stream<Path> all = Files.walk(node.directory().resolve("raft"))) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    @DisplayName(
            "shrink by a node that an operator removes; it takes no part any more, and says so after a restart (CL-52)")
    void shrink() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 3, 1).startAll()) {
            TestNode leader = cluster.commit("before", "1");
            TestNode removed = cluster.followersOf(leader).get(0);
            String name = removed.member.name();

            node(leader).remove(name);

            assertThat(names(leader)).hasSize(2).doesNotContain(name);
            cluster.commit("after", "2");
            awaitTrue(
                    "the end of its part",
                    () -> removed.status().role() == NodeStatus.Role.STOPPED
                            && String.valueOf(removed.status().remark())
                                    .contains("has taken this node's identity out"));
            removed.stop();
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(removed::start)
                    .withMessageContaining("Empty its data directory");
        }
    }

    @Test
    @DisplayName("shrink by a node that is away; it refuses to start later, and joins with an empty directory (CL-52)")
    void removeAnAbsentNode() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 3, 1).startAll()) {
            TestNode leader = cluster.commit("before", "1");
            TestNode removed = cluster.followersOf(leader).get(0);
            String name = removed.member.name();
            removed.stop();

            node(leader).remove(name);

            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(removed::start)
                    .withMessageContaining("Empty its data directory");
            removed.wipe();
            removed.start();
            awaitTrue("the part of " + name + " in the cluster", removed::takesPart);
            cluster.awaitEverywhere("before", "1");
        }
    }

    @Test
    @DisplayName(
            "take a node in that replaces a lost one at another address, although it starts before an operator adds it (CL-51, CL-55)")
    void replaceAtAnotherAddress() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 3, 1).startAll()) {
            TestNode leader = cluster.commit("before", "1");
            TestNode lost = cluster.followersOf(leader).get(0);
            String name = lost.member.name();
            lost.crash();
            cluster.nodes.remove(lost);
            TestNode replacing = cluster.newNode(name, leader);
            replacing.wipe(); // the directory of the lost one
            replacing.start();
            awaitTrue(
                    "the refusal of its request",
                    () -> String.valueOf(replacing.status().remark()).contains("jitney cluster add " + name));
            awaitTrue(
                    "the absence of the lost node",
                    () -> leader.status().members().stream()
                            .anyMatch(member -> member.name().equals(name)
                                    && member.lastContactMs() > 2 * TestCluster.ELECTION_MS));

            assertThat(node(leader).add(replacing.member)).isTrue();

            awaitTrue("the part of the new node in the cluster", replacing::takesPart);
            awaitTrue("the new address", () -> node(leader).members().contains(replacing.member));
            assertThat(names(leader)).containsExactlyInAnyOrder("a", "b", "c");
            cluster.awaitEverywhere("before", "1");
        }
    }

    @Test
    @DisplayName("do not wait for an added node that never comes, if an operator takes the order back (CL-55)")
    void cancelAddition() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 3, 1).startAll()) {
            TestNode leader = cluster.commit("before", "1");
            TestNode added = cluster.newNode("d", leader);
            added.start();
            awaitTrue("node d finds the cluster", () -> !node(added).clusterId().isEmpty());
            node(leader).add(added.member);
            added.crash();
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> node(leader).remove("d"))
                    .withMessageContaining("The addition of node 'd' is in progress. Stop the node");

            TestNode other = cluster.followersOf(leader).get(0);
            cluster.lead(other); // which ends the change
            cluster.lead(leader);
            assertThat(node(leader).members()).contains(added.member);
            awaitTrue("the end of the addition", () -> isRemoved("d", leader));

            assertThat(node(leader).members()).doesNotContain(added.member);
            assertThat(names(leader)).containsExactlyInAnyOrder("a", "b", "c");
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> node(leader).remove("d"))
                    .withMessageContaining("Expected a member of the cluster, but got 'd'.");
        }
    }

    @Test
    @DisplayName("grow from one to three and shrink to one again, one at a time (CL-54, CL-55)")
    void oneToThreeToOne() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 1, 1).startAll()) {
            TestNode first = cluster.commit("one", "1");
            for (String name : List.of("b", "c")) {
                TestNode added = cluster.newNode(name, first);
                added.start();
                awaitTrue(
                        name + " finds the cluster",
                        () -> !node(added).clusterId().isEmpty());
                node(first).add(added.member);
                awaitTrue("the part of " + name + " in the cluster", added::takesPart);
            }
            assertThat(names(first)).containsExactly("a", "b", "c");
            cluster.commit("three", "3");
            cluster.awaitEverywhere("one", "1");

            TestNode leader = cluster.leader();
            for (TestNode follower : cluster.followersOf(leader)) {
                node(leader).remove(follower.member.name());
                awaitTrue("the end of its part", () -> follower.status().role() == NodeStatus.Role.STOPPED);
            }

            assertThat(names(leader)).containsExactly(leader.member.name());
            cluster.commit("alone", "4");
            assertThat(leader.value(0, "three")).isEqualTo("3");
        }
    }

    @Test
    @DisplayName("refuse changes that would harm them, with the reason and the remedy (CL-55, CL-84)")
    void refuseHarmfulChanges() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 3, 1).startAll()) {
            TestNode leader = cluster.commit("before", "1");
            List<TestNode> followers = cluster.followersOf(leader);
            TestNode follower = followers.get(0);
            refused(() -> node(leader).remove(leader.member.name()), "First make another node the leader");
            refused(() -> node(leader).remove("x"), "Expected a member of the cluster, but got 'x'. The members are");
            refused(() -> node(follower).remove("a"), "does not lead");
            refused(
                    () -> node(leader).add(new ClusterMember("x", "127.0.0.1", 1, 2)),
                    "Start it with --cluster-nodes that names it");
            refused(
                    () -> node(leader)
                            .add(new ClusterMember(
                                    "x", "127.0.0.1", follower.member.raftPort(), follower.member.nodePort())),
                    "Expected node 'x' at 127.0.0.1");

            followers.get(1).stop();
            awaitTrue(
                    "the absence of a follower",
                    () -> leader.status().members().stream()
                            .anyMatch(member -> member.lastContactMs() > 2L * TestCluster.ELECTION_MS));
            refused(
                    () -> node(leader).remove(follower.member.name()),
                    "only 1 of 2 members would answer, and the cluster could not serve clients");
            assertThat(names(leader)).hasSize(3);
        }
    }

    /** Takes the order to add a node back. The change of the leadership may not be complete yet. */
    private static boolean isRemoved(String name, TestNode leader) {
        try {
            node(leader).remove(name);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void refused(ThrowingCallable change, String reason) {
        assertThatExceptionOfType(IOException.class).isThrownBy(change).withMessageContaining(reason);
    }
}
