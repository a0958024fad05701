package dev.jitney.gateway.http;

import static dev.jitney.gateway.http.RawWebSocket.BINARY;
import static dev.jitney.gateway.http.RawWebSocket.CONTINUATION;
import static dev.jitney.gateway.http.RawWebSocket.FIN;
import static dev.jitney.gateway.http.RawWebSocket.PATH;
import static dev.jitney.gateway.http.RawWebSocket.PING;
import static dev.jitney.gateway.http.RawWebSocket.PONG;
import static dev.jitney.gateway.http.RawWebSocket.TEXT;
import static dev.jitney.gateway.http.RawWebSocket.protocol;
import static dev.jitney.gateway.http.RawWebSocket.upgrade;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.RecordingTunnels.Tunnel;
import dev.jitney.gateway.http.exchange.HttpLimits;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** AMQP over WebSockets on the side of HTTP and RFC 6455, with a recording AMQP side. */
@Timeout(120)
class WebSocketTest {
    private static final int WINDOW_BYTES = 64 * 1024;
    private static final int FRAME_BYTES_MAX = 256 * 1024;

    private final TestBroker broker = new TestBroker();
    private final RecordingTunnels tunnels = new RecordingTunnels();
    private HttpGateway gateway;

    @BeforeEach
    void start() throws IOException {
        start(60);
    }

    private void start(int idleSeconds) throws IOException {
        gateway = HttpGateway.start(
                new HttpGatewayOptions("127.0.0.1", 0, null, null),
                broker.broker,
                () -> null,
                tunnels,
                new HttpLimits(1_000, 32, idleSeconds, idleSeconds, idleSeconds, 1 << 20, 1 << 24, 100, 10));
    }

    @AfterEach
    void stop() {
        gateway.close();
        broker.close();
    }

    private RawWebSocket open() throws IOException {
        return RawWebSocket.open(gateway.httpPort());
    }

    private List<String> ask(String head) throws IOException {
        try (RawWebSocket client = new RawWebSocket(gateway.httpPort())) {
            return client.ask(head);
        }
    }

    private static void until(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Expected " + what + " within 40 s.");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** A test that may fail if the machine stalls and the time is short. */
    private interface Attempt {
        void within(int idleSeconds) throws Exception;
    }

    /** Gives each attempt more time. An error of the gateway's own timing fails in all attempts. */
    private static void patiently(Attempt attempt) throws Exception {
        for (int seconds : new int[] {1, 5}) {
            try {
                attempt.within(seconds);
                return;
            } catch (IOException | AssertionError stalled) {
                // the next attempt reports an error, if there is one
            }
        }
        attempt.within(15);
    }

    private static byte[] octets(int count) {
        byte[] octets = new byte[count];
        new Random(count).nextBytes(octets);
        return octets;
    }

    @Test
    @DisplayName(
            "Wire 12: both paths, with any query, and both subprotocols are upgraded and the subprotocol is echoed")
    void upgrades() throws Exception {
        for (String path : List.of(PATH, PATH + "/", PATH + "?api=1&x", PATH + "/?", "/%24servicebus/WebSocket")) {
            for (String name : List.of("AMQPWSB10", "amqp")) {
                List<String> head = ask(upgrade(path, protocol(name)));
                assertThat(head.get(0)).as(path).startsWith("HTTP/1.1 101 ");
                assertThat(head)
                        .contains("sec-websocket-protocol: " + name)
                        .contains("sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
                Tunnel tunnel = tunnels.next();
                assertThat(tunnel.serverName).isEqualTo("my-namespace.example");
                assertThat(((InetSocketAddress) tunnel.client).getHostString()).isEqualTo("127.0.0.1");
            }
        }
    }

    @Test
    @DisplayName("Of several subprotocols, the first known one is used; compression is not")
    void choosesTheSubprotocol() throws Exception {
        List<String> head = ask(upgrade(
                PATH,
                protocol("mqtt", "amqp", "AMQPWSB10"),
                "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits, x-webkit-deflate-frame"));
        assertThat(head).contains("sec-websocket-protocol: amqp");
        assertThat(ask(upgrade(PATH, protocol("mqtt"), protocol("stomp", "AMQPWSB10", "amqp"))))
                .contains("sec-websocket-protocol: AMQPWSB10");
        assertThat(head).noneMatch(line -> line.startsWith("sec-websocket-extensions"));
    }

    @Test
    @DisplayName("An invalid upgrade is refused with a status and a sentence, and opens no tunnel")
    void refusals() throws Exception {
        String good = upgrade(PATH, protocol("amqp"));
        record Case(String head, int status, String words) {}
        for (Case each : List.of(
                new Case(upgrade(PATH), 400, "Expected the subprotocol AMQPWSB10 or amqp"),
                new Case(upgrade(PATH, protocol("mqtt", "AMQP")), 400, "neither is among [mqtt, AMQP]"),
                new Case(good.replace("Upgrade: websocket\r\n", ""), 426, "Expected an upgrade"),
                new Case(good.replace("Upgrade: websocket", "Upgrade: h2c"), 426, "Expected an upgrade"),
                new Case(good.replace("Connection: Upgrade\r\n", ""), 426, "Expected an upgrade"),
                new Case(good.replace("Version: 13", "Version: 8"), 426, "version 13"),
                new Case(good.replace("Sec-WebSocket-Version: 13\r\n", ""), 426, "version 13"),
                new Case(good.replace("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", ""), 400, "Key"),
                new Case(good.replace("HTTP/1.1", "HTTP/1.0"), 400, "HTTP/1.1"),
                new Case(good.replaceFirst("GET", "PUT"), 405, "Expected GET"),
                new Case(upgrade(PATH, protocol("amqp"), "Content-Length: 5000"), 400, "without a body"),
                new Case(upgrade(PATH, protocol("amqp"), "Transfer-Encoding: chunked"), 400, "without a body"))) {
            try (RawWebSocket client = new RawWebSocket(gateway.httpPort())) {
                List<String> head = client.ask(each.head);
                assertThat(head.get(0)).as(each.head).contains(" " + each.status + " ");
                assertThat(client.rest()).contains(each.words);
                assertThat(head.contains("upgrade: websocket")).isEqualTo(each.status == 426);
            }
        }
        assertThat(ask(upgrade("/orders", protocol("amqp"))).get(0))
                .as("an upgrade elsewhere is a request of administration, without its token")
                .contains(" 401 ");
        assertThat(tunnels.opened).isEmpty();
    }

    @Test
    @DisplayName("Wire 13: the data is one stream, in any division into frames and messages")
    void stream() throws Exception {
        try (RawWebSocket client = open()) {
            byte[] sent = octets(300_000);
            client.binary(Arrays.copyOfRange(sent, 0, 16)); // two headers in one message
            client.send(BINARY, Arrays.copyOfRange(sent, 16, 17));
            client.send(CONTINUATION, Arrays.copyOfRange(sent, 17, 100_000));
            client.send(FIN | PING, new byte[] {7}); // between the fragments of a message
            client.send(FIN | CONTINUATION, Arrays.copyOfRange(sent, 100_000, 100_100));
            client.binary(new byte[0]);
            client.binary(Arrays.copyOfRange(sent, 100_100, sent.length));
            Tunnel tunnel = tunnels.next();
            until("everything to arrive", () -> tunnel.receivedBytes() == sent.length);
            assertThat(tunnel.received()).isEqualTo(sent);

            tunnel.far.data(ByteBuffer.wrap(sent, 0, 60_000));
            tunnel.far.data(ByteBuffer.wrap(sent, 60_000, 10));
            assertThat(client.frame().opcode()).isEqualTo(PONG);
            RawWebSocket.Frame first = client.frame();
            assertThat(first.head()).isEqualTo(FIN | BINARY);
            assertThat(first.payload()).isEqualTo(Arrays.copyOfRange(sent, 0, 60_000));
            assertThat(client.frame().payload()).isEqualTo(Arrays.copyOfRange(sent, 60_000, 60_010));
            until("it to be consumed", () -> tunnel.consumedBytes() == 60_010);
        }
    }

    @Test
    @DisplayName("A message without an end is passed on in parts and not collected")
    void endlessMessage() throws Exception {
        try (RawWebSocket client = open()) {
            Tunnel tunnel = tunnels.next();
            byte[] piece = octets(1_000);
            client.send(BINARY, piece);
            for (int i = 0; i < 2_000; i++) {
                client.send(CONTINUATION, piece);
            }
            until("all fragments to arrive", () -> tunnel.receivedBytes() == 2_001_000);
        }
    }

    @Test
    @DisplayName("Invalid, too large and text frames close the connection with the matching code")
    void brokenFrames() throws Exception {
        byte[] some = {1, 2, 3};
        byte[] unmasked = {(byte) (FIN | BINARY), 3, 1, 2, 3};
        byte[] huge = ByteBuffer.allocate(14)
                .put((byte) (FIN | BINARY))
                .put((byte) 0xff)
                .putLong(FRAME_BYTES_MAX + 1)
                .array();
        byte[] endless = huge.clone();
        ByteBuffer.wrap(endless, 2, 8).putLong(Long.MAX_VALUE);
        byte[] negative = huge.clone();
        ByteBuffer.wrap(negative, 2, 8).putLong(-1);
        record Case(byte[] octets, int code) {}
        for (Case each : List.of(
                new Case(RawWebSocket.masked(FIN | TEXT, "AMQP".getBytes(StandardCharsets.US_ASCII)), 1003),
                new Case(unmasked, 1002),
                new Case(huge, 1009),
                new Case(endless, 1009),
                new Case(negative, 1002),
                new Case(RawWebSocket.masked(FIN | 0x40 | BINARY, some), 1002), // "compressed"
                new Case(RawWebSocket.masked(FIN | CONTINUATION, some), 1002),
                new Case(RawWebSocket.masked(FIN | 3, some), 1002),
                new Case(RawWebSocket.masked(FIN | 11, some), 1002),
                new Case(RawWebSocket.masked(PING, some), 1002), // a fragment of a ping
                new Case(RawWebSocket.masked(FIN | PING, new byte[126]), 1002))) {
            try (RawWebSocket client = open()) {
                client.raw(each.octets);
                assertThat(client.closeCode()).as(Arrays.toString(each.octets)).isEqualTo(each.code);
                Tunnel tunnel = tunnels.next();
                until("the AMQP side to know", tunnel::gone);
            }
        }
        try (RawWebSocket client = open()) {
            client.binary(octets(FRAME_BYTES_MAX));
            Tunnel tunnel = tunnels.next();
            until("the largest frame to arrive", () -> tunnel.receivedBytes() == FRAME_BYTES_MAX);
        }
    }

    @Test
    @DisplayName("Jitney stops reading from a client that sends faster than the AMQP side consumes")
    void holdsTheSender() throws Exception {
        tunnels.greedy = false;
        try (RawWebSocket client = open()) {
            Tunnel tunnel = tunnels.next();
            byte[] piece = octets(16_000);
            int total = 4_000;
            AtomicLong sent = new AtomicLong();
            Thread sender = new Thread(() -> {
                try {
                    for (int i = 0; i < total; i++) {
                        client.binary(piece);
                        sent.incrementAndGet();
                    }
                } catch (IOException e) {
                    // the test reports the expected value instead
                }
            });
            sender.start();
            until("the window to be full", () -> tunnel.receivedBytes() >= WINDOW_BYTES);
            long[] before = {-1, 0};
            until("the sender to be held", () -> {
                boolean same = sent.get() == before[0] && sent.get() > 0;
                before[1] = same ? before[1] + 1 : 0;
                before[0] = sent.get();
                return before[1] > 200;
            });
            assertThat(sent.get()).as("64 MB are not swallowed").isLessThan(total);
            assertThat(tunnel.receivedBytes()).isBetween(WINDOW_BYTES, WINDOW_BYTES + piece.length);

            tunnels.greedy = true;
            tunnel.far.consumed(tunnel.receivedBytes());
            until("the rest to arrive", () -> tunnel.receivedBytes() == total * piece.length);
            sender.join();
        }
    }

    @Test
    @DisplayName("Bytes that a client has not read are not reported as consumed")
    void holdsTheAmqpSide() throws Exception {
        try (RawWebSocket client = new RawWebSocket(gateway.httpPort(), 32 * 1024)) {
            client.upgraded();
            Tunnel tunnel = tunnels.next();
            byte[] piece = octets(64 * 1024);
            int total = 400;
            for (int i = 0; i < total; i++) {
                tunnel.far.data(ByteBuffer.wrap(piece));
            }
            long[] before = {-1, 0};
            until("nothing more to be consumed", () -> {
                long now = tunnel.consumedBytes();
                before[1] = now == before[0] ? before[1] + 1 : 0;
                before[0] = now;
                return before[1] > 200;
            });
            assertThat(tunnel.consumedBytes()).isLessThan(10L << 20); // the buffers of the sockets
            for (int i = 0; i < total; i++) {
                assertThat(client.frame().payload()).isEqualTo(piece);
            }
            until("all to be consumed", () -> tunnel.consumedBytes() == (long) total * piece.length);
        }
    }

    @Test
    @DisplayName("Each side closes after its last bytes")
    void ends() throws Exception {
        try (RawWebSocket client = open()) {
            Tunnel tunnel = tunnels.next();
            tunnel.far.data(ByteBuffer.wrap(new byte[] {1, 2}));
            tunnel.far.close();
            tunnel.far.data(ByteBuffer.wrap(new byte[] {3}));
            assertThat(client.frame().payload()).containsExactly(1, 2);
            assertThat(client.closeCode()).isEqualTo(1000);
            until("the AMQP side to know", tunnel::gone);
        }
        try (RawWebSocket client = open()) {
            Tunnel tunnel = tunnels.next();
            client.binary(new byte[] {9});
            client.send(FIN | RawWebSocket.CLOSE, new byte[] {3, (byte) 0xe9});
            assertThat(client.frame().closeCode()).isEqualTo(1001);
            until("the AMQP side to know", tunnel::gone);
            assertThat(tunnel.received()).containsExactly(9);
        }
        RawWebSocket dropped = open();
        Tunnel tunnel = tunnels.next();
        dropped.close();
        until("the AMQP side to know", tunnel::gone);
    }

    @Test
    @DisplayName("When the AMQP side accepts no more connections, the close code is try again later")
    void full() throws Exception {
        tunnels.full = true;
        try (RawWebSocket client = open()) {
            assertThat(client.closeCode()).isEqualTo(1013);
        }
    }

    @Test
    @DisplayName("A client that reads nothing does not keep its socket after the end")
    void endsWithoutReading() throws Exception {
        try (RawWebSocket client = new RawWebSocket(gateway.httpPort(), 32 * 1024)) {
            client.upgraded();
            Tunnel tunnel = tunnels.next();
            for (int i = 0; i < 400; i++) {
                tunnel.far.data(ByteBuffer.wrap(new byte[64 * 1024]));
            }
            tunnel.far.close();
            until("the AMQP side to know", tunnel::gone);
            assertClosedByPeer(client);
        }
    }

    /** Writes until that fails, because nothing reads from a closed socket. */
    private static void assertClosedByPeer(RawWebSocket client) throws Exception {
        until("the socket to be closed", () -> {
            try {
                client.send(FIN | PONG, new byte[0]);
                return false;
            } catch (SocketException closed) {
                return true;
            }
        });
    }

    @Test
    @DisplayName("Pings get pongs; a client that floods pings and reads no pongs is disconnected")
    void pings() throws Exception {
        try (RawWebSocket client = open()) {
            for (int i = 0; i < 5_000; i++) {
                client.send(FIN | PING, new byte[] {(byte) i});
                assertThat(client.frame().payload()).containsExactly(i);
            }
        }
        try (RawWebSocket client = new RawWebSocket(gateway.httpPort(), 32 * 1024)) {
            client.upgraded();
            tunnels.next();
            Tunnel tunnel = tunnels.next();
            byte[] many = repeated(RawWebSocket.masked(FIN | PING, new byte[125]), 1_000);
            try {
                for (int sent = 0; sent < 2_000 && !tunnel.gone(); sent++) {
                    client.raw(many);
                }
            } catch (SocketException closed) {
                // expected
            }
            until("the AMQP side to know", tunnel::gone);
            assertClosedByPeer(client);
        }
    }

    private static byte[] repeated(byte[] octets, int times) {
        ByteBuffer all = ByteBuffer.allocate(octets.length * times);
        for (int i = 0; i < times; i++) {
            all.put(octets);
        }
        return all.array();
    }

    @Test
    @DisplayName("HTTP's idle timeout does not end a quiet WebSocket, but a quiet HTTP connection")
    void quiet() throws Exception {
        patiently(this::quiet);
    }

    private void quiet(int idleSeconds) throws Exception {
        gateway.close();
        tunnels.opened.clear();
        start(idleSeconds);
        try (RawWebSocket client = open();
                RawWebSocket http = new RawWebSocket(gateway.httpPort())) {
            Tunnel tunnel = tunnels.next();
            assertThat(http.ask("GET /health HTTP/1.1\r\nHost: h\r\n\r\n").get(0))
                    .contains(" 200 ");
            http.rest(); // ends with the idle timeout
            client.socket.setSoTimeout(idleSeconds * 1_000 + 2_000);
            try {
                assertThat(client.frame()).as("nothing").isNull();
            } catch (SocketTimeoutException stillOpen) {
                client.binary(new byte[] {5});
                until("the octet to arrive", () -> tunnel.receivedBytes() == 1);
            }
        }
    }

    @Test
    @DisplayName("A request with an unfinished head times out, even if single bytes arrive")
    void slowUpgrade() throws Exception {
        patiently(this::slowUpgrade);
    }

    private void slowUpgrade(int idleSeconds) throws Exception {
        gateway.close();
        start(idleSeconds);
        try (RawWebSocket client = new RawWebSocket(gateway.httpPort());
                RawWebSocket prompt = open()) {
            client.raw("GET ".getBytes(StandardCharsets.US_ASCII));
            until("the connection to be closed", () -> {
                try {
                    client.raw(new byte[] {'/'});
                    return false;
                } catch (SocketException closed) {
                    return true;
                }
            });
            prompt.send(FIN | PING, new byte[] {1});
            assertThat(prompt.frame().opcode()).isEqualTo(PONG);
        }
    }

    @Test
    @DisplayName("QUOTA-8: WebSockets are counted on the AMQP side, not as HTTP connections")
    void manyWebSockets() throws Exception {
        List<RawWebSocket> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 1_100; i++) {
                clients.add(open());
            }
            until("all to be opened", () -> tunnels.opened.size() == 1_100);
            HttpClient http = HttpClient.newHttpClient();
            URI health = URI.create("http://127.0.0.1:" + gateway.httpPort() + "/health");
            assertThat(http.send(HttpRequest.newBuilder(health).build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        } finally {
            for (RawWebSocket client : clients) {
                client.close();
            }
        }
    }

    @Test
    @DisplayName("Closing ends the AMQP connections first, then every WebSocket")
    void closing() throws Exception {
        try (RawWebSocket client = open()) {
            Tunnel tunnel = tunnels.next();
            Thread closer = new Thread(gateway::close);
            closer.start();
            assertThat(client.closeCode()).isEqualTo(1000);
            closer.join();
            assertThat(tunnels.closed).isTrue();
            until("the AMQP side to know", tunnel::gone);
        }
    }
}
