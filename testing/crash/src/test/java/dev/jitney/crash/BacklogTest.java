package dev.jitney.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Drain;
import dev.jitney.crash.support.Eventually;
import dev.jitney.crash.support.Filler;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.SenderLink;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests with four times as many message bytes as heap, and with as many as heap in ten subscriptions. The test of the
 * full size, ten million messages on 512 MiB, is {@code testing/backlog/fill-and-drain.sh}.
 */
final class BacklogTest {
    private static final String QUEUE = "deep";
    private static final int MESSAGES = Integer.getInteger("jitney.backlog.messages", 400_000);
    private static final String TOPIC = "wide";
    private static final int SUBSCRIPTIONS = 10;
    /** The number of published messages. Each subscription gets a copy, and some subscriptions are drained. */
    private static final int PUBLISHED = MESSAGES / 4;

    private static final int DRAINED = 2;

    private static final int SIZE_BYTES = 1_024;
    private static final String HEAP = "-Xmx96m";
    /**
     * The limit for the heap, memtables and block cache of RocksDB, network buffers, and the needs of the Java virtual
     * machine.
     */
    private static final long RESIDENT_KIB_MAX = 900 * 1024;

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    @TempDir
    Path directory;

    @Test
    @DisplayName("A backlog larger than the heap survives a restart and is drained completely and in order")
    void keepsAndDrainsMoreThanFitsTheHeap() throws Exception {
        Path config =
                ConfigFile.write(directory.resolve("config.json"), List.of(ConfigFile.queue(QUEUE, 10)), List.of());
        keepsAndDrains(config, QUEUE, List.of(QUEUE), MESSAGES);
    }

    @Test
    @DisplayName(
            "A backlog larger than the heap in ten subscriptions with shared bodies survives a restart (issues 4 and 5)")
    void keepsAndDrainsWhatSubscriptionsShare() throws Exception {
        List<String> names =
                IntStream.range(0, SUBSCRIPTIONS).mapToObj(i -> "s" + i).toList();
        String topic = ConfigFile.topic(
                TOPIC,
                names.stream().map(name -> ConfigFile.subscription(name, 10)).toList());
        Path config = ConfigFile.write(directory.resolve("config.json"), List.of(), List.of(topic));
        keepsAndDrains(
                config,
                TOPIC,
                names.stream()
                        .map(name -> TOPIC + "/Subscriptions/" + name)
                        .limit(DRAINED)
                        .toList(),
                PUBLISHED);
    }

    private void keepsAndDrains(Path config, String sentTo, List<String> receivedFrom, int count) throws Exception {
        try (AmqpClient client = new AmqpClient(1)) {
            try (ServerProcess server = ServerProcess.start(options(config))) {
                long began = System.nanoTime();
                fill(client.open(server.endpoint()), sentTo, count);
                tell("filled", count, began, server);
                assertThat(server.cost().peakResidentKiB()).as("memory").isLessThan(RESIDENT_KIB_MAX);
                server.kill();
            }
            long began = System.nanoTime();
            try (ServerProcess server = ServerProcess.start(options(config))) {
                System.out.printf("ready again %d ms after kill -9 with %d messages%n", millisSince(began), count);
                assertThat(millisSince(began))
                        .as("milliseconds until ready; the goal is two seconds")
                        .isLessThan(60_000);
                began = System.nanoTime();
                drain(client.open(server.endpoint()), receivedFrom, count);
                tell("drained", count * receivedFrom.size(), began, server);
                assertThat(server.cost().peakResidentKiB()).as("memory").isLessThan(RESIDENT_KIB_MAX);
                assertThat(server.terminate())
                        .as("exit status; standard error: %s", server.errors())
                        .isZero();
            }
        }
    }

    private static void fill(ClientConnection connection, String entity, int count) throws Exception {
        Filler filler = new Filler(SIZE_BYTES, 1_000, count);
        SenderLink link = AmqpClient.await(connection.sender(entity, filler));
        connection.execute(() -> filler.ready(link));
        assertThat(filler.over().get(PATIENCE.toSeconds(), TimeUnit.SECONDS).accepted())
                .isTrue();
    }

    private static void drain(ClientConnection connection, List<String> entities, int count) throws Exception {
        List<Drain> drains = new ArrayList<>();
        for (String entity : entities) {
            Drain drain = new Drain();
            drains.add(drain);
            AmqpClient.await(connection.receiver(entity, 1_000, true, drain));
        }
        Eventually.until(
                "all messages are drained",
                PATIENCE,
                () -> drains.stream().allMatch(drain -> drain.completed() == count)
                        || drains.stream().anyMatch(drain -> drain.complaint() != null));
        for (Drain drain : drains) {
            assertThat(drain.complaint()).isNull();
            assertThat(drain.received().cardinality()).isEqualTo(count);
            assertThat(drain.received().length()).as("distinct numbers").isEqualTo(count);
        }
    }

    private ServerProcess.Options options(Path config) {
        return new ServerProcess.Options(directory.resolve("data"))
                .java(HEAP, "-XX:+UseSerialGC")
                .server(ConfigFile.options(config));
    }

    private static void tell(String what, int count, long sinceNanos, ServerProcess server) {
        System.out.printf(
                "%s %d messages in %d ms with %s, %d MiB resident%n",
                what, count, millisSince(sinceNanos), HEAP, server.cost().residentKiB() / 1024);
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }
}
