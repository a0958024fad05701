package dev.jitney.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Browse;
import dev.jitney.crash.support.Eventually;
import dev.jitney.crash.support.Filler;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.ReceivedMessage;
import dev.jitney.testing.client.SenderLink;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that start a server whose data directory has a damaged file. Other tests show that damage is found at all
 * places: {@code DamagedFilesTest} for the store, {@code DamagedOwnFilesTest} for the server's own files.
 */
final class DamagedStoreTest {
    private static final String QUEUE = "damaged";
    private static final String SOUND = "sound";
    private static final int MESSAGES = 400;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path directory;

    private Path database;

    /** Fills the store: half of the messages are in tables, half in the log. */
    @BeforeEach
    void fill() throws Exception {
        for (int half = 0; half < 2; half++) {
            try (ServerProcess server = ServerProcess.start(options());
                    AmqpClient client = new AmqpClient(1)) {
                Filler filler = new Filler(1_024, 50, half * MESSAGES / 2, MESSAGES / 2);
                ClientConnection connection = client.open(server.endpoint());
                SenderLink link = AmqpClient.await(connection.sender(QUEUE, filler));
                connection.execute(() -> filler.ready(link));
                assertThat(filler.over()
                                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                                .accepted())
                        .isTrue();
                if (half == 0) {
                    assertThat(server.terminate()).isZero();
                } else {
                    Eventually.until("the store has noted its last commit", PATIENCE, () -> noted() == lastCommit());
                    server.kill();
                }
            }
        }
        database = directory.resolve("data/store-0/db");
    }

    @Test
    @DisplayName(
            "MSG-1, ADR 20: damage is reported at the start or when a file is read, other queues continue, and repaired files work")
    void damageIsTold() throws Exception {
        Path log = log();
        byte[] whole = Files.readAllBytes(log);
        cut(log, whole.length - 4_096); // the last commit
        assertRefused("messages are missing", directory.resolve("data/store-0").toString(), "acknowledged");
        Files.write(log, whole);

        Path stores = directory.resolve("data/stores.properties");
        byte[] names = Files.readAllBytes(stores);
        flip(stores, names.length / 2);
        assertRefused("stores.properties", stores.toString(), "is corrupt");
        Files.write(stores, names);

        Path table = largest(".sst");
        byte[] rows = Files.readAllBytes(table);
        flip(table, rows.length / 2);
        try (ServerProcess server = ServerProcess.start(options())) {
            Eventually.until("a peek of the damaged queue is rejected", PATIENCE, () -> isRefused(server.endpoint()));
            Eventually.until("the health check reports the damage", PATIENCE, () -> {
                isRefused(server.endpoint());
                return server.health().statusCode() == 200
                        && server.health().body().contains("degraded")
                        && server.health().body().contains("Messaging store 0");
            });
            for (int i = 0; i < 10; i++) {
                assertThat(isRefused(server.endpoint())).as("a damaged queue").isTrue();
                assertThat(Browse.all(server.endpoint(), SOUND))
                        .as("the other queue")
                        .isEmpty();
            }
            assertThat(server.health().body()).contains("degraded");
            server.kill();
        }
        assertThat(table).exists();
        Files.write(table, rows);
        try (ServerProcess server = ServerProcess.start(options())) {
            List<ReceivedMessage> found = Browse.all(server.endpoint(), QUEUE);
            assertThat(found).hasSize(MESSAGES);
            for (int i = 0; i < MESSAGES; i++) {
                assertThat(found.get(i).messageId()).isEqualTo(Integer.toString(i));
            }
        }
    }

    private void assertRefused(String what, String... words) throws Exception {
        try (ServerProcess server = ServerProcess.launch(options())) {
            assertThat(server.awaitExit()).as(what).isEqualTo(1);
            Eventually.until(
                    "the reason on standard error",
                    PATIENCE,
                    () -> server.errors().contains(words[0]));
            assertThat(server.errors()).as(what).contains(words);
        }
    }

    /** Returns whether peeking all messages fails. Sooner or later it has to fail. */
    private static boolean isRefused(Endpoint endpoint) throws InterruptedException {
        try {
            Browse.all(endpoint, QUEUE);
            return false;
        } catch (AmqpException | IllegalStateException refused) {
            return true;
        }
    }

    private Path log() {
        return directory.resolve("data/store-0/log/000001.log");
    }

    /** Returns the commit number in {@code jitney.synced}, see docs/formats.md. */
    private long noted() throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(directory.resolve("data/store-0/jitney.synced")))
                .getLong(12);
    }

    /** Returns the commit number of the last record in the log, see docs/formats.md. */
    private long lastCommit() throws IOException {
        ByteBuffer whole = ByteBuffer.wrap(Files.readAllBytes(log()));
        long last = 0;
        for (int at = 0; at < whole.limit(); at += 4_096) {
            last = whole.getInt(at) == 0x4A544C47 ? Math.max(last, whole.getLong(at + 16)) : last;
        }
        return last;
    }

    private static void cut(Path file, long size) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(size);
        }
    }

    private static void flip(Path file, int at) throws IOException {
        byte[] octets = Files.readAllBytes(file);
        octets[at] ^= 1;
        Files.write(file, octets);
    }

    private Path largest(String suffix) throws IOException {
        return files(suffix)
                .max(Comparator.comparingLong(file -> file.toFile().length()))
                .orElseThrow();
    }

    private Stream<Path> files(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(database)) {
            return files.filter(file -> file.toString().endsWith(suffix)).toList().stream();
        }
    }

    private ServerProcess.Options options() throws IOException {
        Path config = ConfigFile.write(
                directory.resolve("config.json"),
                List.of(ConfigFile.queue(QUEUE, 10), ConfigFile.queue(SOUND, 10)),
                List.of());
        return new ServerProcess.Options(directory.resolve("data"))
                .java("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .server(ConfigFile.options(config));
    }
}
