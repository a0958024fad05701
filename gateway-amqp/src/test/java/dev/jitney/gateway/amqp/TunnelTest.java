package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.gateway.amqp.AmqpValues.Described;
import dev.jitney.gateway.amqp.RawPeer.Frame;
import dev.jitney.gateway.amqp.shared.ConnectionLimits;
import dev.jitney.gateway.amqp.shared.IdleRules;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.InMemoryBroker;
import dev.jitney.runtime.InMemoryEntity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The special cases of connections that another listener accepted. */
@Timeout(60)
class TunnelTest {
    private static final String RULE = "RootManageSharedAccessKey";
    private static final int WINDOW_BYTES = 64 * 1024;
    private static final int ATTACH = 0x12;
    private static final int FLOW = 0x13;
    private static final int TRANSFER = 0x14;
    private static final int CLOSE = 0x18;

    private final InMemoryBroker broker = new InMemoryBroker();
    private AmqpGateway gateway;

    @BeforeEach
    void start() {
        broker.first.add(QueueDescription.named("q").build(), 1 << 20);
        broker.second.add(QueueDescription.named("only-second").build(), 1 << 20);
        gateway = new AmqpGateway(
                broker,
                new AmqpGatewayOptions("127.0.0.1", 0, null, null, 1, 3, ConnectionLimits.defaults(), IdleRules.OFF));
        gateway.start();
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private TunnelSocket tunnel() throws IOException {
        return new TunnelSocket(gateway, null);
    }

    private static RawPeer authorized(TunnelSocket tunnel) throws IOException {
        RawPeer peer = new RawPeer(tunnel).plain(RULE, InMemoryBroker.KEY);
        peer.begin(0);
        return peer;
    }

    private static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static Object condition(Frame close) {
        return ((AmqpValues.Symbol) ((Described) close.field(0)).fields().get(0)).text();
    }

    @Test
    @DisplayName("Sockets and tunnels share one limit; above it no tunnel opens (QUOTA-8)")
    void limit() throws Exception {
        List<RawPeer> peers = new ArrayList<>();
        peers.add(new RawPeer(gateway.plainPort()).plain(RULE, InMemoryBroker.KEY));
        peers.add(authorized(tunnel()));
        peers.add(authorized(tunnel()));
        assertThatThrownBy(this::tunnel).hasMessage("refused");
        peers.get(0).close();
        until("the limit to permit another connection", () -> {
            try {
                tunnel().close();
                return true;
            } catch (IOException refused) {
                return false;
            }
        });
        for (RawPeer peer : peers) {
            peer.close();
        }
    }

    @Test
    @DisplayName("At the limit a tunnel takes the place of the oldest socket or tunnel without a token (QUOTA-8)")
    void newcomer() throws Exception {
        RawPeer socket = new RawPeer(gateway.plainPort()).anonymous();
        socket.frame();
        RawPeer silent = new RawPeer(tunnel());
        RawPeer known = authorized(tunnel());
        RawPeer newcomer = authorized(tunnel());
        RawPeer another = authorized(tunnel());
        assertThat(socket.atEnd()).isTrue();
        assertThat(silent.atEnd()).isTrue();
        assertThatThrownBy(this::tunnel).hasMessage("refused");
        for (RawPeer peer : List.of(known, newcomer, another)) {
            peer.begin(1);
            peer.close();
        }
    }

    @Test
    @DisplayName("If the open names no host, the host name below AMQP chooses the namespace (wire 1.4)")
    void serverName() throws Exception {
        try (RawPeer peer = new RawPeer(new TunnelSocket(gateway, "second.example"))) {
            peer.sasl("PLAIN", ("\0" + RULE + "\0" + InMemoryBroker.KEY).getBytes());
            peer.frame();
            peer.open(null);
            peer.begin(0);
            peer.send(0, RawPeer.sender("a", 0, "only-second"));
            assertThat(peer.next(ATTACH).field(6)).isNotNull();
        }
    }

    @Test
    @DisplayName("Closing the tunnels sends every client a close, even clients that have sent nothing, and opens"
            + " no more")
    void closing() throws Exception {
        RawPeer open = authorized(tunnel());
        RawPeer silent = new RawPeer(tunnel());
        RawPeer socket = new RawPeer(gateway.plainPort()).anonymous();
        gateway.closeTunnels();
        assertThat(condition(open.next(CLOSE))).isEqualTo("amqp:connection:forced");
        assertThat(open.atEnd()).isTrue();
        assertThat(silent.atEnd()).isTrue();
        assertThatThrownBy(this::tunnel).hasMessage("refused");
        socket.frame(); // the outcome: sockets are closed with the gateway
        socket.open("first");
        socket.close();
    }

    @Test
    @DisplayName("Unread output of a client stays in the broker, except for a window")
    void backPressure() throws Exception {
        TunnelSocket tunnel = tunnel();
        int total = 400;
        byte[] body = new byte[16 * 1024];
        try (RawPeer peer = authorized(tunnel)) {
            peer.send(0, RawPeer.sender("in", 0, "q"));
            peer.next(ATTACH);
            for (int i = 0; i < total; i++) {
                peer.message(0, 0, i, RawPeer.message(body));
            }
            until(
                    "all messages to be stored",
                    () -> ((InMemoryEntity) broker.first.entities.get("q")).activeCount() == total);
            peer.send(0, RawPeer.receiver("out", 1, "q"));
            peer.next(ATTACH);
            peer.flow(0, 1, 0, total, false, false);
            until("the window to be full", () -> tunnel.unreadBytes.get() >= WINDOW_BYTES);
            try (RawPeer other = authorized(tunnel())) { // on the same event loop: it has had time to deliver more
                other.send(0, RawPeer.sender("s", 0, "q"));
                other.next(FLOW);
                for (int i = 0; i < 50; i++) {
                    other.flow(0, 0, 0, 0, false, true);
                    other.next(FLOW);
                }
            }
            assertThat(tunnel.unreadBytes.get()).isBetween((long) WINDOW_BYTES, WINDOW_BYTES + 100_000L);
            for (int i = 0; i < total; i++) {
                assertThat(peer.next(TRANSFER).payload()).hasSizeGreaterThan(body.length);
            }
        }
    }
}
