package dev.jitney.conformance.wire;

import static dev.jitney.testing.amqp.Wire.uint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.RawTest;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.Node;
import dev.jitney.testing.amqp.RawConnection;
import dev.jitney.testing.amqp.RawDelivery;
import dev.jitney.testing.amqp.RawFrame;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawPeer;
import dev.jitney.testing.amqp.RawSession;
import dev.jitney.testing.amqp.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the handshake (checklist 1 to 11). */
class HandshakeTest extends RawTest {

    private RawPeer silent() {
        return keep(silentPeer());
    }

    @Test
    @DisplayName(
            "Wire 1: the SASL header gets the same reply, then the mechanisms follow, without EXTERNAL because client certificates are not supported")
    void saslMechanisms() {
        RawPeer peer = silent();
        peer.connection().sendHeader(3);
        assertThat(peer.connection().awaitHeader()).containsExactly('A', 'M', 'Q', 'P', 3, 1, 0, 0);
        RawFrame frame = peer.connection().await("mechanisms", f -> f.is(Code.SASL_MECHANISMS));
        assertThat(frame.type()).isEqualTo(1);
        Node mechanisms = frame.field(0);
        assertThat(mechanisms.isArray()).isTrue();
        assertThat(mechanisms.items()).allMatch(Node::isSymbol);
        assertThat(mechanisms.items()).extracting(Node::text).containsExactly("MSSBCBS", "PLAIN", "ANONYMOUS");
    }

    @ParameterizedTest
    @ValueSource(strings = {"MSSBCBS:", "ANONYMOUS:", "ANONYMOUS:anonymous", "ANONYMOUS:\0RootKey", "EXTERNAL:"})
    @DisplayName("Wire 2: mechanisms without a password always succeed")
    void mechanismsWithoutPassword(String mechanismAndResponse) {
        String[] parts = mechanismAndResponse.split(":", 2);
        RawPeer peer = silent();
        assertThat(peer.trySasl(parts[0], parts[1].getBytes(StandardCharsets.UTF_8)))
                .isZero();
        peer.open("localhost");
    }

    @Test
    @DisplayName("Wire 2: the initial response may be missing")
    void absentInitialResponse() {
        RawPeer peer = silent();
        assertThat(peer.trySasl("ANONYMOUS", null)).isZero();
        peer.open("localhost");
    }

    @Test
    @DisplayName("Wire 3: PLAIN with the right key allows links without a token")
    void plainWithTheRightKey() {
        String queue = broker.queue();
        session.sender(queue);
        session.receiver(queue);
    }

    @Test
    @DisplayName("Wire 3: PLAIN with a wrong key, an unknown rule or nonsense is outcome 1 and a closed connection")
    void plainWithAWrongKey() {
        for (byte[] response : List.of(
                RawPeer.plainResponse(TestBroker.RULE, "wrong"),
                RawPeer.plainResponse("nobody", TestBroker.KEY),
                new byte[0],
                new byte[] {0},
                "nonsense".getBytes(StandardCharsets.UTF_8))) {
            RawPeer peer = silent();
            assertThat(peer.trySasl("PLAIN", response)).isEqualTo(1);
            peer.connection().awaitEnd(RawConnection.PATIENCE);
        }
    }

    @Test
    @DisplayName("An unknown SASL mechanism is refused")
    void unknownMechanism() {
        RawPeer peer = silent();
        assertThat(peer.trySasl("SCRAM-SHA-256", new byte[0])).isEqualTo(1);
        peer.connection().awaitEnd(RawConnection.PATIENCE);
    }

    @Test
    @DisplayName("Wire 4: without SASL a connection opens and can put a token")
    void withoutSasl() {
        RawPeer peer = silent();
        peer.open("localhost");
        peer.authorise(TestBroker.RULE, TestBroker.KEY);
        peer.begin().sender(broker.queue());
    }

    @Test
    @DisplayName("Wire 5: open has a container id, a frame size and no missing fields")
    void openReply() {
        RawPeer peer = silent();
        peer.sasl("ANONYMOUS", new byte[0]);
        RawFrame open = peer.open("localhost");
        assertThat(open.performative().size()).isEqualTo(10);
        assertThat(open.field(0).text()).isNotEmpty();
        assertThat(open.field(2).number()).isBetween(512L, 65_536L);
        assertThat(open.field(4).isNull() || open.field(4).number() >= 5_000).isTrue();
    }

    @Test
    @DisplayName("Wire 6: begin contains the client's channel, also when channels and handles start at 1")
    void beginReply() {
        RawPeer peer = keep(newPeer());
        RawSession one = peer.begin(1).handlesFrom(1);
        RawFrame begin = one.beginReply();
        assertThat(begin.performative().size()).isEqualTo(8);
        assertThat(begin.field(0).number()).isEqualTo(1);
        assertThat(begin.field(1).isNull()).isFalse();
        assertThat(begin.field(2).number()).isGreaterThanOrEqualTo(5000);
        assertThat(begin.field(3).number()).isGreaterThanOrEqualTo(5000);
        assertThat(begin.field(4).number()).isGreaterThanOrEqualTo(255);
        String queue = broker.queue();
        one.sender(queue).sendAccepted(RawMessage.ofData("m"));
        assertThat(one.receiver(queue).receiveOne().message().dataText()).isEqualTo("m");
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 4096, 65_536})
    @DisplayName("Wire 8: no frame is larger than the client allows")
    void framesKeepTheClientsLimit(int maxFrameSize) {
        String queue = broker.queue();
        String text = "x".repeat(200_000);
        session.sender(queue).sendAccepted(RawMessage.ofData(text));

        RawPeer small = silent();
        small.sasl("PLAIN", RawPeer.plainResponse(TestBroker.RULE, TestBroker.KEY));
        RawFrame open = small.open("localhost", maxFrameSize, null);
        assertThat(open.field(2).number()).isLessThanOrEqualTo(65_536);
        RawDelivery delivery = small.begin().receiver(queue).receiveOne();
        assertThat(delivery.message().dataText()).isEqualTo(text);
        assertThat(small.connection().frames()).allMatch(f -> f.sizeOctets() <= maxFrameSize);
    }

    @Test
    @DisplayName("Wire 9: a client with an idle timeout gets empty frames in time")
    void emptyFramesKeepTheConnectionAlive() {
        RawPeer peer = silent();
        peer.sasl("PLAIN", RawPeer.plainResponse(TestBroker.RULE, TestBroker.KEY));
        Duration idle = Duration.ofSeconds(20);
        peer.open("localhost", 65_536, (int) idle.toMillis());
        long start = System.nanoTime();
        peer.connection().await("an empty frame", RawFrame::isEmpty);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(idle);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"localhost", "localhost:5671", "LOCALHOST", "unknown.example.org", ""})
    @DisplayName("Wire 11: any host name is accepted; unknown ones select the first namespace")
    void hostNames(String hostname) {
        RawPeer peer = silent();
        peer.sasl("PLAIN", RawPeer.plainResponse(TestBroker.RULE, TestBroker.KEY));
        peer.open(hostname);
        peer.begin().sender(broker.queue());
    }

    @Test
    @DisplayName("Frames that follow a header in the same packet are not lost (wire 1.2)")
    void pipelinedHandshake() {
        RawPeer peer = silent();
        byte[] header = {'A', 'M', 'Q', 'P', 0, 1, 0, 0};
        byte[] open = dev.jitney.testing.amqp.RawConnection.frame(
                0, 0, Wire.encode(Wire.composite(Code.OPEN, "pipelined", "localhost", uint(65_536))));
        byte[] all = new byte[header.length + open.length];
        System.arraycopy(header, 0, all, 0, header.length);
        System.arraycopy(open, 0, all, header.length, open.length);
        peer.connection().send(all);
        peer.connection().awaitHeader();
        peer.connection().await("open", f -> f.is(Code.OPEN));
    }

    @Test
    @DisplayName("An unknown protocol header gets the SASL header and a close (wire 1.2)")
    void unknownHeader() {
        RawPeer peer = silent();
        peer.connection().send(new byte[] {'A', 'M', 'Q', 'P', 9, 9, 9, 9});
        assertThat(peer.connection().awaitHeader()).containsExactly('A', 'M', 'Q', 'P', 3, 1, 0, 0);
        peer.connection().awaitEnd(RawConnection.PATIENCE);
    }

    @Test
    @DisplayName("A close gets a close as reply, an end gets an end")
    void closeAndEnd() {
        RawLink link = session.sender(broker.queue());
        assertThat(link.maxMessageSize()).isPositive();
        session.send(Wire.composite(Code.END, (Object) null));
        peer.connection().await("end", f -> f.is(Code.END));
        peer.send(0, Wire.composite(Code.CLOSE, (Object) null));
        peer.connection().await("close", f -> f.is(Code.CLOSE));
        peer.connection().awaitEnd(RawConnection.PATIENCE);
    }
}
