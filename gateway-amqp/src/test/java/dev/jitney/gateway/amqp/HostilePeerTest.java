package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.AmqpValues.Described;
import dev.jitney.gateway.amqp.RawPeer.Frame;
import dev.jitney.gateway.amqp.shared.ConnectionLimits;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.InMemoryBroker;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.qpid.protonj2.types.transport.Begin;
import org.apache.qpid.protonj2.types.transport.Detach;
import org.apache.qpid.protonj2.types.transport.Open;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hostile or defective peers: each is answered or closed, and no other connection is affected. */
@Timeout(120)
class HostilePeerTest {
    private static final String RULE = "RootManageSharedAccessKey";
    private static final int ATTACH = 0x12;
    private static final int TRANSFER = 0x14;
    private static final int DISPOSITION = 0x15;
    private static final int DETACH = 0x16;
    private static final int CLOSE = 0x18;

    private final InMemoryBroker broker = new InMemoryBroker();
    AmqpGateway gateway;
    private RawPeer bystander;

    @BeforeEach
    void start() throws IOException {
        broker.first.add(QueueDescription.named("q").build(), 1 << 20);
        start(ConnectionLimits.defaults());
    }

    private void start(ConnectionLimits limits) throws IOException {
        gateway = new AmqpGateway(
                broker,
                AmqpGatewayOptions.plain("127.0.0.1", 0).withEventLoops(1).withLimits(limits));
        gateway.start();
        bystander = authorized();
    }

    private void restart(ConnectionLimits limits) throws IOException {
        stop();
        start(limits);
    }

    @AfterEach
    void stop() throws IOException {
        if (bystander != null) {
            bystander.close();
        }
        gateway.close();
    }

    private static ConnectionLimits limits(
            long idleMs, long authenticationMs, long unauthenticatedBytes, long inFlight, long partial) {
        return new ConnectionLimits(
                65_536, idleMs, authenticationMs, unauthenticatedBytes, 100, 50, inFlight, partial, 100);
    }

    RawPeer peer() throws IOException {
        return new RawPeer(gateway.plainPort());
    }

    private RawPeer authorized() throws IOException {
        RawPeer peer = peer().plain(RULE, InMemoryBroker.KEY);
        peer.begin(0);
        return peer;
    }

    private void bystanderIsFine() throws IOException {
        bystander.send(0, RawPeer.sender("still-here", 9, "q"));
        assertThat(bystander.next(ATTACH).field(6)).isNotNull();
        bystander.send(0, new Detach().setHandle(9).setClosed(true));
        bystander.next(DETACH);
    }

    /** A test step with a time limit, which a stall of the machine may exceed. */
    private interface Attempt {
        void within(int ms) throws Exception;
    }

    /**
     * Repeats a step with longer time limits until it succeeds. If the gateway itself acts too early or too late, all
     * attempts fail.
     */
    private static void patiently(Attempt attempt, int... attemptsMs) throws Exception {
        for (int ms : Arrays.copyOf(attemptsMs, attemptsMs.length - 1)) {
            try {
                attempt.within(ms);
                return;
            } catch (IOException | AssertionError stalled) {
                // a further attempt shows whether this was an error or a stall
            }
        }
        attempt.within(attemptsMs[attemptsMs.length - 1]);
    }

    private static Object condition(Frame close) {
        return ((AmqpValues.Symbol) ((Described) close.field(0)).fields().get(0)).text();
    }

    @Test
    void garbageIsAnsweredWithOurHeaderAndClosed() throws Exception {
        for (byte[] garbage : List.of(
                "GET / HTTP/1.1\r\n\r\n".getBytes(),
                new byte[] {'A', 'M', 'Q', 'P', 2, 1, 0, 0},
                new byte[] {'A', 'M', 'Q', 'P', 3, 9, 0, 0},
                new byte[] {0})) {
            try (RawPeer peer = peer()) {
                peer.raw(garbage);
                assertThat(peer.header()).isEqualTo(RawPeer.SASL);
                try {
                    assertThat(peer.atEnd()).isTrue();
                } catch (SocketException reset) {
                    assertThat(reset).hasMessageContaining("reset");
                }
            }
        }
        bystanderIsFine();
    }

    @Test
    void headersMayComeByteByByteAndFramesMayFollowAtOnce() throws Exception {
        try (RawPeer peer = peer()) {
            for (byte b : RawPeer.AMQP) {
                peer.raw(new byte[] {b});
            }
            assertThat(peer.header()).isEqualTo(RawPeer.AMQP);
            peer.send(0, new Open().setContainerId("c"));
            assertThat(peer.frame().code()).isEqualTo(0x10);
        }
    }

    @Test
    void oversizedAndUndersizedFramesCloseTheConnection() throws Exception {
        for (int size : new int[] {1 << 30, -1, 7, 70_000}) {
            try (RawPeer peer = authorized()) {
                peer.raw(ByteBuffer.allocate(8).putInt(size).putInt(0x02000000).array());
                assertThat(condition(peer.next(CLOSE))).isEqualTo("amqp:connection:framing-error");
                assertThat(peer.closedAfter(new ArrayList<>())).isTrue();
            }
        }
        bystanderIsFine();
    }

    private static byte[] frame(int... body) {
        ByteBuffer frame = ByteBuffer.allocate(8 + body.length);
        frame.putInt(8 + body.length).putInt(0x02000000);
        for (int b : body) {
            frame.put((byte) b);
        }
        return frame.array();
    }

    @Test
    void framesThatDoNotDecodeCloseTheConnectionWithAnError() throws Exception {
        for (byte[] frame : List.of(
                frame(0x00, 0x53, 0x99, 0x45), // unknown descriptor
                frame(0x00, 0x53, 0x12, 0xc0, 0x04, 0x03, 0x50, 0x01, 0x43), // attach with a ubyte for a name
                frame(0x00, 0x53, 0x12, 0xc0, 0x02, 0x01, 0x40), // attach without mandatory fields
                frame(0x40), // no performative at all
                frame(0x00, 0x53, 0x14, 0xd0, 0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff), // sizes beyond the frame
                frame(0x00, 0x00, 0x00, 0x00, 0x00, 0x00), // nested descriptors without end
                frame(0x00, 0x53, 0x14, 0x45), // transfer as list0
                frame(0x00, 0x53, 0x10, 0xc0, 0x03, 0x01, 0xa1, 0x00), // a second open
                frame(0x00, 0x53, 0x14, 0xc0, 0x04, 0x02, 0x52, 0x63, 0x43))) { // transfer on an unknown handle
            try (RawPeer peer = authorized()) {
                peer.raw(frame);
                assertThat((String) condition(peer.next(CLOSE)))
                        .isIn("amqp:connection:framing-error", "amqp:decode-error");
                assertThat(peer.closedAfter(new ArrayList<>())).isTrue();
            }
        }
        bystanderIsFine();
    }

    @Test
    void valuesNestedVeryDeepCloseTheConnectionOnly() throws Exception {
        try (RawPeer peer = authorized()) {
            // begin with properties that are lists in lists in lists
            int depth = 10_000;
            ByteBuffer body = ByteBuffer.allocate(60_000);
            body.put(new byte[] {0x00, 0x53, 0x11, (byte) 0xd0}).putInt(0).putInt(8);
            body.put(new byte[] {0x40, 0x43, 0x43, 0x43, 0x40, 0x40, 0x40});
            body.put((byte) 0xd1).putInt(40_000).putInt(2).put(new byte[] {(byte) 0xa3, 1, 'a'});
            for (int i = 0; i < depth; i++) {
                body.put(new byte[] {(byte) 0xc0, (byte) 0xff, 1});
            }
            byte[] bytes = new byte[body.position()];
            body.flip().get(bytes);
            ByteBuffer frame = ByteBuffer.allocate(8 + bytes.length);
            frame.putInt(8 + bytes.length).putInt(0x02000001).put(bytes);
            peer.raw(frame.array());
            assertThat(peer.closedAfter(new ArrayList<>())).isTrue();
        }
        bystanderIsFine();
    }

    @Test
    void randomBytesAfterTheHandshakeNeverHurtOthers() throws Exception {
        long seed = 20_261_121L;
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            try (RawPeer peer = authorized()) {
                byte[] noise = new byte[1 + random.nextInt(200)];
                random.nextBytes(noise);
                if (random.nextBoolean()) {
                    noise = frame(
                            0x00,
                            0x53,
                            0x10 + random.nextInt(9),
                            0xc0,
                            noise.length & 0xff,
                            noise[0] & 0xf,
                            noise[0],
                            1);
                }
                peer.raw(noise);
            }
        }
        bystanderIsFine();
    }

    @Test
    void whoSaysNothingIsClosedInTime() throws Exception {
        patiently(this::whoSaysNothingIsClosed, 300, 3_000, 12_000);
    }

    private void whoSaysNothingIsClosed(int authenticationMs) throws Exception {
        restart(limits(0, authenticationMs, 100_000, 1 << 20, 1 << 20));
        try (RawPeer silent = peer();
                RawPeer halfOpen = peer();
                RawPeer unauthenticated = peer().anonymous()) {
            halfOpen.raw(new byte[] {'A', 'M'});
            unauthenticated.frame();
            unauthenticated.open("first");
            assertThat(silent.atEnd()).isTrue();
            assertThat(halfOpen.atEnd()).isTrue();
            assertThat(condition(unauthenticated.next(CLOSE))).isEqualTo("amqp:connection:forced");
        }
        bystanderIsFine();
    }

    @Test
    @DisplayName("No frame may come before open, and open must come on channel 0 (AMQP 2.4.1); found by fuzzing")
    void whoDoesNotOpenIsClosed() throws Exception {
        Begin begin = new Begin().setNextOutgoingId(1).setIncomingWindow(10).setOutgoingWindow(10);
        Open open = new Open().setContainerId("c").setHostname("first");
        for (boolean onAnotherChannel : new boolean[] {false, true}) {
            try (RawPeer peer = peer().anonymous()) {
                peer.frame();
                peer.raw(RawPeer.AMQP);
                peer.header();
                peer.send(onAnotherChannel ? 48 : 0, onAnotherChannel ? open : begin);
                List<Frame> frames = new ArrayList<>();
                assertThat(peer.closedAfter(frames)).isTrue();
                assertThat(frames).noneMatch(frame -> frame.code() == 0x11);
            }
        }
        bystanderIsFine();
    }

    @Test
    @DisplayName("A map that declares more entries than it has bytes costs nothing (AMQP 1.6.23); found by fuzzing")
    void countsAreNotBelieved() throws Exception {
        byte[] head = {0, 0x53, 0x10, (byte) 0xd0, 0, 0, 0, 28, 0, 0, 0, 10, (byte) 0xa1, 1, 'c'};
        byte[] map = {(byte) 0xd1, 0, 0, 0, 8, 0x7f, -1, -1, -2, (byte) 0xa3, 1, 'k', 0x41};
        ByteBuffer frame = ByteBuffer.allocate(8 + head.length + 8 + map.length);
        frame.putInt(frame.capacity()).putInt(0x0200_0000).put(head);
        for (int i = 0; i < 8; i++) {
            frame.put((byte) 0x40);
        }
        frame.put(map);
        for (int pieces = 1; pieces < 4; pieces++) {
            try (RawPeer peer = peer().anonymous()) {
                peer.frame();
                peer.raw(RawPeer.AMQP);
                peer.header();
                for (int i = 0; i < pieces; i++) {
                    int size = frame.capacity() / pieces;
                    int to = i == pieces - 1 ? frame.capacity() : (i + 1) * size;
                    peer.raw(Arrays.copyOfRange(frame.array(), i * size, to));
                }
                assertThat(peer.closedAfter(new ArrayList<>())).isTrue();
            }
        }
        bystanderIsFine();
    }

    @Test
    @DisplayName("A handle in use ends the session, and no link that waits to be opened fails (AMQP 2.7.3); found"
            + " by fuzzing")
    void aHandleInUseEndsTheSessionOnly() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("sends", 1, "q"));
            peer.send(0, RawPeer.receiver("one", 0, "q"));
            peer.send(0, RawPeer.receiver("two", 0, "q"));
            peer.message(0, 1, 0, RawPeer.message(new byte[1]));
            peer.next(0x17);
            peer.begin(1);
        }
        bystanderIsFine();
    }

    @Test
    void unauthenticatedPeersMaySendLittle() throws Exception {
        restart(limits(0, 20_000, 4_000, 1 << 20, 1 << 20));
        try (RawPeer peer = peer().anonymous()) {
            peer.frame();
            peer.open("first");
            ByteBuffer frames = ByteBuffer.allocate(600 * 8);
            for (int i = 0; i < 600; i++) {
                frames.put(frame());
            }
            peer.raw(frames.array()); // in one piece: after the close nothing can be written any more
            assertThat(condition(peer.next(CLOSE))).isEqualTo("amqp:connection:forced");
        }
    }

    @Test
    void thousandsOfHalfOpenConnectionsDisturbNobody() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 3_000; i++) {
                sockets.add(new Socket("127.0.0.1", gateway.plainPort()));
            }
            bystanderIsFine();
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    @DisplayName("A peer with an idle timeout gets empty frames in time (wire 9)")
    void heartbeatsKeepAPeerAlive_wire9() throws Exception {
        patiently(this::heartbeatsKeepAPeerAlive, 1_500, 6_000, 20_000);
    }

    private void heartbeatsKeepAPeerAlive(int idleMs) throws Exception {
        try (RawPeer peer = peer().anonymous()) {
            peer.frame();
            peer.raw(RawPeer.AMQP);
            peer.header();
            peer.send(0, new Open().setContainerId("c").setIdleTimeout(idleMs));
            peer.frame();
            peer.timeout(idleMs); // the peer's announced idle timeout
            for (int i = 0; i < 3; i++) {
                Frame empty = peer.frame();
                assertThat(empty.sizeBytes()).isEqualTo(8);
            }
        }
    }

    @Test
    @DisplayName("A peer that is silent for twice the idle timeout is closed as forced (wire 10)")
    void aSilentPeerIsClosedAfterTwiceTheIdleTimeout_wire10() throws Exception {
        patiently(this::aSilentPeerIsClosed, 400, 3_000, 10_000);
    }

    private void aSilentPeerIsClosed(int idleMs) throws Exception {
        restart(limits(idleMs, 20_000, 100_000, 1 << 20, 1 << 20));
        try (RawPeer peer = authorized()) {
            assertThat(condition(peer.next(CLOSE))).isEqualTo("amqp:connection:forced");
        }
    }

    @Test
    @DisplayName("Empty frames keep a connection open (wire 10)")
    void emptyFramesAreSignsOfLife() throws Exception {
        patiently(this::emptyFramesKeepAPeerAlive, 400, 2_000, 6_000);
    }

    private void emptyFramesKeepAPeerAlive(int idleMs) throws Exception {
        restart(limits(idleMs, 20_000, 100_000, 1 << 20, 1 << 20));
        try (RawPeer peer = authorized()) {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(4L * idleMs);
            while (System.nanoTime() < end) {
                peer.raw(frame());
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(idleMs / 4));
            }
            peer.send(0, RawPeer.sender("alive", 0, "q"));
            assertThat(peer.next(ATTACH).field(6)).isNotNull();
            assertThat(condition(peer.next(CLOSE))).as("once it is silent").isEqualTo("amqp:connection:forced");
        }
    }

    @Test
    @DisplayName("A connection above the namespace's limit is closed with resource-limit-exceeded; closed"
            + " connections make room (QUOTA-8)")
    void connectionsOfANamespaceAreLimited() throws Exception {
        broker.first.maxConnections(2); // the bystander has one
        RawPeer second = authorized();
        for (int i = 0; i < 3; i++) {
            try (RawPeer third = peer().plain(RULE, InMemoryBroker.KEY)) {
                assertThat(condition(third.next(CLOSE))).isEqualTo("amqp:resource-limit-exceeded");
                assertThat(third.closedAfter(new ArrayList<>())).isTrue();
            }
        }
        try (RawPeer other = peer().anonymous()) {
            other.frame();
            other.open("second").begin(0);
        }
        bystanderIsFine();
        second.close();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!opens()) {
            assertThat(System.nanoTime())
                    .as("time until another connection is accepted")
                    .isLessThan(deadline);
        }
    }

    private boolean opens() throws IOException {
        try (RawPeer peer = peer().plain(RULE, InMemoryBroker.KEY)) {
            peer.begin(0);
            return true;
        } catch (EOFException | SocketException closed) {
            return false;
        }
    }

    @Test
    void unfinishedMessagesAreBounded() throws Exception {
        restart(limits(0, 20_000, 100_000, 1 << 20, 200_000));
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("a", 0, "q"));
            peer.next(ATTACH);
            for (int i = 0; i < 4; i++) { // the fourth is too many, and a fifth would find the connection closed
                peer.send(0, RawPeer.transfer(0, 0).setMore(true), new byte[60_000]);
            }
            assertThat(condition(peer.next(CLOSE))).isEqualTo("amqp:resource-limit-exceeded");
        }
        bystanderIsFine();
    }

    @Test
    void tooManyLinksAreRefused() throws Exception {
        restart(limits(0, 20_000, 100_000, 1 << 20, 1 << 20));
        try (RawPeer peer = authorized()) {
            peer.begin(1);
            for (int i = 0; i < 51; i++) {
                peer.send(i % 2, RawPeer.sender("s" + i, i / 2, "q"));
            }
            Described error = (Described) peer.next(DETACH).field(2);
            assertThat(error.fields().get(0)).isEqualTo(new AmqpValues.Symbol("amqp:resource-limit-exceeded"));
        }
    }

    @Test
    void unsettledDeliveriesAreBoundedAndGoOnWhenSettled() throws Exception {
        restart(limits(0, 20_000, 100_000, 1 << 20, 1 << 20));
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("s", 0, "q"));
            for (int i = 0; i < 150; i++) {
                peer.message(0, 0, i, RawPeer.message(new byte[1]));
            }
            peer.send(0, RawPeer.receiver("r", 1, "q"));
            while (!"r".equals(peer.next(ATTACH).field(0))) {}
            peer.flow(0, 1, 0, 1_000, false, false);
            for (int i = 0; i < 100; i++) {
                peer.next(TRANSFER);
            }
            peer.flow(0, 1, 0, 1_000, false, true);
            assertThat(peer.frame().code())
                    .as("an answer, not another delivery")
                    .isEqualTo(0x13);
            peer.settle(0, 0, 99, false, org.apache.qpid.protonj2.types.messaging.Accepted.getInstance());
            peer.next(DISPOSITION);
            for (int i = 0; i < 50; i++) {
                peer.next(TRANSFER);
            }
        }
    }
}
