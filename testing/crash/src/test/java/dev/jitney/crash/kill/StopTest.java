package dev.jitney.crash.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Browse;
import dev.jitney.crash.support.Eventually;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a server that is stopped, and of a second server with the same data. */
final class StopTest {
    private static final String QUEUE = "stop";
    private static final int MAX_DELIVERY_COUNT = 3;

    @TempDir
    Path directory;

    @Test
    @DisplayName("MSG-1: SIGTERM under load exits with 0 and loses no message")
    void endsInOrderWhenAsked() throws Exception {
        Path config = config();
        Ledger ledger = new Ledger(MAX_DELIVERY_COUNT);
        try (ServerProcess server = ServerProcess.start(options(config));
                Workload workload = new Workload(ledger, server.endpoint(), QUEUE, 1)) {
            Eventually.until("2,000 requests are confirmed", Duration.ofMinutes(2), () -> ledger.confirmed() > 2_000);
            assertThat(server.terminate())
                    .as("exit status; standard error: %s", server.errors())
                    .isZero();
            workload.awaitEnd();
        }
        try (ServerProcess server = ServerProcess.start(options(config))) {
            ledger.compare(
                    Browse.all(server.endpoint(), QUEUE), Browse.all(server.endpoint(), QUEUE + "/$DeadLetterQueue"));
        }
        assertThat(ledger.complaints()).isEmpty();
    }

    @Test
    @DisplayName("A second server with the same data directory does not start and does not affect the first one")
    void refusesASecondServerOnTheSameDirectory() throws Exception {
        Path config = config();
        try (ServerProcess first = ServerProcess.start(options(config));
                ServerProcess second = ServerProcess.launch(options(config))) {
            assertThat(second.awaitExit()).as("exit status").isNotZero();
            Eventually.until(
                    "the reason is on standard error",
                    Duration.ofMinutes(1),
                    () -> !second.errors().isEmpty());
            assertThat(second.errors())
                    .contains(directory.resolve("data").toString())
                    .containsIgnoringCase("another server")
                    .contains(Long.toString(first.pid()));
            assertThat(first.health().statusCode()).isEqualTo(200);
        }
    }

    private Path config() throws Exception {
        return ConfigFile.write(
                directory.resolve("config.json"), List.of(ConfigFile.queue(QUEUE, MAX_DELIVERY_COUNT)), List.of());
    }

    private ServerProcess.Options options(Path config) {
        return new ServerProcess.Options(directory.resolve("data"))
                .java("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .server(ConfigFile.options(config));
    }
}
