package dev.jitney.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Drain;
import dev.jitney.crash.support.Eventually;
import dev.jitney.crash.support.Filler;
import dev.jitney.crash.support.Holder;
import dev.jitney.crash.support.RoundTrips;
import dev.jitney.testing.client.Administration;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.SenderLink;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with receivers that do not settle messages, or do not read them from their sockets. */
final class LazyReceiversTest {
    private static final int HELD = Integer.getInteger("jitney.held", 3_000);
    /** The messages of one connection. A connection with 50,000 unsettled deliveries gets no more. */
    private static final int HELD_BY_ONE_MAX = 40_000;

    private static final int SLOW = Integer.getInteger("jitney.slow.connections", 10);
    private static final int UNREAD = 600;
    private static final int UNREAD_BYTES = 32 * 1024;
    private static final String QUEUE = "lazy";
    private static final String OTHER = "other";
    private static final long RESIDENT_KIB_MAX = 700 * 1024;
    /** The limit for the server's buffers for one connection whose client does not read. */
    private static final long BUFFERED_BYTES_MAX = 2 << 20;

    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @TempDir
    Path directory;

    @Test
    @DisplayName(
            "LOCK-7, DLQ-20: a receiver that never settles holds as many messages as its credit; finally all are dead-lettered")
    void neverSettled() throws Exception {
        try (ServerProcess server = ServerProcess.start(options(1));
                AmqpClient client = new AmqpClient(1)) {
            ClientConnection connection = client.open(server.endpoint());
            fill(connection, 200, HELD);
            Administration administration = new Administration(server.endpoint(), server.httpPort());
            long began = System.nanoTime();
            List<Holder> holders = new ArrayList<>();
            for (int from = 0; from < HELD; from += HELD_BY_ONE_MAX) {
                Holder holder = new Holder();
                holders.add(holder);
                int credit = Math.min(HELD_BY_ONE_MAX, HELD - from);
                AmqpClient.await(client.open(server.endpoint()).receiver(QUEUE, credit, true, holder));
            }
            Eventually.until(
                    "all messages are held",
                    PATIENCE,
                    () -> holders.stream().mapToInt(Holder::count).sum() == HELD);
            System.out.printf(
                    "%d messages held after %d ms, %d MiB resident%n",
                    HELD,
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began),
                    server.cost().residentKiB() / 1024);
            assertOthersAreServed(connection);
            Eventually.until(
                    "all messages are dead-lettered",
                    PATIENCE,
                    () -> Administration.number(AmqpClient.await(administration.get(QUEUE)), "DeadLetterMessageCount")
                            == HELD);
            Drain drain = new Drain();
            AmqpClient.await(connection.receiver(QUEUE + "/$DeadLetterQueue", 500, true, drain));
            Eventually.until(
                    "all messages are drained", PATIENCE, () -> drain.completed() == HELD || drain.complaint() != null);
            assertThat(drain.received().length()).as("distinct numbers").isEqualTo(HELD);
            assertThat(server.cost().peakResidentKiB()).as("memory, KiB").isLessThan(RESIDENT_KIB_MAX);
        }
    }

    @Test
    @DisplayName(
            "LOCK-9: a client that does not read its socket fills only one window; other clients get the messages in the end")
    void neverRead() throws Exception {
        try (ServerProcess server = ServerProcess.start(options(100));
                AmqpClient client = new AmqpClient(1)) {
            List<ClientConnection> slow = new ArrayList<>();
            for (int i = 0; i < SLOW; i++) {
                ClientConnection connection = client.open(server.endpoint());
                AmqpClient.await(connection.receiver(QUEUE, UNREAD, true, new Holder()));
                connection.stopReading();
                slow.add(connection);
            }
            double before = server.metric("jitney_netty_direct_memory_bytes");
            ClientConnection connection = client.open(server.endpoint());
            fill(connection, UNREAD_BYTES, UNREAD);
            assertOthersAreServed(connection);
            double buffered = server.metric("jitney_netty_direct_memory_bytes") - before;
            System.out.printf("%d connections that do not read: %.0f KiB in buffers%n", SLOW, buffered / 1024);
            assertThat(buffered).as("bytes in buffers").isLessThan(SLOW * BUFFERED_BYTES_MAX);
            slow.forEach(ClientConnection::abort);
            Drain drain = Drain.inAnyOrder();
            AmqpClient.await(connection.receiver(QUEUE, 100, true, drain));
            Eventually.until(
                    "all messages are drained",
                    PATIENCE,
                    () -> drain.completed() == UNREAD || drain.complaint() != null);
            assertThat(drain.complaint()).isNull();
            assertThat(drain.received().length()).as("distinct numbers").isEqualTo(UNREAD);
        }
    }

    private static void assertOthersAreServed(ClientConnection connection) throws Exception {
        RoundTrips trips = new RoundTrips();
        AmqpClient.await(connection.receiver(OTHER, 10, true, trips));
        SenderLink link = AmqpClient.await(connection.sender(OTHER, trips));
        for (int i = 0; i < 100; i++) {
            trips.one(connection, link);
        }
        assertThat(TimeUnit.NANOSECONDS.toSeconds(trips.slowestNanos())).isLessThan(15);
    }

    private static void fill(ClientConnection connection, int size, int count) throws Exception {
        Filler filler = new Filler(size, 200, count);
        SenderLink link = AmqpClient.await(connection.sender(QUEUE, filler));
        connection.execute(() -> filler.ready(link));
        assertThat(filler.over().get(PATIENCE.toSeconds(), TimeUnit.SECONDS).accepted())
                .isTrue();
    }

    private ServerProcess.Options options(int maxDeliveryCount) throws IOException {
        Path config = ConfigFile.write(
                directory.resolve("config.json"),
                List.of(
                        ConfigFile.impatientQueue(
                                QUEUE, maxDeliveryCount, Duration.ofSeconds(Math.max(15, HELD / 3_000))),
                        ConfigFile.queue(OTHER, 10)),
                List.of());
        return new ServerProcess.Options(directory.resolve("data"))
                .java("-Xmx160m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .server(ConfigFile.options(config));
    }
}
