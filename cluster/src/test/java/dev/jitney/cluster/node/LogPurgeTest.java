package dev.jitney.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cluster.InMemoryReplicaStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Three nodes whose log keeps as little as possible")
class LogPurgeTest {
    private static final Pattern FIRST = Pattern.compile("log_(?:inprogress_)?(\\d+).*");

    @TempDir
    Path directory;

    private TestCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(directory, 3, 2);
        cluster.nodes.forEach(node -> node.logBytesMax = 0);
        cluster.startAll();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** The entries of a term begin a new file, so the end of a term is the end of a file on every node. */
    @Test
    @DisplayName("give a follower whose next entry is the first of the log one checkpoint, and no more"
            + " (CL-40, CL-41, RATIS-2500)")
    void nextEntryIsTheFirstOfTheLog() throws Exception {
        TestCluster.TestNode old = cluster.commit("a", "1");
        cluster.awaitEverywhere("a", "1");
        TestCluster.TestNode away = cluster.followersOf(old).get(0);
        TestCluster.TestNode next = cluster.followersOf(old).get(1);
        long last = awaitQuiet(old);
        away.crash();
        old.node.transferLeadership(next.member.name());
        TestCluster.awaitTrue("the other leader", () -> next.term() != null);
        for (int i = 0; i < 6; i++) {
            next.store(0).commit(large(i));
        }
        flush(next);
        TestCluster.awaitTrue("a log that begins behind the entries of the node", () -> first(next) == last + 1);
        away.start();
        cluster.awaitEverywhere("k5", "5");
        assertThat(cluster.requests).containsEntry("checkpoint", 1);
        next.commit("b", "2");
        cluster.awaitEverywhere("b", "2");
        assertThat(cluster.requests).containsEntry("checkpoint", 1);
        assertThat(away.status().role()).isEqualTo(NodeStatus.Role.FOLLOWER);
    }

    @Test
    @DisplayName(
            "have a store that changes rarely write table files, because it would keep the whole log otherwise (CL-41)")
    void storesThatChangeRarely() throws Exception {
        cluster.commit(1, TestCluster.row("rare", "1"));
        for (int i = 0; i < 24; i++) {
            cluster.commit(0, large(i));
        }
        for (TestCluster.TestNode node : cluster.nodes) {
            TestCluster.awaitTrue("a shorter log", () -> node.status().logBytes() < (16 << 20));
        }
    }

    private static RowBatch large(int number) {
        RowBatch batch = TestCluster.row("k" + number, "" + number);
        batch.put(Table.META, new byte[] {1}, new byte[1 << 20]);
        return batch;
    }

    private static void flush(TestCluster.TestNode node) throws StoreException {
        for (InMemoryReplicaStore disk : node.disks) {
            disk.flush();
        }
    }

    /** Waits until all nodes have the same log and nothing is added, and returns its last index. */
    private long awaitQuiet(TestCluster.TestNode leader) throws Exception {
        long[] seen = {-1, 0};
        TestCluster.awaitTrue("a quiet log", () -> {
            List<Long> ends = leader.status().members().stream()
                    .filter(member -> !member.leads())
                    .map(NodeStatus.Member::position)
                    .distinct()
                    .toList();
            boolean same = ends.size() == 1 && ends.get(0) == seen[0];
            seen[0] = ends.get(0);
            seen[1] = same ? seen[1] + 1 : 0;
            return seen[1] > 30;
        });
        return seen[0];
    }

    /** Returns the index of the first entry of the log of a node. */
    private static long first(TestCluster.TestNode node) throws IOException {
        Path log;
        try (Stream<Path> groups = Files.list(node.directory().resolve("raft"))) {
            log = groups.filter(Files::isDirectory).findFirst().orElseThrow().resolve("current");
        }
        return Arrays.stream(Objects.requireNonNull(log.toFile().list()))
                .map(FIRST::matcher)
                .filter(Matcher::matches)
                .mapToLong(name -> Long.parseLong(name.group(1)))
                .min()
                .orElse(-1);
    }
}
