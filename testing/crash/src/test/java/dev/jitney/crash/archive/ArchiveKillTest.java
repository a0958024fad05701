package dev.jitney.crash.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Browse;
import dev.jitney.crash.support.Eventually;
import dev.jitney.server.cli.backup.BackupCommands;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.ReceivedMessage;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test with clients that send to queues in two stores, some of which forward to a queue in the other store, while the server is killed
 * repeatedly. Then a backup is restored to several times.
 */
final class ArchiveKillTest {
    private static final int ROUNDS = Integer.getInteger("jitney.crash.rounds", 4);
    private static final long SEED = Long.getLong("jitney.crash.seed", System.nanoTime());

    /** Enough names that some of the queues are in each store. */
    private static final int QUEUES = 4;

    private static final int MESSAGES_PER_ROUND = 1_500;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern MOMENT = Pattern.compile("with all commits up to (\\S+Z),");
    private static final long FAR_MS = 30_000;

    @TempDir
    Path directory;

    private final List<StampedSending> senders = new ArrayList<>();

    @Test
    @DisplayName(
            "After kills, a restored moment has everything acknowledged before it and nothing sent after it, each message once")
    void restoredMoments() throws Exception {
        Random random = new Random(SEED);
        List<String> queues = new ArrayList<>();
        for (int i = 0; i < QUEUES; i++) {
            queues.add(ConfigFile.queue("load-" + i, 10));
            queues.add(ConfigFile.queue("out-" + i, 10));
            queues.add(ConfigFile.forwardingQueue("in-" + i, "out-" + i));
            senders.add(new StampedSending("load-" + i));
            senders.add(new StampedSending("in-" + i));
        }
        Path config = ConfigFile.write(directory.resolve("config.json"), queues, List.of());
        List<Long> times = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            try (ServerProcess server = ServerProcess.start(archiving(config));
                    AmqpClient client = new AmqpClient(1)) {
                if (round == 0) {
                    backup("create", "--admin-url", "http://localhost:" + server.httpPort());
                }
                ClientConnection connection = client.open(server.endpoint());
                for (StampedSending sender : senders) {
                    sender.allow(MESSAGES_PER_ROUND);
                    AmqpClient.await(connection.sender(sender.queue(), sender));
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500 + random.nextInt(1_500)));
                awaitMomentWithMessages(server);
                times.add(System.currentTimeMillis());
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300 + random.nextInt(1_000)));
                server.kill();
                AmqpClient.await(connection.closed());
            }
        }
        try (ServerProcess server = ServerProcess.start(archiving(config))) {
            assertThat(server.metric("jitney_archive_gaps_total")).isZero();
            assertThat(server.terminate()).isZero();
        }
        for (StampedSending sender : senders) {
            assertThat(sender.refused()).isEmpty();
        }
        assertThat(backup("list", "--archive-dir", archive())).contains("to 20").doesNotContain("gaps");
        assertThat(backup("verify", "--archive-dir", archive())).contains("no file is damaged");
        for (long time : times) {
            compare(time, config);
        }
    }

    /** Waits until the archive has a moment after an acknowledgment, so that a backup restored to this time has messages. */
    private void awaitMomentWithMessages(ServerProcess server) throws Exception {
        Eventually.until(
                "something is acknowledged",
                PATIENCE,
                () -> senders.stream()
                        .anyMatch(sender ->
                                !sender.acknowledgedBefore(Long.MAX_VALUE).isEmpty()));
        long acknowledgedMs = System.currentTimeMillis();
        Eventually.until(
                "the archive has a moment after it",
                PATIENCE,
                () -> server.get("/metrics")
                        .body()
                        .lines()
                        .filter(line -> line.startsWith("jitney_archive_last_moment_timestamp_seconds "))
                        .anyMatch(line ->
                                Math.round(Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)) * 1_000)
                                        > acknowledgedMs));
    }

    private String archive() {
        return directory.resolve("archive").toString();
    }

    private ServerProcess.Options archiving(Path config) {
        return options(directory.resolve("data"), config)
                .server(
                        "--archive-dir",
                        archive(),
                        "--archive-interval",
                        "100ms",
                        "--backup-dir",
                        directory.resolve("backups").toString());
    }

    private static ServerProcess.Options options(Path data, Path config) {
        return new ServerProcess.Options(data)
                .java("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .server(ConfigFile.options(config))
                .server("--stores", "2");
    }

    private String backup(String command, String... more) {
        List<String> arguments = new ArrayList<>(List.of(command));
        if (!command.equals("create")) {
            arguments.add(directory.resolve("backups").toString());
        }
        arguments.addAll(List.of(more));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        int status =
                BackupCommands.backup(out, out, () -> new String[] {"test"}).execute(arguments.toArray(new String[0]));
        String text = bytes.toString(StandardCharsets.UTF_8);
        assertThat(status).as(text).isZero();
        return text;
    }

    /** Restores the backup to a time, and compares the messages with those that were sent. */
    private void compare(long time, Path config) throws Exception {
        Path restored = directory.resolve("restored-" + time);
        String text = backup(
                "restore",
                "--into",
                restored.toString(),
                "--archive-dir",
                archive(),
                "--to-time",
                Instant.ofEpochMilli(time).toString());
        Matcher found = MOMENT.matcher(text);
        assertThat(found.find()).as(text).isTrue();
        long moment = Instant.parse(found.group(1)).toEpochMilli();
        assertThat(moment).isBetween(time - FAR_MS, time);
        try (ServerProcess server = ServerProcess.start(options(restored, config))) {
            Eventually.until(
                    "messages have arrived in the other store",
                    PATIENCE,
                    () -> server.get("/metrics")
                            .body()
                            .lines()
                            .filter(line -> line.startsWith("jitney_entity_messages{") && line.contains("\"transfer\""))
                            .allMatch(line -> line.endsWith(" 0") || line.endsWith(" 0.0")));
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < QUEUES; i++) {
                for (String queue : List.of("load-" + i, "out-" + i)) {
                    for (ReceivedMessage message : Browse.all(server.endpoint(), queue)) {
                        ids.add(String.valueOf(message.messageId()));
                    }
                }
            }
            Set<String> once = new TreeSet<>(ids);
            assertThat(ids).as("seed %d: no duplicates", SEED).hasSameSizeAs(once);
            Set<String> allowed = new TreeSet<>();
            List<String> expected = new ArrayList<>();
            for (StampedSending sender : senders) {
                expected.addAll(sender.acknowledgedBefore(moment));
                allowed.addAll(sender.begunUntil(moment));
            }
            System.out.printf(
                    "seed %d: asked for %d, moment %d ms before it, %d messages of %d to %d%n",
                    SEED, time, time - moment, once.size(), expected.size(), allowed.size());
            assertThat(once.containsAll(expected)).as("seed %d: no loss", SEED).isTrue();
            assertThat(allowed.containsAll(once))
                    .as("seed %d: nothing later", SEED)
                    .isTrue();
            assertThat(expected).isNotEmpty();
        }
    }
}
