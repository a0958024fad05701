package dev.jitney.conformance.wire;

import static dev.jitney.testing.amqp.Wire.list;
import static dev.jitney.testing.amqp.Wire.map;
import static dev.jitney.testing.amqp.Wire.octets;
import static dev.jitney.testing.amqp.Wire.sym;
import static dev.jitney.testing.amqp.Wire.uint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.RawTest;
import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.RawConnection;
import dev.jitney.testing.amqp.RawFrame;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawPeer;
import dev.jitney.testing.amqp.RawSession;
import dev.jitney.testing.amqp.Wire;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests with invalid input, which gets an error or a close, costs little, and does not affect other clients (issue item
 * 10).
 */
class HostileInputTest extends RawTest {
    private static final Duration SOON = RawConnection.PATIENCE;

    private String queue;
    private RawLink witnessSender;
    private RawLink witnessReceiver;

    @BeforeEach
    void startWitness() {
        queue = broker.queue();
        witnessSender = session.sender(queue);
        witnessReceiver = session.receiver(queue);
    }

    @AfterEach
    void nobodyElseIsDisturbed() {
        witnessSender.sendAccepted(RawMessage.ofData("witness"));
        witnessReceiver.settle(witnessReceiver.receiveOne(), RawLink.ACCEPTED);
        keep(newPeer()).begin().sender(queue).sendAccepted(RawMessage.ofData("newcomer"));
    }

    /** Waits for a close or for the end of the socket. */
    private static void awaitRefused(RawConnection connection) {
        connection.awaitEnd(SOON);
    }

    private static void sendQuietly(RawConnection connection, byte[] octets) {
        try {
            connection.send(octets);
        } catch (UncheckedIOException alreadyClosed) {
            // the server has closed the socket first
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    @DisplayName("Garbage instead of a header ends the connection")
    void garbageInsteadOfAHeader(long seed) {
        RawConnection connection = keep(silentPeer()).connection();
        byte[] garbage = new byte[10_000];
        new Random(seed).nextBytes(garbage);
        sendQuietly(connection, garbage);
        awaitRefused(connection);
    }

    @Test
    @DisplayName("An HTTP request and a TLS hello end the connection")
    void otherProtocols() {
        for (byte[] first : List.of(
                "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII),
                new byte[] {0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0})) {
            RawConnection connection = keep(silentPeer()).connection();
            sendQuietly(connection, first);
            awaitRefused(connection);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15})
    @DisplayName("Garbage in SASL frames ends the connection")
    void garbageInSasl(long seed) {
        RawConnection connection = keep(silentPeer()).connection();
        connection.sendHeader(3);
        connection.awaitHeader();
        byte[] garbage = new byte[200];
        new Random(seed).nextBytes(garbage);
        sendQuietly(connection, RawConnection.frame(1, 0, garbage));
        awaitRefused(connection);
    }

    static List<byte[]> brokenFrames() {
        return List.of(
                ByteBuffer.allocate(8).putInt(7).putInt(0x02000000).array(), // smaller than its own header
                ByteBuffer.allocate(8).putInt(0).putInt(0x02000000).array(),
                ByteBuffer.allocate(8).putInt(-1).putInt(0x02000000).array(),
                ByteBuffer.allocate(8).putInt(0x7fffffff).putInt(0x02000000).array(),
                ByteBuffer.allocate(8).putInt(8).putInt(0x01000000).array(), // data offset 1
                ByteBuffer.allocate(8).putInt(8).putInt(0xff000000).array(), // data offset beyond the frame
                RawConnection.frame(0x77, 0, new byte[] {0x00, 0x53}), // unknown frame type
                RawConnection.frame(0, 0, new byte[] {1, 2, 3, 4}),
                RawConnection.frame(0, 0, new byte[] {0x00, 0x53}),
                RawConnection.frame(0, 0, new byte[] {0x00, 0x53, 0x12, (byte) 0xc0, 50, 10}),
                RawConnection.frame(0, 0, new byte[] {0x00, 0x53, 0x12, (byte) 0xd0, 0x7f, 0, 0, 0, 0x7f, 0, 0, 0}),
                RawConnection.frame(0, 0, Wire.encode("no performative")),
                RawConnection.frame(0, 0, Wire.encode(Wire.composite(0x7f))),
                RawConnection.frame(0, 0, Wire.encode(new Wire.Described(sym("unknown:performative:list"), list()))),
                RawConnection.frame(0, 0, nested(5_000)));
    }

    /** Returns nested lists. */
    private static byte[] nested(int depth) {
        byte[] value = Wire.encode(list());
        for (int i = 0; i < depth && value.length < 60_000; i++) {
            value = Wire.encode(list(new Wire.Octets(value)));
        }
        return Wire.encode(Wire.composite(Code.FLOW, new Wire.Octets(value)));
    }

    @ParameterizedTest
    @MethodSource("brokenFrames")
    @DisplayName("A broken frame on an open connection ends it with an error")
    void brokenFrame(byte[] frame) {
        RawPeer hostile = keep(newPeer());
        hostile.begin();
        sendQuietly(hostile.connection(), frame);
        awaitRefused(hostile.connection());
    }

    @Test
    @DisplayName("A frame larger than the server allows ends the connection before it is read into memory")
    void oversizedFrame() {
        RawPeer hostile = keep(newPeer());
        byte[] start =
                ByteBuffer.allocate(8).putInt(100_000_000).putInt(0x02000000).array();
        sendQuietly(hostile.connection(), start);
        awaitRefused(hostile.connection());
        RawFrame close = hostile.connection().frames().stream()
                .filter(f -> f.is(Code.CLOSE))
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        "Expected a close with an error before the end of the socket, but got none."));
        assertThat(close.field(0).at(0).text()).isEqualTo("amqp:connection:framing-error");
    }

    static List<Object> wrongPerformatives() {
        return List.of(
                Wire.composite(Code.OPEN, "a second open", "localhost"),
                Wire.composite(Code.BEGIN, "not a channel", "x", "y", "z"),
                Wire.composite(Code.ATTACH, 1, "handle", "role", 77, 88),
                Wire.composite(Code.ATTACH, "no role", uint(5), null),
                Wire.composite(Code.ATTACH, "bad source", uint(5), true, null, null, "not a source", "not a target"),
                Wire.composite(Code.FLOW, map(), map(), map(), map()),
                Wire.composite(Code.FLOW, uint(0), uint(100), uint(0), uint(100), uint(4711), uint(0), uint(1)),
                Wire.composite(Code.TRANSFER, uint(4711), uint(0), new byte[] {1}, uint(0), false, false),
                Wire.composite(Code.TRANSFER),
                Wire.composite(Code.TRANSFER, uint(0), null, null, null, null, null),
                Wire.composite(Code.DISPOSITION, true, uint(0), uint(0xffffffffL), false, "no state"),
                Wire.composite(Code.DISPOSITION, list(), list(), list()),
                Wire.composite(Code.DETACH, uint(4711), true, null),
                Wire.composite(Code.DETACH, "x"),
                new Wire.Described(octets(0x53, Code.ATTACH), map("not", "a list")),
                new Wire.Described(octets(0x53, Code.ATTACH), octets(0x40)));
    }

    @ParameterizedTest
    @MethodSource("wrongPerformatives")
    @DisplayName("Performatives with wrong types or at the wrong time get an error or are ignored, and never block")
    void wrongPerformative(Object performative) {
        RawPeer hostile = keep(newPeer());
        RawSession hostileSession = hostile.begin();
        sendQuietly(hostile.connection(), RawConnection.frame(0, hostileSession.channel(), Wire.encode(performative)));
        // The reply is an end or a close, or the frame is ignored and the connection still works.
        Await.until("a reply or a working connection", () -> {
            if (hostile.connection().hasEnded()
                    || hostile.connection().frames().stream()
                            .anyMatch(f -> f.is(Code.END) || f.is(Code.CLOSE) || f.is(Code.DETACH))) {
                return true;
            }
            hostile.begin();
            return true;
        });
    }

    @Test
    @DisplayName("Frames on a channel without a session end the connection or the session")
    void unknownChannel() {
        RawPeer hostile = keep(newPeer());
        hostile.send(99, Wire.composite(Code.FLOW, uint(0), uint(1), uint(0), uint(1)));
        hostile.connection().await("an error", f -> f.is(Code.CLOSE) || f.is(Code.END));
    }

    @Test
    @DisplayName("A handle in use is refused")
    void handleInUse() {
        RawPeer hostile = keep(newPeer());
        RawSession one = hostile.begin();
        one.sender(queue);
        one.handlesFrom(0);
        one.send(Wire.composite(
                Code.ATTACH,
                "second",
                uint(0),
                false,
                null,
                null,
                Wire.composite(Code.SOURCE),
                Wire.composite(Code.TARGET, queue),
                null,
                null,
                uint(0)));
        hostile.connection().await("an error", f -> f.is(Code.CLOSE) || f.is(Code.END) || f.is(Code.DETACH));
    }

    @Test
    @DisplayName("A sender that ignores its credit is stopped")
    void senderWithoutCredit() {
        RawPeer hostile = keep(newPeer());
        RawLink sender = hostile.begin().sender(queue);
        byte[] message = RawMessage.of("flood", "x");
        try {
            for (int i = 0; i < 5_000 && !hostile.connection().hasEnded(); i++) {
                sender.sendSettled(message);
            }
        } catch (UncheckedIOException stopped) {
            // expected
        }
        // The sender was stopped, or the server was fast enough. In both cases the broker still works, which the other
        // client checks.
        Await.until("the flood to settle", () -> broker.counts(queue).active() >= 0);
        broker.delete(queue);
        startWitness();
    }

    @Test
    @DisplayName("A message far beyond the size limit is not stored, and rejected because of its size")
    void hugeMessage() {
        RawPeer hostile = keep(newPeer());
        RawLink sender = hostile.begin().sender(queue);
        long id = sender.takeDeliveryId();
        byte[] part = new byte[60_000];
        try {
            for (int i = 0; i < 1_000 && !ended(hostile); i++) {
                sender.sendPart(id, i == 0, 0, false, i < 999, part);
            }
        } catch (UncheckedIOException cut) {
            // expected
        }
        RawFrame refusal = hostile.connection().await("a refusal", f -> f.is(Code.DETACH) || f.is(Code.DISPOSITION));
        assertThat((refusal.is(Code.DETACH)
                                ? refusal.field(2)
                                : refusal.field(4).at(0))
                        .at(0)
                        .text())
                .isEqualTo("amqp:link:message-size-exceeded");
        assertThat(broker.counts(queue).total()).isZero();
    }

    private static boolean ended(RawPeer peer) {
        return peer.connection().hasEnded()
                || peer.connection().frames().stream()
                        .anyMatch(f -> f.is(Code.DETACH) || f.is(Code.CLOSE) || f.is(Code.END));
    }

    @Test
    @DisplayName("Hundreds of silent connections do not prevent a client from working")
    void halfOpenConnections() {
        List<RawPeer> halfOpen = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                RawPeer peer = silentPeer();
                halfOpen.add(peer);
                if (i % 3 == 1) {
                    peer.connection().sendHeader(3);
                } else if (i % 3 == 2) {
                    sendQuietly(peer.connection(), new byte[] {'A', 'M'});
                }
            }
            nobodyElseIsDisturbed();
        } finally {
            halfOpen.forEach(RawPeer::close);
        }
    }

    @Test
    @DisplayName("Many sessions and links are limited by the values in begin and open")
    void tooManyHandles() {
        RawPeer hostile = keep(newPeer());
        RawSession greedy = hostile.begin();
        long handleMax = greedy.beginReply().field(4).number();
        greedy.send(Wire.composite(
                Code.ATTACH,
                "beyond",
                uint(handleMax + 1),
                false,
                null,
                null,
                Wire.composite(Code.SOURCE),
                Wire.composite(Code.TARGET, queue),
                null,
                null,
                uint(0)));
        hostile.connection().await("an error", f -> f.is(Code.CLOSE) || f.is(Code.END) || f.is(Code.DETACH));
    }
}
