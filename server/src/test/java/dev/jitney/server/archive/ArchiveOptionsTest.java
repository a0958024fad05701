package dev.jitney.server.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.server.JitneyServer;
import dev.jitney.server.JitneyServerBuilder;
import dev.jitney.server.StartException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The options of an archive")
class ArchiveOptionsTest {
    @TempDir
    Path dir;

    private JitneyServerBuilder server() {
        return JitneyServer.builder().dataDir(dir.resolve("data")).port(0);
    }

    private ArchiveOptions archive() {
        return ArchiveOptions.in(dir.resolve("archive"));
    }

    private static void refused(JitneyServerBuilder server, String... parts) {
        assertThatExceptionOfType(StartException.class)
                .isThrownBy(() -> server.build().start())
                .satisfies(refusal -> assertThat(refusal.getMessage()).contains(parts));
    }

    @Test
    @DisplayName("that cannot work are refused with the option and the fix")
    void refusals() {
        refused(server().archive(archive().every(Duration.ofMillis(10))), "--archive-interval", "100ms to 1h");
        refused(server().archive(archive().holding(1 << 20)), "--archive-hold", "64m or more");
        refused(
                server().archive(archive()).backupDir(dir.resolve("archive")),
                "--archive-dir",
                "another directory than --backup-dir");
        refused(
                server().archive(ArchiveOptions.in(dir.resolve("data/archive"))),
                "--archive-dir",
                "outside --data-dir");
    }
}
