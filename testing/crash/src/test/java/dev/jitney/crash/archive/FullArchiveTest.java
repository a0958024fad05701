package dev.jitney.crash.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Eventually;
import dev.jitney.crash.support.SmallDisk;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.SenderLink;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test with an archive on a disk that becomes full while clients send. */
final class FullArchiveTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MESSAGES = 9_000;
    private static final int BODY = 64 << 10;
    private static final long HELD_MAX = 64L << 20;

    /** The log without an archive: four files, and those that are being flushed. */
    private static final long OWN_LOG_MAX = 512L << 20;

    @TempDir
    Path directory;

    /** Sends large messages without a pause. */
    private static final class Flood implements SenderLink.Listener {
        private static final int UNANSWERED_MAX = 50;
        private final AtomicInteger accepted = new AtomicInteger();
        private int sent;

        @Override
        public void ready(SenderLink link) {
            while (sent < MESSAGES && link.unanswered() < UNANSWERED_MAX && link.canSend()) {
                link.send(Messages.encode("m" + sent, new byte[BODY]), sent++);
            }
        }

        @Override
        public void answered(Object context, Outcome outcome) {
            assertThat(outcome.accepted()).isTrue();
            accepted.incrementAndGet();
        }
    }

    @Test
    @DisplayName("A full archive stops no client, the log stays bounded, and health and metrics show it")
    void fullArchive() throws Exception {
        Path config = ConfigFile.write(directory.resolve("config.json"), List.of(ConfigFile.queue("q", 10)), List.of());
        try (SmallDisk disk = SmallDisk.mount(32);
                ServerProcess server = ServerProcess.start(new ServerProcess.Options(directory.resolve("data"))
                        .java("-Xmx512m")
                        .server(ConfigFile.options(config))
                        .server("--archive-dir", disk.path().resolve("archive").toString(), "--archive-hold", "64m"));
                AmqpClient client = new AmqpClient(1)) {
            Flood flood = new Flood();
            AmqpClient.await(client.open(server.endpoint()).sender("q", flood));
            Eventually.until("all messages are accepted", PATIENCE, () -> flood.accepted.get() == MESSAGES);
            Eventually.until("the archive fails", PATIENCE, () -> server.metric("jitney_archive_failing") == 1);
            assertThat(server.get("/health/ready").body()).contains("degraded", "cannot be written");
            assertThat(server.health().statusCode()).isEqualTo(200);
            assertThat(logBytes()).isLessThan(OWN_LOG_MAX + HELD_MAX);
            assertThat(server.metric("jitney_archive_failures_total")).isPositive();
            assertThat(server.terminate()).isZero();
        }
    }

    private long logBytes() throws Exception {
        long bytes = 0;
        try (Stream<Path> all = Files.list(directory.resolve("data/store-0/log"))) {
            for (Path file : all.toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }
}
