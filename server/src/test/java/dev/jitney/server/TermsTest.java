package dev.jitney.server;

import static dev.jitney.server.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.RawFrame;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawPeer;
import dev.jitney.testing.amqp.WebSocketSocket;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server stops and starts its broker while its ports stay open. */
@Timeout(60)
class TermsTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    Path dir;

    private final List<MessagingStore> stores = List.of(new InMemoryMessagingStore());
    private FrontNode node;

    @AfterEach
    void closeNode() {
        if (node != null) {
            node.close();
        }
    }

    @Test
    @DisplayName(
            "CL-11, CL-12, CL-24: when a term ends, clients receive amqp:connection:forced, and the next term serves the"
                    + " same port and messages")
    void stopsAndStarts() throws Exception {
        node = FrontNode.open(builder().port(0), stores);
        node.lead();
        node.createQueue("q");
        int port = node.port("amqp");
        for (int term = 0; term < 3; term++) {
            try (RawPeer peer = RawPeer.plain(port, FrontNode.RULE, FrontNode.KEY)) {
                peer.authorise(FrontNode.RULE, FrontNode.KEY);
                RawLink sender = peer.begin().sender("q");
                sender.sendAccepted(RawMessage.ofData("message " + term));
                RawLink receiver = peer.begin().receiver("q");
                receiver.credit(1);
                assertThat(receiver.receive().message().dataText()).isEqualTo("message 0");

                node.loseLeadership();

                assertThat(conditionOfClose(peer)).isEqualTo("amqp:connection:forced");
                peer.connection().awaitEnd(SOON);
            }
            node.lead();
        }
    }

    @Test
    @DisplayName("CL-12: when a term ends, AMQP over WebSockets receives amqp:connection:forced")
    void overWebSockets() throws Exception {
        node = FrontNode.open(builder().port(0), stores);
        node.lead();
        try (RawPeer peer =
                RawPeer.silent(new WebSocketSocket(node.port("http"))).authenticate(FrontNode.RULE, FrontNode.KEY)) {
            node.loseLeadership();
            assertThat(conditionOfClose(peer)).isEqualTo("amqp:connection:forced");
            peer.connection().awaitEnd(SOON);
        }
    }

    @Test
    @DisplayName(
            "CL-12: when a term ends, HTTP connections, silent ones and those of clients that read nothing are closed after"
                    + " a second in any case")
    void closesAllSockets() throws Exception {
        node = FrontNode.open(builder().port(0), stores);
        node.lead();
        int port = node.port("amqp");
        try (Socket http = connect(port);
                Socket silent = connect(port);
                Socket begun = connect(port);
                Socket greedy = connect(port)) {
            http.getOutputStream().write("GET /health HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(http.getInputStream().read()).isEqualTo('H');
            begun.getOutputStream().write(new byte[] {'A', 'M', 'Q', 'P', 3, 1, 0, 0});
            assertThat(begun.getInputStream().readNBytes(8)).hasSize(8);
            greedy.setReceiveBufferSize(1024);
            String requests = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n".repeat(5_000);
            greedy.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
            long beginNs = System.nanoTime();
            node.loseLeadership();
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs))
                    .isLessThan(4_000);
            for (Socket socket : List.of(http, silent, begun, greedy)) {
                readToEnd(socket);
            }
        }
    }

    @Test
    @DisplayName("CL-21: a connection that comes between two terms waits for the next one")
    void waitsForTheNextTerm() throws Exception {
        node = FrontNode.open(builder().port(0), stores);
        node.lead();
        node.loseLeadership();
        int port = node.port("amqp");
        try (Socket early = connect(port)) {
            early.getOutputStream().write(new byte[] {'A', 'M', 'Q', 'P', 3, 1, 0, 0});
            await(() -> node.figures().waiting() == 1);
            node.lead();
            assertThat(early.getInputStream().readNBytes(4)).isEqualTo(new byte[] {'A', 'M', 'Q', 'P'});
            assertThat(node.figures().waiting()).isZero();
        }
    }

    private JitneyServerBuilder builder() {
        return JitneyServer.builder().dataDir(dir.resolve("data"));
    }

    /** Returns the condition of the server's close, which is the first field of its error. */
    private static String conditionOfClose(RawPeer peer) {
        RawFrame close = peer.connection().await("close", SOON, frame -> frame.is(Code.CLOSE));
        return close.field(0).described().at(0).text();
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket("127.0.0.1", port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) SOON.toMillis());
        return socket;
    }

    /** Reads until the server closes the socket; fails with a timeout if it stays open. */
    private static void readToEnd(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
        } catch (SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
    }
}
