package dev.jitney.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.SenderLink;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ten thousand clients connect and say nothing, or hardly anything, while one of them works. */
final class SilentConnectionsTest {
    private static final String QUEUE = "silent";
    private static final int WANTED = 10_000;
    /** Descriptors for everything else in this process and in the server. */
    private static final int DESCRIPTORS_LEFT = 500;

    private static final long SLOWEST_MS = 15_000;
    private static final long GROWTH_KIB_MAX = 200 * 1024;
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    /** Nothing, half a protocol header, a whole one. */
    private static final byte[][] OPENINGS = {{}, {'A', 'M', 'Q'}, {'A', 'M', 'Q', 'P', 3, 1, 0, 0}};

    @TempDir
    Path directory;

    private final List<SocketChannel> silent = new ArrayList<>();

    @AfterEach
    void hangUp() throws IOException {
        for (SocketChannel channel : silent) {
            channel.close();
        }
    }

    @Test
    @DisplayName(
            "Ten thousand silent connections neither slow a client down nor fill the memory, and are closed in time")
    void silentConnectionsHurtNobodyAndAreClosed() throws Exception {
        int count = Math.min(WANTED, descriptorLimit() - DESCRIPTORS_LEFT);
        assertThat(count).as("connections that the limit of open files permits").isGreaterThan(100);
        Path config =
                ConfigFile.write(directory.resolve("config.json"), List.of(ConfigFile.queue(QUEUE, 10)), List.of());
        try (ServerProcess server = ServerProcess.start(new ServerProcess.Options(directory.resolve("data"))
                        .java("-Xmx256m", "-XX:+UseSerialGC")
                        .server(ConfigFile.options(config)));
                AmqpClient client = new AmqpClient(1)) {
            ClientConnection connection = client.open(server.endpoint());
            RoundTrips trips = new RoundTrips();
            AmqpClient.await(connection.receiver(QUEUE, 10, true, trips));
            SenderLink link = AmqpClient.await(connection.sender(QUEUE, trips));
            for (int i = 0; i < 300; i++) {
                trips.one(connection, link);
            }
            long before = server.cost().residentKiB();
            trips.forgetSlowest();
            connect(server.endpoint(), count, connection, link, trips);
            trips.tell("while they connect");
            for (int i = 0; i < 300; i++) {
                trips.one(connection, link);
            }
            trips.tell("while they are silent");
            long grown = server.cost().residentKiB() - before;
            awaitClosed(connection, link, trips);
            trips.tell("until they are closed");
            System.out.printf("%d silent connections: %d MiB more memory%n", count, grown / 1024);
            assertThat(grown).as("KiB of memory for %d connections", count).isLessThan(GROWTH_KIB_MAX);
            assertThat(TimeUnit.NANOSECONDS.toMillis(trips.slowestNanos()))
                    .as("slowest round trip, ms")
                    .isLessThan(SLOWEST_MS);
            assertThat(server.health().statusCode()).isEqualTo(200);
        }
    }

    private void connect(Endpoint endpoint, int count, ClientConnection connection, SenderLink link, RoundTrips trips)
            throws Exception {
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", endpoint.port()));
            silent.add(channel);
            channel.write(ByteBuffer.wrap(OPENINGS[i % OPENINGS.length]));
            channel.configureBlocking(false);
            if (i % 50 == 0) {
                trips.one(connection, link);
            }
        }
    }

    /** Sees the server close every one of them, while the client goes on working. */
    private void awaitClosed(ClientConnection connection, SenderLink link, RoundTrips trips) throws Exception {
        List<SocketChannel> open = new ArrayList<>(silent);
        ByteBuffer ignored = ByteBuffer.allocate(4_096);
        Eventually.until("the server closes all of them", PATIENCE, () -> {
            trips.one(connection, link);
            open.removeIf(channel -> isClosed(channel, ignored));
            return open.isEmpty();
        });
    }

    private static boolean isClosed(SocketChannel channel, ByteBuffer ignored) {
        try {
            int read;
            do {
                ignored.clear();
                read = channel.read(ignored);
            } while (read > 0);
            return read < 0;
        } catch (IOException reset) {
            return true;
        }
    }

    private static int descriptorLimit() throws IOException {
        Path limits = Path.of("/proc/self/limits");
        if (!Files.isReadable(limits)) {
            return 2_000;
        }
        for (String line : Files.readAllLines(limits)) {
            if (line.startsWith("Max open files")) {
                // The Java machine raises its soft limit to the hard one.
                String hard = line.trim().split("\\s+")[4];
                return hard.equals("unlimited")
                        ? Integer.MAX_VALUE
                        : (int) Math.min(Integer.MAX_VALUE, Long.parseLong(hard));
            }
        }
        return 2_000;
    }
}
