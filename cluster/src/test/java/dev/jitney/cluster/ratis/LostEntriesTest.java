package dev.jitney.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cluster.InMemoryReplicaStore;
import dev.jitney.cluster.StoreReplica;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A log before the start of its node")
class LostEntriesTest {
    private static final UUID CLUSTER = new UUID(1, 2);

    /** The header, then the size of an entry, its content and its checksum, which the node does not read. */
    private static final byte[] FILE_WITH_AN_ENTRY = {'R', 'a', 'f', 't', 'L', 'o', 'g', '1', 2, 8, 5, 0, 0, 0, 0};

    @TempDir
    Path directory;

    @Test
    @DisplayName(
            "has lost an entry only if the leader that knows it is of the term of the node or of a later one (CL-50)")
    void comparesTerms() throws IOException {
        Path current = directory.resolve(CLUSTER.toString()).resolve("current");
        Files.createDirectories(current);
        Files.writeString(current.resolve("raft-meta"), "#a comment\nterm=5\nvotedFor=a.01\n");
        Files.write(current.resolve("log_0-9"), FILE_WITH_AN_ENTRY);
        try (RatisServer server = server()) {
            assertThat(server.hadLost(5, 9)).isFalse();
            assertThat(server.hadLost(5, 10)).isTrue();
            assertThat(server.hadLost(6, 10)).isTrue();
            assertThat(server.hadLost(4, 10)).isFalse();
            assertThat(server.hadLost(6, -1)).isFalse();
        }
    }

    @Test
    @DisplayName("has lost nothing that is in table files (CL-50)")
    void countsTableFiles() throws IOException {
        new ReplayPoint(new LogPoint(3, 70), new long[] {0}).write(directory);
        try (RatisServer server = server()) {
            assertThat(server.hadLost(3, 70)).isFalse();
            assertThat(server.hadLost(3, 71)).isTrue();
        }
    }

    private RatisServer server() throws IOException {
        return new RatisServer(
                new RatisSettings(directory, "127.0.0.1", 0, 1_000, 1L << 30),
                CLUSTER,
                "b.02",
                List.of(),
                List.of(new StoreReplica(new InMemoryReplicaStore())),
                new NoEvents());
    }
}
