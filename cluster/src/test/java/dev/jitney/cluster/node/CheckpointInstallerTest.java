package dev.jitney.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.cluster.InMemoryReplicaStore;
import dev.jitney.cluster.StoreReplica;
import dev.jitney.cluster.checkpoint.CheckpointManifest;
import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.cluster.member.ClusterSettings;
import dev.jitney.cluster.member.Members;
import dev.jitney.cluster.ratis.LogPoint;
import dev.jitney.cluster.ratis.NoEvents;
import dev.jitney.cluster.ratis.RatisServer;
import dev.jitney.cluster.ratis.RatisSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The installation of a checkpoint")
@Timeout(60)
class CheckpointInstallerTest {
    private static final UUID CLUSTER = new UUID(1, 2);

    @TempDir
    Path directory;

    private final AtomicInteger made = new AtomicInteger();

    private byte[] answer(ClusterMember to, String request, byte[] body) throws IOException {
        if (request.equals(NodeAnswers.CHECKPOINT)) {
            made.incrementAndGet();
            return new CheckpointManifest(
                            "aa", new LogPoint(1, 5), List.of(new CheckpointManifest.File(0, "huge.sst", 1L << 60)))
                    .text()
                    .getBytes(StandardCharsets.UTF_8);
        }
        return new byte[0];
    }

    @Test
    @DisplayName("without room makes the leader flush its stores once, and not once a second (CL-45, CL-94)")
    void asksOnceWithoutRoom() throws Exception {
        ClusterSettings settings = new ClusterSettings(
                ClusterMember.parse("a=127.0.0.1:7400,b=127.0.0.1:7500"), "b", directory, 1, 1_000, 1L << 30);
        List<StoreReplica> replicas = List.of(new StoreReplica(new InMemoryReplicaStore()));
        try (RatisServer server = new RatisServer(
                        new RatisSettings(directory.resolve("raft"), "127.0.0.1", 0, 1_000, 1L << 30),
                        CLUSTER,
                        "b.02",
                        List.of(),
                        replicas,
                        new NoEvents());
                CheckpointInstaller installer = new CheckpointInstaller(
                        settings,
                        new Members(settings, List.of()),
                        replicas,
                        store -> directory.resolve("work"),
                        this::answer,
                        leader -> {})) {
            for (int i = 0; i < 3; i++) {
                assertThatExceptionOfType(ExecutionException.class)
                        .isThrownBy(
                                () -> installer.install(server, CLUSTER, "a.01").get())
                        .withMessageContaining("Make room on this disk");
            }
        }
        assertThat(made).hasValue(1);
    }

    @Test
    @DisplayName("is repeated after a second at first, and after a minute when it keeps failing (CL-45)")
    void pauses() {
        InstallPause pause = new InstallPause();
        for (long expected : new long[] {1_000, 1_000, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000}) {
            assertThat(pause.failed("a.01")).isEqualTo(expected);
        }
        assertThat(pause.failed("c.03")).as("of another leader").isEqualTo(1_000);
        assertThat(pause.failed("a.01")).isEqualTo(1_000);
        for (int i = 0; i < 100; i++) {
            assertThat(pause.failed("a.01")).isBetween(1_000L, 60_000L);
        }
        pause.succeeded();
        assertThat(pause.failed("a.01")).as("after a success").isEqualTo(1_000);
    }
}
