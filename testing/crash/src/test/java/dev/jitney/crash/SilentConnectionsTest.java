package dev.jitney.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Eventually;
import dev.jitney.crash.support.RoundTrips;
import dev.jitney.testing.client.Administration;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.SenderLink;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests in which thousands of clients connect and send nothing or very little while one client works. */
final class SilentConnectionsTest {
    private static final String QUEUE = "silent";
    private static final int WANTED = 10_000;
    /** The number of HTTP connections: twice the limit of the server. */
    private static final int HTTP_WANTED = 2_100;
    /** The number of ways in which an HTTP client is silent, slow or greedy. */
    private static final int KINDS = 7;

    /** The file descriptors for everything else in this process and in the server. */
    private static final int DESCRIPTORS_LEFT = 500;

    private static final long SLOWEST_MS = 15_000;
    private static final long GROWTH_KIB_MAX = 200 * 1024;
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    /** The bytes sent by silent connections: nothing, half a protocol header, a complete header. */
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

    @ParameterizedTest(name = "single port: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "Ten thousand silent connections do not slow a client down, do not fill the memory, and are closed in time")
    void silentConnectionsHurtNobodyAndAreClosed(boolean onePort) throws Exception {
        int count = Math.min(WANTED, descriptorLimit() - DESCRIPTORS_LEFT);
        assertThat(count).as("connections that the limit of open files allows").isGreaterThan(100);
        Path config =
                ConfigFile.write(directory.resolve("config.json"), List.of(ConfigFile.queue(QUEUE, 10)), List.of());
        try (ServerProcess server = ServerProcess.start(options(onePort)
                        .java("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
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

    private ServerProcess.Options options(boolean onePort) {
        ServerProcess.Options options = new ServerProcess.Options(directory.resolve("data"));
        return onePort ? options.onePort() : options;
    }

    @ParameterizedTest(name = "single port: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "HTTP 4.2: silent, slow and greedy HTTP clients do not block health, administration, metrics or WebSockets,"
                    + " do not fill the memory, and cause one log message")
    void silentHttpConnectionsHurtNobody(boolean onePort) throws Exception {
        int count = Math.min(HTTP_WANTED, descriptorLimit() - DESCRIPTORS_LEFT);
        Path config =
                ConfigFile.write(directory.resolve("config.json"), List.of(ConfigFile.queue(QUEUE, 10)), List.of());
        try (ServerProcess server = ServerProcess.start(options(onePort)
                        .java("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                        .server(ConfigFile.options(config))
                        .server("--tls", "auto")
                        .server(onePort ? new String[0] : new String[] {"--https-port", "0"}));
                AmqpClient client = new AmqpClient(1)) {
            int httpsPort = server.httpsPort();
            long slowestNanos = 0;
            for (int i = 0; i < count; i++) {
                greedy(server, httpsPort, i);
                if (i % 100 == 99) {
                    slowestNanos = Math.max(slowestNanos, useHttp(server, client));
                }
            }
            // Connections are closed in less than a minute, so a second round of silent connections changes nothing.
            for (int i = 0; i < count / 2; i++) {
                silentHttp(server.httpPort(), new byte[0]);
            }
            slowestNanos = Math.max(slowestNanos, useHttp(server, client));
            System.out.printf(
                    "%d greedy HTTP connections: slowest use %d ms, %d MiB resident%n",
                    count,
                    TimeUnit.NANOSECONDS.toMillis(slowestNanos),
                    server.cost().residentKiB() / 1024);
            assertThat(TimeUnit.NANOSECONDS.toMillis(slowestNanos))
                    .as("slowest use of HTTP, ms")
                    .isLessThan(SLOWEST_MS);
            List<SocketChannel> open = new ArrayList<>(silent);
            ByteBuffer ignored = ByteBuffer.allocate(4_096);
            Eventually.until("the server closes the connections without a complete request head", PATIENCE, () -> {
                open.removeIf(channel -> isClosed(channel, ignored));
                return open.size()
                        <= count / KINDS * 3; // connections that now read their answers stay open for a while
            });
            assertThat(server.isAlive()).isTrue();
            assertThat(server.errors().lines().filter(line -> line.contains("The maximum number of HTTP connections")))
                    .as("log messages")
                    // At most one message a minute. On the single port, silent connections do not count towards the
                    // limit of HTTP, so it is not reached.
                    .hasSizeBetween(onePort ? 0 : 1, 3);
        }
    }

    /** Opens one connection, with each kind in turn. */
    private void greedy(ServerProcess server, int httpsPort, int index) throws IOException {
        String host = " HTTP/1.1\r\nHost: h\r\n";
        switch (index % KINDS) {
            case 0 -> silentHttp(server.httpPort(), new byte[0]);
            case 1 -> silentHttp(server.httpPort(), ascii("GET /health HTT"));
            case 2 -> silentHttp(server.httpPort(), ascii("GET /health" + host + "a:\r\n".repeat(6_000)));
            case 3 -> silentHttp(server.httpPort(), ascii(("GET /health" + host + "\r\n").repeat(5_000)));
            case 4 -> silentHttp(server.httpPort(), ascii(("GET /metrics" + host + "\r\n").repeat(2_000)));
            case 5 ->
                silentHttp(
                        server.httpPort(),
                        ascii("GET /$servicebus/websocket" + host + "Connection: Upgrade\r\nUpgrade: websocket\r\n"
                                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                                + "Sec-WebSocket-Protocol: AMQPWSB10\r\n\r\n\u0082\u00ff\0\0\0\0\0\3\u00d0\0"
                                + "\0".repeat(200_000)));
            default -> silentHttp(httpsPort, index % 2 == 0 ? new byte[0] : new byte[] {22, 3, 1, 2, 0, 1});
        }
    }

    private void silentHttp(int port, byte[] bytes) throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
        silent.add(channel);
        channel.configureBlocking(false);
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        try {
            for (int i = 0; i < 20 && rest.hasRemaining(); i++) {
                channel.write(rest); // as much as the server accepts
            }
        } catch (IOException closedToMakeRoom) {
            // expected
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Uses each HTTP feature with separate connections and returns the time of the slowest use. */
    private static long useHttp(ServerProcess server, AmqpClient client) throws Exception {
        long began = System.nanoTime();
        try (Socket socket = new Socket("127.0.0.1", server.httpPort())) {
            socket.setSoTimeout((int) SLOWEST_MS);
            socket.getOutputStream().write(ascii("GET /health HTTP/1.1\r\nHost: h\r\n\r\n"));
            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1))
                    .isEqualTo("HTTP/1.1 200");
        }
        long slowest = System.nanoTime() - began;
        began = System.nanoTime();
        Administration administration = new Administration(server.endpoint(), server.httpPort());
        assertThat(administration
                        .get("$Resources/Queues")
                        .get(1, TimeUnit.MINUTES)
                        .statusCode())
                .isEqualTo(200);
        slowest = Math.max(slowest, System.nanoTime() - began);
        began = System.nanoTime();
        assertThat(server.health().statusCode()).isEqualTo(200);
        // Without a token, requests may be rejected with 503 until the greedy clients have been slow for five seconds.
        Eventually.until("the metrics show no more bytes than the limit", Duration.ofMillis(SLOWEST_MS), () -> {
            try {
                return server.metric("jitney_http_held_bytes") < 40 << 20;
            } catch (IOException refused) {
                return false;
            }
        });
        RoundTrips trips = new RoundTrips();
        ClientConnection connection = client.open(server.webSocketEndpoint());
        AmqpClient.await(connection.receiver(QUEUE, 10, true, trips));
        trips.one(connection, AmqpClient.await(connection.sender(QUEUE, trips)));
        connection.abort();
        return Math.max(slowest, System.nanoTime() - began);
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

    /** Waits until the server has closed all of them, while the client continues its work. */
    private void awaitClosed(ClientConnection connection, SenderLink link, RoundTrips trips) throws Exception {
        List<SocketChannel> open = new ArrayList<>(silent);
        ByteBuffer ignored = ByteBuffer.allocate(4_096);
        Eventually.until("the server closes all connections", PATIENCE, () -> {
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
                // The Java virtual machine raises its soft limit to the hard limit.
                String hard = line.trim().split("\\s+")[4];
                return hard.equals("unlimited")
                        ? Integer.MAX_VALUE
                        : (int) Math.min(Integer.MAX_VALUE, Long.parseLong(hard));
            }
        }
        return 2_000;
    }
}
