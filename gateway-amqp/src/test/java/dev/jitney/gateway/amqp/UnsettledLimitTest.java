package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.RawPeer.Frame;
import dev.jitney.gateway.amqp.shared.ConnectionLimits;
import java.io.IOException;
import java.util.List;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transport.Detach;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.End;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The limit of unsettled deliveries: what counts, and what makes room. */
class UnsettledLimitTest extends AmqpWireScenario {
    private static final int UNSETTLED_MAX = 20;
    private static final int ANSWERS_KEPT = 1_000;

    @Override
    AmqpGatewayOptions options() {
        return super.options()
                .withLimits(new ConnectionLimits(65_536, 0, 20_000, 100_000, 10, 10, 8 << 20, 1 << 20, UNSETTLED_MAX));
    }

    /** Sends requests to $cbs. The answers have the ids from 0 and stay unsettled, as those to the Python SDK do. */
    private static void request(RawPeer peer, int count) throws IOException {
        peer.send(0, RawPeer.sender("s", 1, "$cbs"));
        peer.send(0, RawPeer.receiver("r", 2, "$cbs").setTarget(new Target().setAddress("me")));
        peer.next(ATTACH);
        peer.next(ATTACH);
        peer.flow(0, 2, 0, count, false, false);
        for (int i = 0; i < count; i++) {
            peer.message(0, 1, i, RawPeer.putToken("id", "me", "sb://first/q", "no token"));
            assertThat(peer.next(TRANSFER).field(4)).isEqualTo(false);
        }
    }

    /** Attaches a receiver with credit and returns the gateway's handle of the link. */
    private static Object receive(RawPeer peer, int channel, String name, int handle, int count) throws IOException {
        peer.send(channel, RawPeer.receiver(name, handle, "q"));
        Object own = peer.next(ATTACH).field(1);
        peer.flow(channel, handle, 0, count, false, false);
        return own;
    }

    private static void take(RawPeer peer, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            peer.next(TRANSFER);
        }
    }

    @Test
    @DisplayName("Answers that a client never settles leave its receivers all of their deliveries (wire 2.1)")
    void answersAreNoDeliveriesOfMessages() throws Exception {
        fill(1);
        try (RawPeer peer = authorized()) {
            request(peer, UNSETTLED_MAX + 5);
            Object handle = receive(peer, 0, "q", 3, 1);
            assertThat(peer.next(TRANSFER).field(0)).isEqualTo(handle);
        }
    }

    @Test
    @DisplayName("The oldest of many answers that a client does not settle are dropped (wire 2.1)")
    void theOldestAnswersAreDropped() throws Exception {
        try (RawPeer peer = authorized()) {
            request(peer, ANSWERS_KEPT + 100);
            peer.settle(0, 0, ANSWERS_KEPT + 99, false, Accepted.getInstance());
            Frame answer = peer.next(DISPOSITION);
            assertThat(answer.field(1)).isEqualTo(100L);
            assertThat(answer.field(2)).isEqualTo(ANSWERS_KEPT + 99L);
        }
    }

    @Test
    @DisplayName("A receiver that waits for the limit continues when another link of the connection is detached")
    void aDetachedLinkMakesRoom() throws Exception {
        fill(UNSETTLED_MAX + 1);
        try (RawPeer peer = authorized()) {
            receive(peer, 0, "full", 1, UNSETTLED_MAX);
            take(peer, UNSETTLED_MAX);
            Object handle = receive(peer, 0, "waiting", 2, 1);
            peer.send(0, new Detach().setHandle(1).setClosed(true));
            assertThat(peer.next(TRANSFER).field(0)).isEqualTo(handle);
        }
    }

    @Test
    @DisplayName("A receiver that waits for the limit continues when another session of the connection ends")
    void anEndedSessionMakesRoom() throws Exception {
        fill(UNSETTLED_MAX + 1);
        try (RawPeer peer = authorized()) {
            peer.begin(1);
            receive(peer, 0, "full", 1, UNSETTLED_MAX);
            take(peer, UNSETTLED_MAX);
            receive(peer, 1, "waiting", 2, 1);
            peer.send(0, new End());
            assertThat(peer.next(TRANSFER).channel()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("A disposition without outcome that does not settle changes nothing (AMQP 2.6.12)")
    void anEmptyDispositionChangesNothing() throws Exception {
        fill(1);
        try (RawPeer peer = authorized()) {
            receive(peer, 0, "r", 1, 1);
            peer.next(TRANSFER);
            Disposition empty = RawPeer.outcome(0, 0, false, null);
            peer.together(0, List.of(empty, empty, RawPeer.outcome(0, 0, false, Accepted.getInstance())));
            Frame answer = peer.next(DISPOSITION);
            assertThat(answer.field(1)).isEqualTo(0L);
            assertThat(answer.field(3)).isEqualTo(true);
            assertThat(queue.lockedCount()).isZero();
        }
    }
}
