package dev.jitney.conformance.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.RawTest;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.RawConnection;
import dev.jitney.testing.amqp.RawDelivery;
import dev.jitney.testing.amqp.RawFrame;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawPeer;
import dev.jitney.testing.amqp.WebSocketSocket;
import dev.jitney.testing.amqp.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of AMQP frames and WebSocket messages on the wire. */
class WebSocketWireTest extends RawTest {
    private static final byte[] SASL = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};
    private static final byte[] AMQP = {'A', 'M', 'Q', 'P', 0, 1, 0, 0};
    private static final byte[] INIT = RawConnection.frame(
            1, 0, Wire.encode(Wire.composite(Code.SASL_INIT, Wire.sym("ANONYMOUS"), new byte[0], "localhost")));
    private static final byte[] OPEN =
            RawConnection.frame(0, 0, Wire.encode(Wire.composite(Code.OPEN, "raw", "localhost", Wire.uint(4096))));
    private static final byte[] BEGIN = RawConnection.frame(
            0, 0, Wire.encode(Wire.composite(Code.BEGIN, null, Wire.uint(1), Wire.uint(100), Wire.uint(100))));

    @ParameterizedTest
    @CsvSource({
        "/$servicebus/websocket, AMQPWSB10",
        "/$servicebus/websocket/, AMQPWSB10",
        "/$servicebus/websocket?x=y, amqp",
        "/$servicebus/websocket/?x=y, amqp",
    })
    @DisplayName("Wire 12: messages are sent on every path and with every subprotocol")
    void pathsAndSubprotocols(String path, String subprotocol) {
        String queue = broker.queue();
        RawPeer over = keep(RawPeer.silent(new WebSocketSocket(broker.httpPort(), path, subprotocol)));
        over.sasl("ANONYMOUS", new byte[0]);
        over.open("localhost");
        over.authorise(TestBroker.RULE, TestBroker.KEY);
        over.begin().sender(queue).sendAccepted(RawMessage.of("m", "m"));
        assertThat(broker.counts(queue).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("Wire 13: several headers and frames in one WebSocket message are all processed")
    void severalFramesInOneMessage() throws IOException {
        WebSocketSocket socket = broker.webSocket();
        RawPeer over = keep(RawPeer.silent(socket));
        socket.sendMessage(join(SASL, INIT, AMQP, OPEN, BEGIN));
        over.connection().await("outcome", f -> f.is(Code.SASL_OUTCOME));
        over.connection().await("open", f -> f.is(Code.OPEN));
        over.connection().await("begin", f -> f.is(Code.BEGIN));
    }

    @Test
    @DisplayName("Wire 13: a frame may end in a later WebSocket message, wherever it is cut")
    void oneFrameInSeveralMessages() throws IOException {
        byte[] all = join(SASL, INIT, AMQP, OPEN, BEGIN);
        for (int size : new int[] {1, 2, 3, 7, 11, 60}) {
            WebSocketSocket socket = broker.webSocket();
            RawPeer over = keep(RawPeer.silent(socket));
            for (int at = 0; at < all.length; at += size) {
                socket.sendMessage(Arrays.copyOfRange(all, at, Math.min(all.length, at + size)));
            }
            over.connection().await("begin", f -> f.is(Code.BEGIN));
        }
    }

    private static byte[] join(byte[]... parts) {
        ByteBuffer all = ByteBuffer.allocate(1_000);
        List.of(parts).forEach(all::put);
        return Arrays.copyOf(all.array(), all.position());
    }

    @Test
    @DisplayName("Wire 8: no frame is larger than the 4,096 bytes the Java SDK accepts over WebSocket")
    void smallFrames() {
        String queue = broker.queue();
        RawPeer over = keep(RawPeer.silent(broker.webSocket()));
        over.sasl("PLAIN", RawPeer.plainResponse(TestBroker.RULE, TestBroker.KEY));
        over.open("localhost", 4096, null);
        session.sender(queue).sendAccepted(RawMessage.ofData("x".repeat(200_000)));
        RawDelivery delivery = over.begin().receiver(queue).receiveOne();
        assertThat(delivery.message().dataText()).hasSize(200_000);
        assertThat(over.connection().frames()).allMatch(f -> f.sizeOctets() <= 4096);
        assertThat(delivery.frames()).hasSizeGreaterThan(48);
    }

    @Test
    @DisplayName("When the server closes, the client reads AMQP's close and then the close of the WebSocket")
    void closing() {
        WebSocketSocket socket = broker.webSocket();
        RawPeer over = keep(RawPeer.silent(socket));
        over.sasl("ANONYMOUS", new byte[0]);
        over.open("localhost");
        broker.restart();
        RawFrame close = over.connection().await("close", f -> f.is(Code.CLOSE));
        assertThat(close.field(0).described().at(0).text()).isEqualTo("amqp:connection:forced");
        over.connection().awaitEnd(RawConnection.PATIENCE);
        Await.until("the close code", () -> socket.closeCode() == 1000);
    }
}
