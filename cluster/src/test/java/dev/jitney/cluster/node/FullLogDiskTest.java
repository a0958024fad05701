package dev.jitney.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.Table;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Each node has a file system of 64 MiB for its log, which only the administrator may make. */
@DisplayName("Three nodes with small disks for their logs")
@EnabledOnOs(OS.LINUX)
class FullLogDiskTest {
    private static final int MIB = 1 << 20;

    @TempDir
    Path directory;

    private TestCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(directory, 3, 1, TestCluster.SHORT_ELECTION_MS);
        for (TestCluster.TestNode node : cluster.nodes) {
            Files.createDirectories(node.directory());
            assumeTrue(
                    isDone("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", "" + node.directory()),
                    "This user may not mount a file system.");
            node.realDisks = true;
        }
        cluster.startAll();
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
        for (TestCluster.TestNode node : cluster.nodes) {
            isDone("umount", "-l", "" + node.directory());
        }
    }

    private static boolean isDone(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    @Test
    @DisplayName("continue without a follower whose log disk is full; it says why, and catches up when there is room"
            + " (CL-42, CL-43)")
    void fullDiskOfAFollower() throws Exception {
        TestCluster.TestNode leader = cluster.commit("a", "1");
        TestCluster.TestNode full = cluster.followersOf(leader).get(0);
        cluster.awaitEverywhere("a", "1");
        Path ballast = fill(full.directory());
        TestCluster.awaitTrue("the end of its part", () -> {
            cluster.commit("b", "2");
            return full.status().role() == NodeStatus.Role.STOPPED;
        });
        assertThat(full.status().remark()).containsAnyOf("nearly full", "No space left");
        for (int i = 0; i < 5; i++) {
            cluster.commit("k" + i, "3");
        }
        assertThat(full.value(0, "k4")).isNull();
        Files.delete(ballast);
        cluster.awaitEverywhere("k4", "3");
        TestCluster.awaitTrue("its part", () -> full.status().role() == NodeStatus.Role.FOLLOWER);
    }

    @Test
    @DisplayName("have another leader when the log disk of the leader is full (CL-16, CL-42)")
    void fullDiskOfTheLeader() throws Exception {
        TestCluster.TestNode full = cluster.commit("a", "1");
        cluster.awaitEverywhere("a", "1");
        Path ballast = fill(full.directory());
        TestCluster.awaitTrue("another leader", () -> {
            TestCluster.TestNode leader = cluster.commit("b", "2");
            return leader != full;
        });
        TestCluster.awaitTrue("the end of its part", () -> full.status().role() == NodeStatus.Role.STOPPED);
        Files.delete(ballast);
        cluster.commit("c", "3");
        cluster.awaitEverywhere("c", "3");
        assertThat(full.directory().resolve(SpareSpace.FILE)).exists();
    }

    @Test
    @DisplayName("keep a log that is smaller than its disk, although the stores have written no table files (CL-41)")
    void smallLog() throws Exception {
        for (int i = 0; i < 80; i++) {
            RowBatch batch = TestCluster.row("k" + i, "" + i);
            batch.put(Table.META, new byte[] {1}, new byte[MIB]);
            TestCluster.awaitTrue("room", () -> {
                LeaderTerm term = cluster.leader().term();
                return term != null && term.stores().get(0).acceptsGrowth();
            });
            cluster.commit(0, batch);
        }
        cluster.awaitEverywhere("k79", "79");
        for (TestCluster.TestNode node : cluster.nodes) {
            assertThat(node.status().restarts()).isZero();
        }
    }

    /** Fills a disk, and returns the file to delete. */
    private static Path fill(Path disk) throws IOException {
        Path file = disk.resolve("ballast");
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] block = new byte[1 << 16];
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            return file; // the disk is full
        }
    }
}
