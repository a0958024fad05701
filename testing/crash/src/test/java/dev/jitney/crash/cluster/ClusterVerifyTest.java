package dev.jitney.crash.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Eventually;
import dev.jitney.runtime.store.ReplicaPosition;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.Table;
import dev.jitney.store.rocksdb.RocksDbOptions;
import dev.jitney.store.rocksdb.RocksDbReplica;
import dev.jitney.testing.process.ClusterProcesses;
import dev.jitney.testing.process.NodeProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code jitney cluster verify} over three processes. */
final class ClusterVerifyTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    Path directory;

    private ClusterProcesses cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new ClusterProcesses(
                directory, List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"), List.of());
        cluster.launchAll();
        cluster.awaitWhole(PATIENCE);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    @Test
    @DisplayName(
            "CL-85: verify ends with 0 for equal nodes, names a member that is away, and names node, store and table of a"
                    + " row that was changed in the files of a node")
    void verify() throws Exception {
        ClusterProcesses.Result equal = cluster.command(PATIENCE, "verify");
        assertThat(equal.status()).as(equal.text()).isZero();
        assertThat(equal.text()).contains("All nodes are equal.");

        NodeProcess leader = cluster.awaitLeader(PATIENCE);
        NodeProcess follower = cluster.nodes().stream()
                .filter(node -> node != leader)
                .findFirst()
                .orElseThrow();
        assertThat(follower.terminate()).isZero();
        ClusterProcesses.Result away = cluster.command(PATIENCE, "verify");
        assertThat(away.status()).as(away.text()).isEqualTo(1);
        assertThat(away.text()).contains("The compared nodes are equal. Not compared: " + follower.name());

        alter(follower);
        cluster.launchAll();
        cluster.awaitWhole(PATIENCE);
        ClusterProcesses.Result different = cluster.command(PATIENCE, "verify");
        assertThat(different.status()).as(different.text()).isEqualTo(1);
        assertThat(different.text())
                .contains("Node " + follower.name()
                        + " differs in store 0, table SESSION_STATES: 1 rows, and most nodes have 0.");
        ClusterProcesses.Result json = cluster.command(PATIENCE, "verify", "--json");
        assertThat(json.text()).contains("\"equal\":false").contains("\"table\":\"SESSION_STATES\"");
    }

    @Test
    @DisplayName("CL-83: after a change of leaders, the log of each node has one line with leader, term and times")
    void logsChanges() throws Exception {
        NodeProcess leader = cluster.awaitLeader(PATIENCE);
        leader.kill();
        NodeProcess next = cluster.awaitLeader(PATIENCE);
        NodeProcess third = cluster.nodes().stream()
                .filter(node -> node != leader && node != next)
                .findFirst()
                .orElseThrow();
        Eventually.until(
                "the new leader logs its term",
                PATIENCE,
                () -> next.errors()
                        .lines()
                        .anyMatch(line -> line.contains("This node leads and serves clients")
                                && line.contains("term=")
                                && line.contains("openSeconds=")
                                && line.contains("withoutLeaderSeconds=")));
        Eventually.until(
                "the other node logs its leader",
                PATIENCE,
                () -> third.errors()
                        .lines()
                        .anyMatch(line -> line.contains("This node follows")
                                && line.contains("leader=" + next.name())
                                && line.contains("term=")
                                && line.contains("withoutLeaderSeconds=")));
    }

    /** Adds a row that no entry has, in place of an entry that the node lacks. */
    private static void alter(NodeProcess node) throws Exception {
        try (RocksDbReplica replica =
                        RocksDbReplica.openExisting(node.data().resolve("store-0"), RocksDbOptions.DEFAULTS);
                RowBatch batch = new RowBatch()) {
            ReplicaPosition last = replica.position();
            batch.put(Table.SESSION_STATES, new byte[] {1}, new byte[] {1});
            replica.apply(
                    batch.encoded(), new ReplicaPosition(last.term(), last.index() + 1, last.number(), last.timeMs()));
        }
    }
}
