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
 * Four times as many message bytes as there is heap; and as many as there is, shared by ten subscriptions. The full size, ten
 * million on 512 MiB, is {@code testing/backlog/fill-and-drain.sh}.
 */
final class BacklogTest {
    private static final String QUEUE = "deep";
    private static final int MESSAGES = Integer.getInteger("jitney.backlog.messages", 400_000);
    private static final String TOPIC = "wide";
    private static final int SUBSCRIPTIONS = 10;
    /** Each gives every subscription a copy, of which some are drained. */
    private static final int PUBLISHED = MESSAGES / 4;

    private static final int DRAINED = 2;

    private static final int SIZE_BYTES = 1_024;
    private static final String HEAP = "-Xmx96m";
    /** Heap, memtables and block cache of RocksDB, network buffers, and what a Java machine needs for itself. */
    private static final long RESIDENT_KIB_MAX = 900 * 1024;

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    @TempDir
    Path directory;

    @Test
    @DisplayName("A backlog that does not fit the heap is kept over a restart and drained completely, in order")
    void keepsAndDrainsMoreThanFitsTheHeap() throws Exception {
        Path config =
                ConfigFile.write(directory.resolve("config.json"), List.of(ConfigFile.queue(QUEUE, 10)), List.of());
        keepsAndDrains(config, QUEUE, List.of(QUEUE), MESSAGES);
    }

    @Test
    @DisplayName(
            "Issue 4, 5: a backlog in ten subscriptions that share its bodies does not fit the heap and is kept as well")
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
                        .as("milliseconds to ready; two seconds is the aim")
                        .isLessThan(60_000);
                began = System.nanoTime();
                drain(client.open(server.endpoint()), receivedFrom, count);
                tell("drained", count * receivedFrom.size(), began, server);
                assertThat(server.cost().peakResidentKiB()).as("memory").isLessThan(RESIDENT_KIB_MAX);
                assertThat(server.terminate())
                        .as("exit status; it said: %s", server.errors())
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
                "everything is drained",
                PATIENCE,
                () -> drains.stream().allMatch(drain -> drain.completed() == count)
                        || drains.stream().anyMatch(drain -> drain.complaint() != null));
        for (Drain drain : drains) {
            assertThat(drain.complaint()).isNull();
            assertThat(drain.received().cardinality()).isEqualTo(count);
            assertThat(drain.received().length()).as("every number once").isEqualTo(count);
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
