package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.gateway.amqp.AmqpValues.Described;
import dev.jitney.gateway.amqp.RawPeer.Frame;
import dev.jitney.runtime.InMemoryBroker;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Modified;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.messaging.Released;
import org.apache.qpid.protonj2.types.transport.Detach;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.SenderSettleMode;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The checklist of the wire reference, section 11, as far as frames show it: transfers, flows and outcomes. */
class AmqpDeliveryWireTest extends AmqpWireScenario {
    @Test
    void noFrameExceedsTheClientsSize_wire8() throws Exception {
        for (int max : new int[] {512, 4096, 65_536}) {
            try (RawPeer peer = peer().sasl("PLAIN", ("\0" + RULE + "\0" + InMemoryBroker.KEY).getBytes())) {
                peer.frame();
                peer.open("first", max);
                peer.begin(0);
                byte[] body = new byte[100_000];
                Arrays.fill(body, (byte) 7);
                peer.send(0, RawPeer.sender("s", 0, "q"));
                peer.next(FLOW);
                byte[] message = RawPeer.message(body);
                for (int at = 0; at < message.length; at += 400) {
                    int end = Math.min(message.length, at + 400);
                    peer.send(
                            0,
                            RawPeer.transfer(0, 0).setMore(end < message.length),
                            Arrays.copyOfRange(message, at, end));
                }
                assertThat(((Described) peer.next(DISPOSITION).field(4)).code()).isEqualTo(0x24);
                peer.send(0, RawPeer.receiver("r", 1, "q").setSenderSettleMode(SenderSettleMode.SETTLED));
                peer.next(ATTACH);
                peer.flow(0, 1, 0, 1, false, false);
                int bytes = 0;
                Frame frame;
                int frames = 0;
                do {
                    frame = peer.next(TRANSFER);
                    assertThat(frame.sizeBytes()).isLessThanOrEqualTo(max);
                    fullLength(frame, 11);
                    if (frames++ == 0) {
                        assertThat((byte[]) frame.field(2)).hasSize(16);
                        assertThat(frame.field(1)).isEqualTo(0L);
                        assertThat(frame.field(3)).isEqualTo(0L);
                    } else {
                        assertThat(frame.field(1)).isNull();
                        assertThat(frame.field(2)).isNull();
                    }
                    bytes += frame.payload().length;
                } while (Boolean.TRUE.equals(frame.field(5)));
                assertThat(bytes).isGreaterThan(100_000);
            }
        }
    }

    @Test
    void settledReceiversGetSettledTransfersAndOthersDoNot_wire29_37() throws Exception {
        fill(4);
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.receiver("d", 0, "q").setSenderSettleMode(SenderSettleMode.SETTLED));
            peer.next(ATTACH);
            peer.flow(0, 0, 0, 2, false, false);
            assertThat(peer.next(TRANSFER).field(4)).isEqualTo(true);
            assertThat(peer.next(TRANSFER).field(4)).isEqualTo(true);
            peer.send(0, RawPeer.receiver("p", 1, "q"));
            peer.next(ATTACH);
            peer.flow(0, 1, 0, 2, false, false);
            Frame third = peer.next(TRANSFER);
            assertThat(third.field(1)).isEqualTo(2L);
            assertThat(third.field(4)).isEqualTo(false);
            assertThat(peer.next(TRANSFER).field(1)).isEqualTo(3L);
            assertThat(queue.lockedCount()).isEqualTo(2);
            assertThat(queue.activeCount()).isZero();
        }
    }

    @Test
    @DisplayName("MSG-4, wire 4.4: a delivery of a partitioned queue has the number of its partition, others have not")
    void deliveriesTellThePartition() throws Exception {
        fill(2);
        try (RawPeer peer = authorized()) {
            for (int handle : new int[] {0, 1}) {
                peer.send(0, RawPeer.receiver("r" + handle, handle, "q"));
                peer.next(ATTACH);
                peer.flow(0, handle, 0, 1, false, false);
                Map<?, ?> annotations = (Map<?, ?>)
                        RawPeer.sections(peer.next(TRANSFER).payload()).get(2).value();
                assertThat(annotations.containsKey(new AmqpValues.Symbol("x-opt-partition-id")))
                        .isEqualTo(handle == 1);
                queue.settleApart(); // as a partitioned queue does
            }
        }
    }

    @Test
    void drainDeliversThenSaysSo_wire30() throws Exception {
        fill(3);
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.receiver("r", 4, "q"));
            long handle = (long) peer.next(ATTACH).field(1);
            peer.flow(0, 4, 0, 10, true, false);
            for (int i = 0; i < 3; i++) {
                assertThat(peer.frame().code()).isEqualTo(TRANSFER);
            }
            Frame flow = peer.frame();
            drained(flow, handle, 10);
        }
    }

    private static void drained(Frame flow, long handle, long deliveryCount) {
        assertThat(flow.code()).isEqualTo(FLOW);
        fullLength(flow, 11);
        assertThat(flow.field(4)).isEqualTo(handle);
        assertThat(flow.field(5)).isEqualTo(deliveryCount);
        assertThat(flow.field(6)).isEqualTo(0L);
        assertThat(flow.field(7)).isEqualTo(0L);
        assertThat(flow.field(8)).isEqualTo(true);
        assertThat(flow.field(9)).isEqualTo(false);
    }

    @Test
    void drainIsAnsweredWithoutMessagesAndWithoutCredit_wire31() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.receiver("r", 4, "q"));
            long handle = (long) peer.next(ATTACH).field(1);
            peer.flow(0, 4, 0, 5, true, false);
            drained(peer.frame(), handle, 5);
            peer.flow(0, 4, 5, 0, true, false);
            drained(peer.frame(), handle, 5);
            peer.flow(0, 4, 5, 1, false, false);
            fill(1);
            assertThat(peer.frame().code()).isEqualTo(TRANSFER);
        }
    }

    @Test
    void creditCanBeTakenBack_wire32() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.receiver("r", 0, "q"));
            peer.next(ATTACH);
            peer.flow(0, 0, 0, 10, false, false);
            peer.flow(0, 0, 0, 1, false, true);
            Frame echo = peer.frame();
            assertThat(echo.code()).isEqualTo(FLOW);
            assertThat(echo.field(6)).isEqualTo(1L);
            fill(3);
            assertThat(peer.frame().code()).isEqualTo(TRANSFER);
            // The next frame is the answer to the echo, not a second message.
            peer.flow(0, 0, 1, 0, false, true);
            assertThat(peer.frame().code()).isEqualTo(FLOW);
        }
    }

    @Test
    void echoIsAnswered_wire33() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("s", 0, "q"));
            peer.next(FLOW);
            peer.flow(0, 0, 0, 0, false, true);
            Frame flow = peer.frame();
            assertThat(flow.code()).isEqualTo(FLOW);
            assertThat((long) flow.field(6)).isGreaterThan(0);
            peer.send(
                    0,
                    new Flow()
                            .setNextIncomingId(0)
                            .setIncomingWindow(100)
                            .setNextOutgoingId(1)
                            .setOutgoingWindow(100)
                            .setEcho(true));
            flow = peer.frame();
            assertThat(flow.code()).isEqualTo(FLOW);
            assertThat(flow.field(4)).isNull();
        }
    }

    @Test
    void outcomesAreAppliedAndAcknowledged_wire47_48_50() throws Exception {
        fill(8);
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.receiver("r", 0, "q"));
            peer.next(ATTACH);
            peer.flow(0, 0, 0, 8, false, false);
            for (int i = 0; i < 8; i++) {
                peer.next(TRANSFER);
            }
            peer.settle(0, 0, 2, false, Accepted.getInstance());
            Frame ack = peer.next(DISPOSITION);
            assertThat(ack.performative().fields().subList(0, 4)).isEqualTo(List.of(false, 0L, 2L, true));
            assertThat(((Described) ack.field(4)).code()).isEqualTo(0x24);

            Rejected deadLetter = new Rejected()
                    .setError(new org.apache.qpid.protonj2.types.transport.ErrorCondition(
                            Symbol.valueOf("com.microsoft:dead-letter"),
                            null,
                            Map.of(
                                    Symbol.valueOf("DeadLetterReason"), "why",
                                    Symbol.valueOf("DeadLetterErrorDescription"), "how",
                                    Symbol.valueOf("k"), 1)));
            peer.settle(0, 3, 3, false, deadLetter);
            ack = peer.next(DISPOSITION);
            assertThat(((Described) ack.field(4)).code()).isEqualTo(0x25);
            assertThat(((Described) ack.field(4)).fields().get(0)).isNull();
            Command.DeadLetterMessages command =
                    queue.commandsOf(Command.DeadLetterMessages.class).get(0);
            assertThat(command.reason()).isEqualTo("why");
            assertThat(command.description()).isEqualTo("how");
            assertThat(command.propertiesToModify()).containsOnlyKeys("k");

            peer.settle(0, 4, 4, false, new Modified(false, true, Map.of(Symbol.valueOf("p"), "v")));
            assertThat(((Described) peer.next(DISPOSITION).field(4)).code()).isEqualTo(0x27);
            assertThat(queue.commandsOf(Command.DeferMessages.class).get(0).propertiesToModify())
                    .containsOnlyKeys("p");
            peer.settle(0, 5, 5, false, new Modified(true, false));
            assertThat(((Described) peer.next(DISPOSITION).field(4)).code()).isEqualTo(0x27);
            peer.settle(0, 6, 6, false, Released.getInstance());
            assertThat(((Described) peer.next(DISPOSITION).field(4)).code()).isEqualTo(0x26);
            assertThat(queue.activeCount()).isEqualTo(2);
        }
    }

    @Test
    void settledOutcomesAreAppliedSilentlyAndLostLocksAreReported_wire49_51() throws Exception {
        fill(3);
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.receiver("r", 0, "q"));
            peer.next(ATTACH);
            peer.flow(0, 0, 0, 3, false, false);
            for (int i = 0; i < 3; i++) {
                peer.next(TRANSFER);
            }
            peer.settle(0, 0, 0, true, Accepted.getInstance());
            peer.settle(0, 77, 99, false, Accepted.getInstance());
            peer.settle(0, 1, 1, false, Accepted.getInstance());
            assertThat(peer.next(DISPOSITION).field(1)).isEqualTo(1L);
            assertThat(queue.lockedCount()).isEqualTo(1);
            queue.loseLocks();
            peer.settle(0, 2, 2, false, Accepted.getInstance());
            Described rejected = (Described) peer.next(DISPOSITION).field(4);
            assertThat(rejected.code()).isEqualTo(0x25);
            Described error = (Described) rejected.fields().get(0);
            assertThat(error.fields().get(0)).isEqualTo(symbol("com.microsoft:message-lock-lost"));
        }
    }

    @Test
    void aMessageTooLargeIsSwallowedAndRejected_wire44() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("s", 0, "q"));
            peer.next(FLOW);
            for (int i = 0; i < 20; i++) {
                peer.send(0, RawPeer.transfer(0, 0).setMore(i < 19), new byte[60_000]);
            }
            Frame disposition = peer.next(DISPOSITION);
            Described rejected = (Described) disposition.field(4);
            assertThat(((Described) rejected.fields().get(0)).fields().get(0))
                    .isEqualTo(symbol("amqp:link:message-size-exceeded"));
            peer.message(0, 0, 1, RawPeer.message(new byte[10]));
            assertThat(((Described) peer.next(DISPOSITION).field(4)).code()).isEqualTo(0x24);
            assertThat(queue.activeCount()).isEqualTo(1);
        }
    }

    @Test
    void aShutSessionWindowHoldsTransfersBackAndEveryLinkGoesOnAfterwards() throws Exception {
        fill(4);
        try (RawPeer peer = peer().plain(RULE, InMemoryBroker.KEY)) {
            peer.begin(0, 1);
            peer.send(0, RawPeer.receiver("a", 0, "q"));
            peer.send(0, RawPeer.receiver("b", 1, "q"));
            peer.next(ATTACH);
            peer.next(ATTACH);
            window(peer, 0, 0, 1, 0L);
            window(peer, 0, 0, 1, 1L);
            assertThat(peer.frame().code()).isEqualTo(TRANSFER);
            window(peer, 1, 0, 10, null);
            assertThat(peer.frame().code()).isEqualTo(TRANSFER);
        }
    }

    @Test
    @DisplayName("A closed link releases the messages that were locked for it and never sent, without counting a"
            + " delivery (PREF-5)")
    void closingALinkReleasesWhatWasNotSent() throws Exception {
        fill(4);
        try (RawPeer peer = peer().plain(RULE, InMemoryBroker.KEY)) {
            peer.begin(0, 1);
            peer.send(0, RawPeer.receiver("r", 0, "q"));
            peer.next(ATTACH);
            peer.send(
                    0,
                    new Flow()
                            .setNextIncomingId(0)
                            .setIncomingWindow(1)
                            .setNextOutgoingId(1)
                            .setOutgoingWindow(100)
                            .setHandle(0)
                            .setDeliveryCount(0)
                            .setLinkCredit(4));
            peer.next(TRANSFER);
            until(() -> queue.lockedCount() == 4);
            peer.send(0, new Detach().setHandle(0).setClosed(true));
            peer.next(DETACH);
            until(() -> queue.activeCount() == 3);
            assertThat(queue.lockedCount()).as("the sent message stays locked").isEqualTo(1);
            assertThat(queue.commandsOf(Command.AbandonMessages.class)).isEmpty();
        }
    }

    private static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static void window(RawPeer peer, int nextIncomingId, int deliveryCount, int window, Long handle)
            throws IOException {
        Flow flow = new Flow()
                .setNextIncomingId(nextIncomingId)
                .setIncomingWindow(window)
                .setNextOutgoingId(1)
                .setOutgoingWindow(100);
        if (handle != null) {
            flow.setHandle(handle).setDeliveryCount(deliveryCount).setLinkCredit(1);
        }
        peer.send(0, flow);
    }
}
