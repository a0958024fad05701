package dev.jitney.cluster.node;

import static dev.jitney.cluster.node.TestCluster.awaitTrue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.cluster.member.NodeText;
import dev.jitney.cluster.node.TestCluster.TestNode;
import dev.jitney.runtime.store.FormatLevels;
import dev.jitney.runtime.store.LevelRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The level of a cluster")
class LevelsTest {
    private static final FormatLevels FORMER = new FormatLevels(1, 1);
    private static final FormatLevels NEW = new FormatLevels(1, 2);

    @TempDir
    Path dir;

    private TestCluster cluster;

    @AfterEach
    void close() {
        cluster.close();
    }

    /** Makes a cluster of nodes a, b and c whose releases support these levels, and starts it. */
    private void start(FormatLevels... levels) throws Exception {
        cluster = new TestCluster(dir, 3, 2, TestCluster.SHORT_ELECTION_MS);
        for (int i = 0; i < levels.length; i++) {
            runs(cluster.nodes.get(i), levels[i]);
        }
        cluster.startAll();
        cluster.commit("first", "1");
        cluster.awaitEverywhere("first", "1");
    }

    private static void runs(TestNode node, FormatLevels levels) {
        node.levels = levels;
        node.release = levels.equals(FORMER) ? "1.2.3" : "1.3.0";
    }

    /** Starts a node with another release, and waits until it takes part. */
    private void restart(TestNode node, FormatLevels levels) throws Exception {
        node.stop();
        runs(node, levels);
        node.start();
        awaitTrue("the part of " + node.member.name(), node::takesPart);
        cluster.leader();
    }

    /** Raises the level on the leader as soon as all members are ready. */
    private LevelChange upgrade() throws Exception {
        AtomicReference<String> refusal = new AtomicReference<>("none");
        try {
            return TestCluster.await("the upgrade", () -> {
                try {
                    return cluster.leader().upgrade();
                } catch (IOException e) {
                    refusal.set(String.valueOf(e.getMessage()));
                    return null;
                }
            });
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + " The last refusal: " + refusal.get(), e);
        }
    }

    private void awaitLevel(int level) throws Exception {
        for (TestNode node : cluster.nodes) {
            if (node.node != null) {
                awaitTrue("level " + level + " on " + node.member.name(), () -> node.level() == level);
            }
        }
    }

    /** Waits until the leader refuses to raise the level, with a text. */
    private void awaitRefusal(String text) throws Exception {
        awaitTrue("a refusal with '" + text + "'", () -> {
            try {
                cluster.leader().upgrade();
                return false;
            } catch (IOException e) {
                return String.valueOf(e.getMessage()).contains(text);
            }
        });
    }

    @Test
    @DisplayName("of a new cluster is the highest one that its release supports, and survives restarts (CL-60)")
    void beginsAtTheHighest() throws Exception {
        start(NEW, NEW, NEW);

        awaitLevel(2);

        cluster.nodes.forEach(TestNode::crash);
        for (TestNode node : cluster.nodes) {
            node.start();
        }
        cluster.commit("second", "2");
        cluster.awaitEverywhere("second", "2");
        awaitLevel(2);
        assertThat(LevelRow.stored(cluster.leader().disks.get(0))).isEqualTo(2);
        assertThat(LevelRow.stored(cluster.leader().disks.get(1)))
                .as("the second store")
                .isZero();
    }

    @Test
    @DisplayName("is the former one while two releases work together, whichever leads (CL-61)")
    void mixedReleases() throws Exception {
        start(NEW, NEW, FORMER);
        TestNode a = cluster.nodes.get(0);
        TestNode c = cluster.nodes.get(2);

        for (TestNode leader : List.of(c, a, c)) {
            cluster.lead(leader);
            String key = "by " + leader.member.name();
            cluster.commit(key, "1");
            cluster.awaitEverywhere(key, "1");
        }

        awaitLevel(1);
        assertThat(LevelRow.stored(a.disks.get(0))).as("a row").isZero();
        cluster.lead(a);
        awaitRefusal("Node c of release 1.2.3 supports level 1 only. Upgrade it to a release that supports level 2.");
        cluster.lead(c);
        awaitRefusal("Node c of release 1.2.3 supports level 1 only.");
        awaitLevel(1);
    }

    @Test
    @DisplayName("is not raised while a member does not answer, or by a node that does not lead (CL-61)")
    void refusals() throws Exception {
        start(FORMER, FORMER, FORMER);
        for (TestNode node : cluster.nodes) {
            restart(node, NEW);
        }
        TestNode follower = cluster.followersOf(cluster.leader()).get(0);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(follower::upgrade)
                .withMessage("Node " + follower.member.name() + " does not lead.");

        follower.stop();
        awaitRefusal("Node " + follower.member.name() + " does not answer. Start it, or make its node port reachable.");
        awaitLevel(1);
    }

    @Test
    @DisplayName("is not raised while a member answers but is not in sync (CL-61, CL-81)")
    void refusedForMemberBehind() throws Exception {
        start(FORMER, FORMER, FORMER);
        for (TestNode node : cluster.nodes) {
            restart(node, NEW);
        }
        cluster.lead(cluster.nodes.get(0));
        TestNode c = cluster.nodes.get(2);
        cluster.repeating.add("c");
        c.crash();
        awaitTrue("the time after which c counts as away", () -> {
            NodeStatus.Member member = cluster.leader().status().members().stream()
                    .filter(each -> each.name().equals("c"))
                    .findFirst()
                    .orElseThrow();
            return NodeStatus.isAway(member.lastContactMs());
        });

        awaitRefusal("Node c is not in sync. Wait until 'jitney cluster status' shows it in sync.");
        awaitLevel(1);
        cluster.repeating.clear();
        restart(c, NEW);
        assertThat(upgrade()).isEqualTo(new LevelChange(1, 2));
    }

    @Test
    @DisplayName("is raised when all members support the new one, and nothing is left to do then (CL-61)")
    void upgrades() throws Exception {
        start(FORMER, FORMER, FORMER);
        awaitLevel(1);
        assertThat(upgrade()).isEqualTo(new LevelChange(1, 1));
        for (TestNode node : cluster.nodes) {
            restart(node, NEW);
            cluster.commit("with " + node.member.name(), "1");
        }

        assertThat(upgrade()).isEqualTo(new LevelChange(1, 2));

        awaitLevel(2);
        assertThat(cluster.leader().term().level()).isEqualTo(2);
        assertThat(upgrade()).isEqualTo(new LevelChange(2, 2));
        for (TestNode node : cluster.nodes) {
            restart(node, NEW);
        }
        awaitLevel(2);
    }

    @Test
    @DisplayName("keeps nodes out that do not know it: they do not start, join, or get a checkpoint (CL-61, CL-84)")
    void keepsOut() throws Exception {
        start(NEW, NEW, NEW);
        cluster.lead(cluster.nodes.get(0));
        TestNode c = cluster.nodes.get(2);
        c.stop();
        String refusal = "The data has level 2, but the release of the node supports level 1 only. Install ";

        runs(c, FORMER);
        assertThatExceptionOfType(IOException.class)
                .as("a member that returns")
                .isThrownBy(c::start)
                .withMessage(refusal + "release 1.3.0 or a newer one on the node.");

        c.wipe();
        c.start();
        awaitTrue(
                "the refusal of a new member",
                () -> String.valueOf(c.status().remark()).contains(refusal));
        assertThat(c.status().role()).isEqualTo(NodeStatus.Role.WAITING);

        TestNode d = cluster.newNode("d", cluster.nodes.get(0), cluster.nodes.get(1));
        d.levels = FORMER;
        d.start();
        assertThatExceptionOfType(IOException.class)
                .as("a node that is added")
                .isThrownBy(() -> cluster.leader().node.add(d.member))
                .withMessage("Node 'd' cannot join. " + refusal + "release 1.3.0 or a newer one on the node.");

        NodeText request = new NodeText().put("cluster", cluster.leader().node.clusterId());
        assertThatExceptionOfType(IOException.class)
                .as("a node of a release without levels")
                .isThrownBy(() -> cluster.leader().node.answer(NodeAnswers.CHECKPOINT, request.bytes()))
                .withMessageContaining(refusal);
        request.put("lowestLevel", "1").put("highestLevel", "2");
        assertThat(cluster.leader().node.answer(NodeAnswers.CHECKPOINT, request.bytes()))
                .isNotEmpty();

        d.stop();
        restart(c, NEW);
        awaitLevel(2); // c has it from a checkpoint
    }

    @Test
    @DisplayName("stops a node that gets it only from the log (CL-61)")
    void stopsAtTheEntry() throws Exception {
        start(FORMER, FORMER, FORMER);
        for (TestNode node : cluster.nodes) {
            restart(node, NEW);
        }
        cluster.lead(cluster.nodes.get(0));
        assertThat(upgrade()).isEqualTo(new LevelChange(1, 2));
        TestNode c = cluster.nodes.get(2);
        c.crash();
        runs(c, FORMER);
        cluster.unreachable.add("c"); // c gets no introduction with the level
        assertThat(LevelRow.stored(c.disks.get(0).restarted()))
                .as("in table files")
                .isZero();

        c.start();

        awaitTrue("the end of its part", () -> c.status().role() == NodeStatus.Role.STOPPED);
        awaitTrue(
                "the reason",
                () -> String.valueOf(c.status().remark()).contains("The data has level 2, but the release"));
        cluster.unreachable.clear();
        restart(c, NEW);
    }

    /** The moment at which the leader of an upgrade ends. */
    private enum Moment {
        BEFORE,
        DURING,
        AFTER
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    @DisplayName("is the former or the new one on all nodes after a change of the leader during the upgrade (CL-61)")
    void leaderChange(Moment moment) throws Exception {
        start(FORMER, FORMER, FORMER);
        for (TestNode node : cluster.nodes) {
            restart(node, NEW);
        }
        awaitReady();
        TestNode leader = cluster.leader();
        long term = leader.term().term();

        int level = upgradeAndCrash(leader, moment);

        cluster.leaderAfter(term);
        cluster.commit("after the change", "1");
        leader.start();
        cluster.awaitEverywhere("after the change", "1");
        int agreed = cluster.leader().level();
        assertThat(agreed).isIn(level == 0 ? List.of(1, 2) : List.of(level));
        awaitLevel(agreed);
        assertThat(upgrade()).isEqualTo(new LevelChange(agreed, 2));
        awaitLevel(2);
    }

    /** Waits until the leader knows that all members support the new level. */
    private void awaitReady() throws Exception {
        awaitTrue(
                "the introductions of all members",
                () -> cluster.leader().node.peers().stream()
                                .filter(peer -> peer.levels().supported().equals(NEW))
                                .count()
                        == 3);
    }

    /** Returns the level that must be agreed on, or 0 if both may be. */
    private static int upgradeAndCrash(TestNode leader, Moment moment) throws Exception {
        ClusterNode node = Objects.requireNonNull(leader.node);
        CompletableFuture<Void> crash = new CompletableFuture<>();
        boolean known = false;
        try {
            node.upgrade(level -> {
                if (moment == Moment.BEFORE) {
                    leader.crash();
                    throw new IOException("The leader has ended.");
                }
                if (moment == Moment.DURING) {
                    CompletableFuture.runAsync(leader::crash).whenComplete((done, failure) -> crash.complete(null));
                }
                leader.raiseLevel(level);
            });
            known = true;
        } catch (IOException | RuntimeException e) {
            known = moment == Moment.BEFORE;
        }
        if (moment == Moment.DURING) {
            crash.get();
        }
        leader.crash();
        return !known ? 0 : moment == Moment.BEFORE ? 1 : 2;
    }
}
