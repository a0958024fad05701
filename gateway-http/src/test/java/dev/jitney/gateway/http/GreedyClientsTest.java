package dev.jitney.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.jitney.gateway.http.exchange.HttpLimits;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Clients that use up connections and memory of the HTTP listeners and release nothing. */
@Timeout(180)
class GreedyClientsTest {
    private static final int PLACES = 10;
    private static final int SPARE = 4;
    private static final int MEMORY_BYTES = 4 << 20;
    private static final String HEALTH = "GET /health HTTP/1.1\r\nHost: h\r\n\r\n";

    private final TestBroker broker = new TestBroker();
    private final List<RawClient> clients = new ArrayList<>();
    private HttpGateway gateway;

    /** @param headSeconds for the head of a request; other times are longer than any test */
    private void start(int headSeconds) throws IOException {
        start(headSeconds, MEMORY_BYTES);
    }

    private void start(int headSeconds, int memoryBytes) throws IOException {
        gateway = HttpGateway.start(
                new HttpGatewayOptions("127.0.0.1", 0, null, null),
                broker.broker,
                () -> null,
                new RecordingTunnels(),
                new HttpLimits(PLACES, SPARE, headSeconds, 600, 600, 1 << 20, memoryBytes, 750, 600));
    }

    @AfterEach
    void stop() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
        gateway.close();
        broker.close();
    }

    private RawClient client() throws IOException {
        RawClient client = new RawClient(gateway.httpPort());
        clients.add(client);
        return client;
    }

    private static void await(String what, BooleanSupplier condition) {
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(40); System.nanoTime() < end; ) {
            if (condition.getAsBoolean()) {
                return;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        throw new AssertionError("Expected " + what + " within 40 s.");
    }

    private long held(String purpose) {
        Long bytes = gateway.figures().heldBytes().get(purpose);
        return bytes == null ? -1 : bytes;
    }

    private static String authorized(String request) {
        return request + " HTTP/1.1\r\nHost: h\r\nAuthorization: " + TestBroker.token() + "\r\n";
    }

    @Test
    @DisplayName("HTTP 4.2: new connections replace silent ones and those with slow heads, with one log line")
    void silentConnectionsGiveWay() throws Exception {
        start(600);
        Logger log = (Logger) LoggerFactory.getLogger("dev.jitney.gateway.http.exchange.HttpConnections");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        RawClient working = client();
        String list = authorized("GET /$Resources/Queues") + "\r\n";
        assertThat(working.send(list).answer()).startsWith("HTTP/1.1 200");
        for (int i = 0; i < 10 * (PLACES + SPARE); i++) {
            RawClient silent = client();
            if (i % 2 == 0) {
                silent.send("GET /health HTT");
            }
            if (i % 10 == 0) {
                try (RawClient other = new RawClient(gateway.httpPort())) {
                    assertThat(other.send(HEALTH).answer()).startsWith("HTTP/1.1 200");
                    assertThat(other.send(list).answer()).startsWith("HTTP/1.1 200");
                }
            }
        }
        // A client with a token is idle for longer than all of them, and stays connected.
        assertThat(working.send(list).answer()).startsWith("HTTP/1.1 200");
        assertThat(gateway.figures().connections()).isLessThanOrEqualTo(PLACES + SPARE);
        assertThat(gateway.figures().displacedConnections()).isPositive();
        assertThat(gateway.figures().refusedConnections()).isZero();
        log.detachAppender(lines);
        assertThat(lines.list).hasSize(1);
        assertThat(lines.list.get(0).getFormattedMessage())
                .startsWith("The maximum number of HTTP connections is reached.");
    }

    @Test
    @DisplayName("HTTP 4.2: health responds while receives and slow bodies use all connections; other requests get 503")
    void healthHasPlaces() throws Exception {
        start(600);
        broker.create("orders");
        for (int i = 0; i < PLACES; i++) {
            client().send(
                            i % 2 == 0
                                    ? authorized("DELETE /orders/messages/head?timeout=500") + "\r\n"
                                    : authorized("POST /orders/messages") + "Content-Length: 1000\r\n\r\nx");
        }
        await("five receives", () -> gateway.waitingReceives() == PLACES / 2);
        await("five bodies", () -> held("body") == PLACES / 2);
        for (int i = 0; i < 2 * SPARE; i++) {
            client().send("GET /heal"); // and silent connections in addition
        }
        for (int i = 0; i < 3; i++) {
            try (RawClient probe = new RawClient(gateway.httpPort())) {
                assertThat(probe.send(HEALTH).answer()).startsWith("HTTP/1.1 200");
            }
        }
        try (RawClient other = new RawClient(gateway.httpPort())) {
            assertThat(other.send(authorized("GET /$Resources/Queues") + "\r\n").answer())
                    .startsWith("HTTP/1.1 503")
                    .contains("SubCode=50004.", "onnection: close");
            assertThat(other.isClosedByPeer()).isTrue();
        }
        // The connections become available again.
        clients.get(1).send("x".repeat(999)).answer();
        try (RawClient other = new RawClient(gateway.httpPort())) {
            assertThat(other.send(authorized("GET /$Resources/Queues") + "\r\n").answer())
                    .startsWith("HTTP/1.1 200");
        }
    }

    @Test
    @DisplayName("Jitney stops reading from a client that sends requests and reads no responses")
    void unreadAnswersStopReading() throws Exception {
        start(600);
        for (String request : new String[] {HEALTH, "GET /nowhere HTTP/1.1\r\nHost: h\r\n\r\n"}) {
            assertThat(bytesTaken(request)).as(request).isLessThan(32 << 20);
        }
        await("at most one answer held", () -> held("answer") < 10_000);
    }

    /** Returns the bytes of requests that the server reads from a client that reads no responses. */
    private long bytesTaken(String request) throws IOException {
        ByteBuffer many =
                ByteBuffer.wrap(request.repeat(20_000 / request.length()).getBytes(StandardCharsets.ISO_8859_1));
        long taken = 0;
        try (SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", gateway.httpPort()))) {
            channel.configureBlocking(false);
            long lastProgress = System.nanoTime();
            while (taken < 32 << 20 && System.nanoTime() - lastProgress < TimeUnit.SECONDS.toNanos(3)) {
                if (!many.hasRemaining()) {
                    many.clear();
                }
                int written = channel.write(many);
                if (written > 0) {
                    taken += written;
                    lastProgress = System.nanoTime();
                } else {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
            }
        }
        return taken;
    }

    @Test
    @DisplayName(
            "Unread responses use at most the memory budget, and are dropped after five seconds when memory is short")
    void answersAreBounded() throws Exception {
        int memoryBytes = 1 << 20;
        start(600, memoryBytes);
        for (int i = 0; i < 100; i++) {
            broker.create("orders-" + i);
        }
        // More than the buffers of the sockets hold, in responses of more than 100 KB each.
        String list = authorized("GET /$Resources/Queues") + "\r\n";
        List<SocketChannel> greedy = new ArrayList<>();
        for (int i = 0; i < PLACES - 1; i++) {
            SocketChannel channel = SocketChannel.open();
            channel.setOption(java.net.StandardSocketOptions.SO_RCVBUF, 4_096);
            channel.connect(new InetSocketAddress("127.0.0.1", gateway.httpPort()));
            channel.write(ByteBuffer.wrap(list.repeat(100).getBytes(StandardCharsets.ISO_8859_1)));
            greedy.add(channel);
        }
        await("answers nobody fetches", () -> held("answer") > 500_000);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        long most = 0;
        while (System.nanoTime() < end) {
            most = Math.max(most, held("answer"));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        // All responses are within the budget; refusals of less than 4 KiB are always written.
        assertThat(most).isBetween(500_000L, memoryBytes + PLACES * 4_096L);
        await("others are served", () -> isServed(list));
        assertThat(gateway.figures().displacedConnections()).isPositive();
        for (SocketChannel channel : greedy) {
            channel.close();
        }
        await("nothing held", () -> held("answer") == 0);
    }

    private boolean isServed(String list) {
        try (RawClient other = new RawClient(gateway.httpPort())) {
            String answer = other.send(list).answer();
            assertThat(answer).matches("(?s)HTTP/1.1 (200|503) .*");
            return answer.startsWith("HTTP/1.1 200");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("Heads of many short lines count by their memory cost, and other clients are served meanwhile")
    void headsAreBounded() throws Exception {
        start(600);
        String head = "GET /health HTTP/1.1\r\nHost: h\r\n" + "a:\r\n".repeat(7_000);
        for (int i = 0; i < PLACES; i++) {
            client().send(head);
        }
        await("heads that are counted", () -> held("head") > 2_000_000);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        while (System.nanoTime() < end) {
            assertThat(held("head")).isLessThanOrEqualTo(MEMORY_BYTES);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        try (RawClient other = new RawClient(gateway.httpPort())) {
            assertThat(other.send(HEALTH).answer()).startsWith("HTTP/1.1 200");
        }
        for (RawClient client : clients) {
            client.close();
        }
        await("nothing held", () -> held("head") == 0);
    }

    @Test
    @DisplayName("Incomplete WebSocket frames count against the memory budget until they are complete")
    void framesAreBounded() throws Exception {
        start(600);
        List<RawWebSocket> sockets = new ArrayList<>();
        for (int i = 0; i < 2 * MEMORY_BYTES / 200_000; i++) {
            RawWebSocket socket = RawWebSocket.open(gateway.httpPort());
            sockets.add(socket);
            // The head of a masked frame of 200,000 bytes, and all but the last of them.
            ByteBuffer frame = ByteBuffer.allocate(14 + 199_999);
            frame.put((byte) 0x82).put((byte) 0xff).putLong(200_000).putInt(0);
            socket.socket.getOutputStream().write(frame.array(), 0, frame.capacity());
        }
        await("frames that are counted", () -> held("frame") > MEMORY_BYTES - 200_000);
        assertThat(held("frame")).isLessThanOrEqualTo(MEMORY_BYTES);
        try (RawClient other = new RawClient(gateway.httpPort())) {
            assertThat(other.send(HEALTH).answer()).startsWith("HTTP/1.1 200");
        }
        sockets.get(0).socket.getOutputStream().write(0);
        await("a frame given back", () -> held("frame") < MEMORY_BYTES);
        for (RawWebSocket socket : sockets) {
            socket.close();
        }
        await("nothing held", () -> held("frame") == 0);
    }

    @Test
    @DisplayName("Requests pipelined after a body, plain or chunked, get their responses in order")
    void pipelining() throws Exception {
        start(600);
        broker.create("orders");
        String text = "y".repeat(5_000);
        String both = authorized("POST /orders/messages") + "Content-Length: 5000\r\n\r\n" + text + HEALTH
                + authorized("POST /orders/messages") + "Transfer-Encoding: chunked\r\n\r\n1388\r\n" + text
                + "\r\n0\r\n\r\n" + HEALTH.repeat(200);
        RawClient client = client();
        client.send(both.repeat(5));
        for (int i = 0; i < 5; i++) {
            assertThat(client.answer()).startsWith("HTTP/1.1 201");
            assertThat(client.answer()).startsWith("HTTP/1.1 200");
            assertThat(client.answer()).startsWith("HTTP/1.1 201");
            for (int j = 0; j < 200; j++) {
                assertThat(client.answer()).startsWith("HTTP/1.1 200");
            }
        }
        await("nothing held", () -> held("body") == 0 && held("answer") == 0 && held("head") == 0);
    }

    @Test
    @DisplayName("HTTP 4.2: one message of the operator API is refused if its values or its answer have no memory")
    void largeMessagesOfOperators() throws Exception {
        start(600);
        broker.create("orders");
        String list =
                "{\"type\":\"value\",\"value\":{\"type\":\"list\",\"value\":[null" + ",null".repeat(19_999) + "]}}";
        String escapes = "\"" + "\\u0001".repeat(255_000) + "\"";
        for (String body : List.of("\"small\"", list, escapes)) {
            String messages = "{\"messages\":[{\"body\":" + body + "}]}";
            assertThat(client().send(authorized("POST /$operator/v1/entities/orders/messages") + "Content-Length: "
                                    + messages.length() + "\r\n\r\n" + messages)
                            .answer())
                    .startsWith("HTTP/1.1 200");
        }

        assertThat(message(1)).startsWith("HTTP/1.1 200").contains("\"body\":\"small\"");
        assertThat(message(2)).startsWith("HTTP/1.1 503").contains("Too many responses are being sent");
        assertThat(message(3)).startsWith("HTTP/1.1 503").contains("Too many responses are being sent");
        assertThat(message(1)).startsWith("HTTP/1.1 200");
        await("nothing held", () -> held("answer") == 0);
    }

    private String message(int number) throws IOException {
        return client().send(authorized("GET /$operator/v1/entities/orders/messages/" + number) + "\r\n")
                .answer();
    }
}
