package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.AmqpValues.Described;
import dev.jitney.gateway.amqp.RawPeer.Frame;
import dev.jitney.gateway.amqp.shared.ConnectionLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Incoming transfers, however clients split them: deliveries become complete, and the rules of the protocol are
 * enforced.
 */
class IncomingDeliveriesTest extends AmqpWireScenario {
    private static final int CLOSE = 0x18;
    private static final int ACCEPTED = 0x24;
    private static final byte[] MESSAGE = RawPeer.message(new byte[100]);

    @Override
    AmqpGatewayOptions options() {
        return super.options()
                .withLimits(new ConnectionLimits(65_536, 0, 20_000, 100_000, 10, 10, 8 << 20, 1 << 20, 1_000));
    }

    /** Returns a peer with two sending links to the queue, with the handles 0 and 1. */
    private RawPeer sending() throws IOException {
        RawPeer peer = authorized();
        for (int handle = 0; handle < 2; handle++) {
            peer.send(0, RawPeer.sender("s" + handle, handle, "q"));
            peer.next(FLOW);
        }
        return peer;
    }

    private static void expectAccepted(RawPeer peer, int deliveries) throws IOException {
        for (int answered = 0; answered < deliveries; ) {
            Frame answer = peer.next(DISPOSITION);
            assertThat(((Described) answer.field(4)).code()).isEqualTo(ACCEPTED);
            answered += (int) ((long) (answer.field(2) == null ? answer.field(1) : answer.field(2))
                            - (long) answer.field(1))
                    + 1;
        }
    }

    private static void expectClosed(RawPeer peer) throws IOException {
        Described error = (Described) peer.next(CLOSE).field(0);
        assertThat(error.fields().get(0)).isEqualTo(new AmqpValues.Symbol("amqp:connection:framing-error"));
        assertThat(peer.closedAfter(new ArrayList<>())).isTrue();
    }

    private static byte[] part(int from, int to) {
        return Arrays.copyOfRange(MESSAGE, from, to);
    }

    @Test
    @DisplayName("Transfers of deliveries on different links may alternate (AMQP 2.6.14)")
    void linksTakeTurns() throws Exception {
        try (RawPeer peer = sending()) {
            peer.send(0, RawPeer.transfer(0, 0).setMore(true), part(0, 10));
            peer.send(0, RawPeer.transfer(1, 1).setMore(true), part(0, 20));
            peer.send(0, new Transfer().setHandle(0).setMore(true), part(10, 90));
            peer.send(0, new Transfer().setHandle(1), part(20, MESSAGE.length));
            peer.send(0, new Transfer().setHandle(0).setDeliveryId(0), part(90, MESSAGE.length));

            expectAccepted(peer, 2);
            assertThat(queue.activeCount()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("An aborted delivery is dropped and uses up its credit (AMQP 2.7.5)")
    void abortedDeliveriesAreForgotten() throws Exception {
        try (RawPeer peer = sending()) {
            for (int id = 0; id < 1_000; id++) {
                peer.send(0, RawPeer.transfer(0, id).setMore(true), part(0, 50));
                peer.send(0, new Transfer().setHandle(0).setAborted(true), new byte[0]);
            }
            peer.message(0, 0, 1_000, MESSAGE);
            peer.send(0, RawPeer.transfer(0, 1_001).setAborted(true).setMore(true), part(0, 50));
            peer.message(0, 0, 1_002, MESSAGE);

            expectAccepted(peer, 2);
            assertThat(queue.activeCount()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("When half of the credit is used up, a flow renews it and counts the deliveries (wire 3.6)")
    void creditIsGivenAgain() throws Exception {
        try (RawPeer peer = sending()) {
            for (int id = 0; id < 250; id++) {
                peer.message(0, 0, id, MESSAGE);
            }
            Frame flow = peer.next(FLOW);
            assertThat(flow.field(4)).isEqualTo(0L);
            assertThat(flow.field(5)).isEqualTo(250L);
            assertThat(flow.field(6)).isEqualTo(500L);
        }
    }

    @Test
    @DisplayName("Frames may arrive in pieces of any size")
    void framesMayBeCutAnywhere() throws Exception {
        long seed = Long.getLong("jitney.seed", System.nanoTime());
        Random random = new Random(seed);
        int deliveries = 200;
        try (RawPeer peer = sending()) {
            ByteArrayOutputStream octets = new ByteArrayOutputStream();
            for (int id = 0; id < deliveries; id++) {
                int cut = random.nextInt(MESSAGE.length);
                if (random.nextBoolean()) {
                    octets.write(peer.framed(0, RawPeer.transfer(id % 2, id).setMore(true), part(0, cut)));
                    octets.write(peer.framed(0, new Transfer().setHandle(id % 2), part(cut, MESSAGE.length)));
                } else {
                    octets.write(peer.framed(0, RawPeer.transfer(id % 2, id), MESSAGE));
                }
            }
            byte[] all = octets.toByteArray();
            for (int at = 0; at < all.length; ) {
                int to = Math.min(all.length, at + 1 + random.nextInt(random.nextBoolean() ? 20 : 2_000));
                peer.raw(Arrays.copyOfRange(all, at, to));
                at = to;
            }
            expectAccepted(peer, deliveries);
            assertThat(queue.activeCount()).as("seed %d", seed).isEqualTo(deliveries);
        }
    }

    @Test
    @DisplayName("A transfer that violates the protocol closes the connection (AMQP 2.7.5)")
    void brokenRulesCloseTheConnection() throws Exception {
        for (List<Transfer> transfers : List.of(
                List.of(RawPeer.transfer(0, 0).setMore(true), RawPeer.transfer(0, 1)), // the first is incomplete
                List.of(RawPeer.transfer(0, 0), RawPeer.transfer(0, 2)), // an id is skipped
                List.of(RawPeer.transfer(0, 0), RawPeer.transfer(1, 0)), // an id is repeated on another link
                List.of(new Transfer().setHandle(0)), // no id
                List.of(RawPeer.transfer(2, 0)), // the peer receives on that link
                List.of(RawPeer.transfer(3, 0)))) { // no such link
            try (RawPeer peer = sending()) {
                peer.send(0, RawPeer.receiver("r", 2, "q"));
                peer.next(ATTACH);
                ByteArrayOutputStream octets = new ByteArrayOutputStream();
                for (Transfer transfer : transfers) {
                    octets.write(peer.framed(0, transfer, MESSAGE));
                }
                octets.write(peer.framed(0, RawPeer.transfer(1, 7), MESSAGE)); // discarded after the close
                peer.raw(octets.toByteArray());
                expectClosed(peer);
            }
        }
    }
}
