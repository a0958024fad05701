package dev.jitney.server.front;

import static dev.jitney.server.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.gateway.amqp.listener.SharedPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FrontTest {
    private static final SharedPort PORT = new SharedPort(0, true, true, false, false);

    private Front front;
    private final List<Socket> sockets = new ArrayList<>();

    @AfterEach
    void closeAll() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        if (front != null) {
            front.close();
        }
    }

    @Test
    @DisplayName(
            "CL-20, CL-73: the leader receives the protocols of the port, the address of the client, and its bytes unchanged")
    void passesOn() throws Exception {
        open(limits -> limits);
        try (FakeLeader leader = new FakeLeader(FakeLeader.ACCEPTS)) {
            front.follow(leader.address());
            Socket client = connect();
            Socket far = leader.next();
            assertThat(leader.firstRequest())
                    .startsWith("GET /relay HTTP/1.1\r\nHost: 127.0.0.1:")
                    .contains(
                            "\r\nUpgrade: jitney-relay\r\n",
                            "\r\nJitney-Protocols: amqp,http\r\n",
                            "\r\nJitney-Client: 127.0.0.1:" + client.getLocalPort() + "\r\n");
            long seed = new Random().nextLong();
            byte[] bytes = new byte[3_000_000];
            new Random(seed).nextBytes(bytes);
            assertThat(through(client, far, bytes)).as("seed %d", seed).isEqualTo(bytes);
            assertThat(through(far, client, bytes)).as("seed %d", seed).isEqualTo(bytes);
            assertThat(front.figures().toLeaderBytes()).isEqualTo(bytes.length);
            assertThat(front.figures().toClientsBytes()).isEqualTo(bytes.length);
            client.close();
            assertThat(far.getInputStream().read()).isEqualTo(-1);
            far.close();
            await(() -> front.figures().passedOn() == 0 && front.figures().bufferedBytes() == 0);
        }
    }

    @Test
    @DisplayName("CL-20: bytes that the leader sends together with its consent reach the client")
    void bytesBehindTheAnswer() throws Exception {
        open(limits -> limits);
        try (FakeLeader leader = new FakeLeader(FakeLeader.ACCEPTS + "hello")) {
            front.follow(leader.address());
            for (int i = 0; i < 200; i++) { // the end may arrive before, with or after the bytes
                Socket client = connect();
                leader.next().close();
                assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .isEqualTo("hello");
            }
        }
    }

    @Test
    @DisplayName("The end of one direction is passed on, and the other direction continues (half-close)")
    void halfClose() throws Exception {
        open(limits -> limits);
        try (FakeLeader leader = new FakeLeader(FakeLeader.ACCEPTS)) {
            front.follow(leader.address());
            Socket client = connect();
            client.getOutputStream().write("request".getBytes(StandardCharsets.US_ASCII));
            client.shutdownOutput();
            Socket far = leader.next();
            assertThat(new String(far.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .isEqualTo("request");
            far.getOutputStream().write("response".getBytes(StandardCharsets.US_ASCII));
            far.close();
            assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .isEqualTo("response");
            await(() -> front.figures().passedOn() == 0);
        }
    }

    @Test
    @DisplayName("A client that reads nothing stops its leader, with bounded memory, and loses no bytes")
    void slowReader() throws Exception {
        open(limits -> limits.withBufferBytesMax(64 * 1024));
        try (FakeLeader leader = new FakeLeader(FakeLeader.ACCEPTS)) {
            front.follow(leader.address());
            Socket client = new Socket();
            client.setReceiveBufferSize(4 * 1024);
            sockets.add(client);
            client.connect(new java.net.InetSocketAddress("127.0.0.1", port()));
            Socket far = leader.next();
            AtomicLong sent = new AtomicLong();
            long total = 64L << 20;
            Thread sender = new Thread(() -> send(far, total, sent));
            sender.setDaemon(true);
            sender.start();
            AtomicLong before = new AtomicLong(-1);
            AtomicLong sinceNs = new AtomicLong();
            await(
                    () -> { // until nothing has moved for a while
                        assertThat(front.figures().bufferedBytes()).isLessThanOrEqualTo(128 * 1024);
                        if (before.getAndSet(sent.get()) != before.get()) {
                            sinceNs.set(System.nanoTime());
                        }
                        return before.get() > 0
                                && front.figures().bufferedBytes() > 0
                                && System.nanoTime() - sinceNs.get() > TimeUnit.SECONDS.toNanos(1);
                    });
            assertThat(before.get()).isLessThan(total);
            assertThat(front.figures().bufferedBytes()).isPositive();
            // Another client is served meanwhile.
            Socket other = connect();
            Socket otherFar = leader.next();
            byte[] bytes = new byte[100_000];
            assertThat(through(other, otherFar, bytes)).isEqualTo(bytes);

            long received = 0;
            byte[] buffer = new byte[64 * 1024];
            InputStream in = client.getInputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                for (int i = 0; i < n; i++) {
                    assertThat(buffer[i]).isEqualTo((byte) (received + i));
                }
                received += n;
            }
            assertThat(received).isEqualTo(total);
        }
    }

    private static void send(Socket to, long total, AtomicLong sent) {
        byte[] part = new byte[8 * 1024]; // a multiple of 256, so that all parts are equal
        for (int i = 0; i < part.length; i++) {
            part[i] = (byte) i;
        }
        try (to) {
            OutputStream out = to.getOutputStream();
            while (sent.get() < total) {
                out.write(part);
                sent.addAndGet(part.length);
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    @DisplayName("CL-21: without a leader, a connection is closed when its time is over")
    void waitingEnds() throws Exception {
        open(limits -> limits.withWaitMs(200));
        Socket client = connect();
        assertThat(client.getInputStream().read()).isEqualTo(-1);
        assertThat(front.figures().refused()).isEqualTo(1);
        assertThat(FrontOptions.on("127.0.0.1", List.of(PORT)).waitMs()).isEqualTo(10_000);
    }

    @Test
    @DisplayName(
            "CL-21, CL-80: connections wait while the leader does not serve yet, which is known, and then all are passed on")
    void leaderIsNotReady() throws Exception {
        open(limits -> limits);
        try (FakeLeader leader = new FakeLeader(FakeLeader.REFUSES)) {
            front.follow(leader.address());
            List<Socket> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                clients.add(connect());
            }
            await(() -> leader.requests() > 22);
            await(() -> front.refusedMs() > 0);
            leader.answer(FakeLeader.ACCEPTS + "!");
            for (Socket client : clients) {
                assertThat(client.getInputStream().read()).isEqualTo('!');
            }
            assertThat(front.figures().waiting()).isZero();
            assertThat(front.figures().passedOn()).isEqualTo(20);
            assertThat(front.refusedMs()).isZero();
            leader.answer(FakeLeader.REFUSES);
            connect();
            await(() -> front.refusedMs() > 0);
            front.follow(null);
            await(() -> front.refusedMs() == 0);
        }
    }

    @Test
    @DisplayName(
            "CL-21: a leader that answers nothing or garbage, or does not listen, gets no client; the next leader does")
    void brokenLeaders() throws Exception {
        open(limits -> limits);
        try (FakeLeader silent = new FakeLeader("");
                FakeLeader garbage = new FakeLeader("x".repeat(10_000));
                FakeLeader leader = new FakeLeader(FakeLeader.ACCEPTS + "!");
                ServerSocket closed = new ServerSocket(0)) {
            closed.close();
            front.follow(silent.address());
            Socket client = connect();
            await(() -> silent.requests() == 1);
            front.follow(garbage.address());
            await(() -> garbage.requests() >= 2);
            front.follow(new java.net.InetSocketAddress("127.0.0.1", closed.getLocalPort()));
            front.follow(leader.address());
            assertThat(client.getInputStream().read()).isEqualTo('!');
        }
    }

    @Test
    @DisplayName(
            "CL-22: connections that were passed on are closed when this node follows another leader or none, or serves itself")
    void followsAnother() throws Exception {
        open(limits -> limits);
        try (FakeLeader first = new FakeLeader(FakeLeader.ACCEPTS + "1");
                FakeLeader second = new FakeLeader(FakeLeader.ACCEPTS + "2")) {
            front.follow(first.address());
            Socket client = connect();
            assertThat(client.getInputStream().read()).isEqualTo('1');
            front.follow(first.address());
            client.setSoTimeout(300);
            assertThatThrownBy(() -> client.getInputStream().read())
                    .as("the same leader changes nothing")
                    .isInstanceOf(SocketTimeoutException.class);
            client.setSoTimeout(20_000);
            front.follow(second.address());
            assertThat(ends(client)).isTrue();

            Socket other = connect();
            assertThat(other.getInputStream().read()).isEqualTo('2');
            front.follow(null);
            assertThat(ends(other)).isTrue();

            front.follow(first.address());
            Socket third = connect();
            assertThat(third.getInputStream().read()).isEqualTo('1');
            front.serve((socket, port) -> socket.close());
            assertThat(ends(third)).isTrue();
            await(() -> front.figures().passedOn() == 0);
        }
    }

    @Test
    @DisplayName(
            "CL-21: connections that wait count against the limit of connections, and the oldest gives way to a new one")
    void limits() throws Exception {
        open(limits -> limits.withConnections(3, 2));
        try (FakeLeader leader = new FakeLeader(FakeLeader.ACCEPTS + "!")) {
            Socket oldest = connect();
            await(() -> front.figures().waiting() == 1);
            connect();
            await(() -> front.figures().waiting() == 2);
            connect();
            assertThat(ends(oldest)).isTrue();
            assertThat(front.figures().waiting()).isEqualTo(2);

            front.follow(leader.address());
            await(() -> front.figures().openedPassages() == 2);
            Socket last = connect();
            assertThat(last.getInputStream().read()).isEqualTo('!');
            assertThat(ends(connect())).as("a fourth connection").isTrue();
            assertThat(front.figures().refused()).isEqualTo(2);
            last.close();
            leader.next();
            leader.next();
            leader.next().close();
            await(() -> front.figures().passedOn() == 2);
            assertThat(connect().getInputStream().read()).isEqualTo('!');
        }
    }

    @Test
    @DisplayName("A port that is in use is refused, and no port stays open")
    void portInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            SharedPort second = PORT.at(taken.getLocalPort());
            assertThatThrownBy(() -> Front.open(FrontOptions.on("127.0.0.1", List.of(PORT, second))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + taken.getLocalPort());
        }
    }

    @Test
    @DisplayName("Closing the front closes its ports and all connections")
    void closing() throws Exception {
        open(limits -> limits);
        Socket waiting = connect();
        await(() -> front.figures().waiting() == 1);
        int port = port();
        front.close();
        assertThat(ends(waiting)).isTrue();
        assertThatThrownBy(() -> new Socket("127.0.0.1", port)).isInstanceOf(IOException.class);
    }

    private void open(UnaryOperator<FrontOptions> limits) throws IOException {
        front = Front.open(limits.apply(FrontOptions.on("127.0.0.1", List.of(PORT))));
    }

    private int port() {
        return front.ports().get(0).port();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket("127.0.0.1", port());
        socket.setSoTimeout(20_000);
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        return socket;
    }

    /** Sends bytes, and returns the bytes that arrive at the other end. */
    private static byte[] through(Socket from, Socket to, byte[] bytes) throws Exception {
        Thread sender = new Thread(() -> {
            try {
                from.getOutputStream().write(bytes);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        sender.start();
        byte[] received = to.getInputStream().readNBytes(bytes.length);
        sender.join();
        return Arrays.copyOf(received, received.length);
    }

    private static boolean ends(Socket socket) throws IOException {
        try {
            return socket.getInputStream().readAllBytes().length == 0;
        } catch (SocketException reset) {
            return true;
        }
    }
}
