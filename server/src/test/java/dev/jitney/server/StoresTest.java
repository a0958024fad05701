package dev.jitney.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.model.QueueDescription;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("PART-1: a server with stores in several directories")
class StoresTest {
    @TempDir
    Path dir;

    private Path a;
    private Path b;

    @BeforeEach
    void names() {
        a = dir.resolve("a");
        b = dir.resolve("b");
    }

    private JitneyServerBuilder builder(Path... directories) {
        return JitneyServer.builder()
                .dataDir(dir.resolve("data"))
                .storeDirs(List.of(directories))
                .amqpPort(0)
                .httpPort(0);
    }

    private static void assertRefused(JitneyServerBuilder builder, int exitCode, String... words) {
        assertThatThrownBy(() -> builder.build().start())
                .isInstanceOfSatisfying(
                        StartException.class, e -> assertThat(e.exitCode()).isEqualTo(exitCode))
                .satisfies(e -> List.of(words).forEach(word -> assertThat(e).hasMessageContaining(word)));
    }

    @Test
    @DisplayName("entities exist after restarts, and any error in the directories refuses the start")
    void placementStaysOverRestarts() throws Exception {
        List<String> paths =
                IntStream.range(0, 20).mapToObj(i -> String.format("q%02d", i)).toList();
        try (JitneyServer server = builder(a, b).build().start()) {
            for (String path : paths) {
                server.broker()
                        .namespace(null)
                        .createQueue(QueueDescription.named(path).build())
                        .toCompletableFuture()
                        .get(30, TimeUnit.SECONDS);
            }
            assertThat(server.broker().shards()).hasSize(2);
            assertRefused(builder(a, b), 1, "--data-dir", "Another server");
        }
        assertThat(a.resolve("store-0/db")).isDirectory();
        assertThat(b.resolve("store-1/db")).isDirectory();
        assertThat(dir.resolve("data/store-0")).doesNotExist();

        assertRefused(builder(b, a), 2, "Use --store-dirs " + a + "," + b);
        assertRefused(builder(a), 2, "--store-dirs " + a, "created with 2 stores");
        assertRefused(builder(a, b).stores(1), 2, "--stores 1", "--store-dirs");
        assertRefused(builder().stores(2), 1, "store 0 is missing");

        Path database = b.resolve("store-1/db");
        Files.move(database, b.resolve("away"));
        assertRefused(builder(a, b), 1, b.resolve("store-1").toString(), "there is none");
        assertThat(database).doesNotExist();
        Files.move(b.resolve("away"), database);

        for (int i = 0; i < 2; i++) {
            try (JitneyServer server = builder(a, b).build().start()) {
                assertThat(server.queuePaths(0)).isEqualTo(paths);
            }
        }
    }
}
