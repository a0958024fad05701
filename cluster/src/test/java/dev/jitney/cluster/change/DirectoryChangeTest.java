package dev.jitney.cluster.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.cluster.change.ChangedNodes.ChangedNode;
import dev.jitney.cluster.member.Membership;
import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A data directory")
@Timeout(120)
class DirectoryChangeTest {
    @TempDir
    Path directory;

    private ChangedNodes nodes;

    @BeforeEach
    void open() throws IOException {
        nodes = new ChangedNodes(directory);
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    @Test
    @DisplayName("of a single node founds a cluster, and becomes that of a single node again, with all rows (CL-54)")
    void foundsAndLeaves() throws Exception {
        ChangedNode a = nodes.node("a");
        a.commitAlone("single", "1");

        assertThat(a.found()).isTrue();
        assertThat(a.found()).as("a second time").isFalse();

        a.start();
        a.awaitLeads();
        assertThat(a.value("single")).isEqualTo("1");
        a.commit("agreed", "2");
        a.stop();
        a.start();
        a.awaitLeads();
        a.commit("agreed again", "3");
        a.kill(); // the rest of the log is not in table files

        assertThat(a.leave()).isTrue();
        assertThat(a.leave()).as("a second time").isFalse();

        assertThat(a.valueAlone("single")).isEqualTo("1");
        assertThat(a.valueAlone("agreed")).isEqualTo("2");
        assertThat(a.valueAlone("agreed again")).isEqualTo("3");
        a.commitAlone("single again", "4");
        assertThat(a.directory().resolve("raft")).doesNotExist();
        assertThat(a.directory().resolve(Membership.FILE)).doesNotExist();
        a.found();
        a.start();
        a.awaitLeads();
        assertThat(a.value("single again")).isEqualTo("4");
    }

    @Test
    @DisplayName(
            "of a single node founds a cluster that others join, and they have all rows from before (CL-51, CL-54)")
    void othersJoin() throws Exception {
        ChangedNode a = nodes.node("a");
        ChangedNode b = nodes.node("b");
        ChangedNode c = nodes.node("c");
        a.commitAlone("single", "1");
        a.found();
        a.start();
        b.start();
        c.start();

        b.awaitMember();
        c.awaitMember();
        nodes.commit("three", "3");

        for (ChangedNode node : nodes.all()) {
            node.awaitValue("single", "1");
            node.awaitValue("three", "3");
        }
        b.stop();
        b.start();
        b.awaitMember();
        nodes.commit("after a restart", "4");
        b.awaitValue("after a restart", "4");
        assertThat(b.value("single")).isEqualTo("1");
    }

    @Test
    @DisplayName("whose founding of a cluster was interrupted continues with it, and starts as nothing else (CL-54)")
    void continuesFounding() throws Exception {
        ChangedNode a = nodes.node("a");
        a.commitAlone("single", "1");
        a.failAt(1);
        assertThatExceptionOfType(StoreException.class).isThrownBy(a::found);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(a::start)
                .withMessageContaining("Start this node with --cluster-found once more");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(a::leave)
                .withMessageContaining("Start this node with --cluster-found once more");
        assertThat(a.found()).isTrue();

        a.start();
        a.awaitLeads();
        assertThat(a.value("single")).isEqualTo("1");
    }

    @Test
    @DisplayName("whose change to a single node was interrupted continues with it (CL-54)")
    void continuesLeaving() throws Exception {
        ChangedNode a = nodes.node("a");
        a.commitAlone("single", "1");
        a.found();
        a.start();
        a.awaitLeads();
        a.commit("agreed", "2");
        a.stop();
        a.failAt(1);
        assertThatExceptionOfType(StoreException.class).isThrownBy(a::leave);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(a::start)
                .withMessageContaining("Start this node with --cluster-leave once more");
        assertThat(a.leave()).isTrue();

        assertThat(a.valueAlone("agreed")).isEqualTo("2");
    }

    @Test
    @DisplayName("does not found a cluster if it is empty, or another node belongs to one (CL-54)")
    void refusesToFound() throws Exception {
        ChangedNode a = nodes.node("a");
        ChangedNode b = nodes.node("b");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(a::found)
                .withMessageContaining("Expected the data directory of a single node, but it is empty");
        a.commitAlone("single", "1");
        a.found();
        a.start();
        a.awaitLeads();
        b.commitAlone("other", "1");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(b::found)
                .withMessageContaining("Node 'a' belongs to cluster " + a.clusterId() + " already");

        assertThat(b.valueAlone("other")).isEqualTo("1");
    }

    @Test
    @DisplayName(
            "of a member of several continues without the others if they are gone, with everything in its log (CL-54, CL-56)")
    void abandonsOthers() throws Exception {
        three();
        ChangedNode survivor = nodes.follower();
        UUID old = UUID.fromString(survivor.clusterId());
        survivor.stop();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(survivor::leave)
                .withMessageContaining("Remove them first: jitney cluster remove NAME");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> survivor.abandonOthers(old))
                .withMessageContaining("answers. If a majority of the members can run again, start them instead");
        nodes.all().forEach(ChangedNode::kill);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> survivor.abandonOthers(UUID.randomUUID()))
                .withMessageContaining("which is " + old)
                .withMessageContaining("Messages that only the other members have will be lost");

        survivor.failAt(1);
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> survivor.abandonOthers(old));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(survivor::start)
                .withMessageContaining("Start this node with --cluster-abandon-others once more");
        assertThat(survivor.abandonOthers(old)).isTrue();
        assertThat(survivor.abandonOthers(old)).as("a second time").isFalse();

        survivor.start();
        survivor.awaitLeads();
        assertThat(survivor.value("single")).isEqualTo("1");
        assertThat(survivor.value("three")).isEqualTo("3");
        assertThat(survivor.clusterId()).isNotEqualTo(old.toString());
        survivor.commit("after the loss", "4");
        ChangedNode other = nodes.all().stream()
                .filter(node -> node != survivor)
                .findFirst()
                .orElseThrow();
        other.start();
        other.awaitRemark("it belongs to cluster " + old, "Empty the data directory");
        other.stop();
        other.wipe();
        other.start();
        other.awaitMember();
        other.awaitValue("three", "3");
        other.awaitValue("after the loss", "4");
    }

    @Test
    @DisplayName(
            "of a member of several does not continue without others that only the log has, while they answer (CL-56)")
    void asksMembersThatTheOptionsLack() throws Exception {
        three();
        ChangedNode survivor = nodes.follower();
        UUID old = UUID.fromString(survivor.clusterId());
        survivor.stop();
        survivor.configureAlone();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> survivor.abandonOthers(old))
                .withMessageContaining("answers. If a majority of the members can run again, start them instead");
        nodes.all().forEach(ChangedNode::kill);
        assertThat(survivor.abandonOthers(old)).isTrue();
    }

    @Test
    @DisplayName(
            "that was to continue without the others, and was interrupted while it applied its log, never starts as a member of"
                    + " the old cluster, and completes the change (CL-56)")
    void continuesAbandoning() throws Exception {
        three();
        ChangedNode survivor = nodes.follower();
        UUID old = UUID.fromString(survivor.clusterId());
        nodes.all().forEach(ChangedNode::kill);
        survivor.failToOpen();
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> survivor.abandonOthers(old));

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(survivor::start)
                .withMessageContaining("Start this node with --cluster-abandon-others once more");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(survivor::leave)
                .withMessageContaining("Start this node with --cluster-abandon-others once more");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(survivor::found)
                .withMessageContaining("Start this node with --cluster-abandon-others once more");
        assertThat(survivor.abandonOthers(old)).isTrue();

        survivor.start();
        survivor.awaitLeads();
        assertThat(survivor.value("three")).isEqualTo("3");
        assertThat(survivor.clusterId()).isNotEqualTo(old.toString());
    }

    @Test
    @DisplayName(
            "of a node that never joined, was removed or has lost entries does not continue without the others (CL-50, CL-52, CL-56)")
    void refusesToContinueWithALack() throws Exception {
        UUID cluster = UUID.randomUUID();
        ChangedNode a = nodes.node("a");
        Files.createDirectories(a.directory());
        Membership waits = Membership.none("a.01").in(cluster, List.of());

        waits.write(a.directory());
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> a.abandonOthers(cluster))
                .withMessageContaining("but this node never became one, so it lacks messages");
        waits.asMember().asRemoved().write(a.directory());
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> a.abandonOthers(cluster))
                .withMessageContaining(
                        "but this node was removed from the cluster, so it lacks all messages since then");
        waits.asMember().asLost().write(a.directory());
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> a.abandonOthers(cluster))
                .withMessageContaining("but this node has lost entries of its log that it acknowledged")
                .withMessageContaining("Start another remaining node");
        assertThat(a.directory().resolve("raft")).doesNotExist();
    }

    @Test
    @DisplayName(
            "that is empty joins the cluster of the others, although an option from before is still there (CL-51, CL-54, CL-56)")
    void joinsInsteadOfAChange() throws Exception {
        three();
        for (ChangedNode lost : List.of(nodes.node("a"), nodes.follower())) {
            UUID cluster = UUID.fromString(lost.clusterId());
            lost.stop();
            lost.wipe();
            boolean changed = lost == nodes.node("a") ? lost.found() : lost.abandonOthers(cluster);
            assertThat(changed).isFalse();
            assertThat(lost.found()).as("at the next start").isFalse();
            lost.start();
            lost.awaitMember();
            lost.awaitValue("three", "3");
            assertThat(lost.clusterId()).isEqualTo(cluster.toString());
        }
    }

    @Test
    @DisplayName("of a member does not continue without others that start and give no introduction yet (CL-56)")
    void waitsForNodesThatStart() throws Exception {
        three();
        UUID old = UUID.fromString(nodes.node("a").clusterId());
        nodes.all().forEach(ChangedNode::kill);
        nodes.starting.add("c");
        nodes.patienceNanos = 0;

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> nodes.node("a").abandonOthers(old))
                .withMessageContaining("Expected an introduction of node 'c'")
                .withMessageContaining("The node starts. Try again later.");

        nodes.starting.clear();
        assertThat(nodes.node("a").abandonOthers(old)).isTrue();
    }

    @Test
    @DisplayName("of a single node founds no cluster while another node starts and gives no introduction yet (CL-54)")
    void foundsNothingBesideANodeThatStarts() throws Exception {
        nodes.node("a").commitAlone("single", "1");
        nodes.starting.add("b");
        nodes.patienceNanos = 0;

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(nodes.node("a")::found)
                .withMessageContaining("Expected an introduction of node 'b'");

        nodes.starting.clear();
        assertThat(nodes.node("a").found()).isTrue();
    }

    private void three() throws Exception {
        nodes.node("a").commitAlone("single", "1");
        nodes.node("a").found();
        for (String name : new String[] {"a", "b", "c"}) {
            nodes.node(name).start();
        }
        for (ChangedNode node : nodes.all()) {
            node.awaitMember();
        }
        nodes.commit("three", "3");
        for (ChangedNode node : nodes.all()) {
            node.awaitValue("three", "3");
        }
    }
}
