package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.gateway.amqp.AmqpValues.Described;
import dev.jitney.gateway.amqp.RawPeer.Frame;
import dev.jitney.gateway.amqp.shared.ConnectionLimits;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.memory.MemoryPurpose;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnknownDescribedType;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Modified;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Detach;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Outcomes that arrive together: fewer commands have the same effect for the client as one command each. */
class OutcomesTest extends AmqpWireScenario {
    private static final int ACCEPTED = 0x24;
    private static final int REJECTED = 0x25;
    private static final int MODIFIED = 0x27;
    private static final int UNSETTLED_MAX = 100;

    @Override
    AmqpGatewayOptions options() {
        return super.options()
                .withLimits(new ConnectionLimits(65_536, 0, 20_000, 100_000, 10, 10, 8 << 20, 1 << 20, UNSETTLED_MAX));
    }

    /** Returns a peer that holds the given number of deliveries, with ids from 0. */
    private RawPeer receiving(int count) throws IOException {
        RawPeer peer = authorized();
        peer.send(0, RawPeer.sender("s", 0, "q"));
        peer.next(FLOW);
        for (int i = 0; i < count; i++) {
            peer.message(0, 0, i, RawPeer.message(new byte[] {(byte) i}));
        }
        for (int answered = 0; answered < count; ) {
            Frame answer = peer.next(DISPOSITION);
            answered = (int) last(answer) + 1;
        }
        peer.send(0, RawPeer.receiver("r", 1, "q"));
        peer.next(ATTACH);
        peer.flow(0, 1, 0, count, false, false);
        return peer;
    }

    private static void take(RawPeer peer, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            peer.next(TRANSFER);
        }
    }

    private static List<Disposition> accepts(int count, boolean settled) {
        return IntStream.range(0, count)
                .mapToObj(i -> RawPeer.outcome(i, i, settled, Accepted.getInstance()))
                .toList();
    }

    private static long first(Frame disposition) {
        return (Long) disposition.field(1);
    }

    private static long last(Frame disposition) {
        return disposition.field(2) == null ? first(disposition) : (Long) disposition.field(2);
    }

    /** Returns the answers for each delivery. */
    private static List<Integer> answers(RawPeer peer, int count) throws IOException {
        List<Integer> states = new ArrayList<>();
        IntStream.range(0, count).forEach(i -> states.add(0));
        for (int known = 0; known < count; ) {
            Frame answer = peer.next(DISPOSITION);
            assertThat(answer.field(3)).isEqualTo(true);
            for (long id = first(answer); id <= last(answer); id++, known++) {
                states.set((int) id, (int) ((Described) answer.field(4)).code());
            }
        }
        return states;
    }

    @Test
    @DisplayName(
            "A dead-lettering that a busy store refuses ends the link, because the Java SDKs take any rejected outcome for a"
                    + " success (RECV-6)")
    void deadLetteringThatABusyStoreRefuses() throws Exception {
        try (RawPeer peer = receiving(2)) {
            take(peer, 2);
            queue.refuseSettlements(Rejection.of(ErrorCode.SERVER_BUSY));
            peer.send(0, RawPeer.outcome(0, 0, false, new Rejected()));
            Frame end = peer.next(DETACH);
            assertThat(end.field(1)).isEqualTo(true);
            assertThat(((Described) end.field(2)).fields().get(0)).isEqualTo(symbol("com.microsoft:server-busy"));
        }
    }

    @Test
    @DisplayName("A link that ends because of several dead-letterings still answers other outcomes (RECV-6)")
    void severalDeadLetteringsThatABusyStoreRefuses() throws Exception {
        try (RawPeer peer = receiving(3)) {
            take(peer, 3);
            queue.refuseSettlements(Rejection.of(ErrorCode.SERVER_BUSY));
            peer.send(0, RawPeer.outcome(0, 0, false, new Rejected()));
            peer.send(0, RawPeer.outcome(1, 1, false, new Rejected()));
            peer.next(DETACH);
            peer.send(0, RawPeer.outcome(2, 2, false, new Modified()));
            Frame answer = peer.next(DISPOSITION);
            assertThat(first(answer)).isEqualTo(2);
            assertThat(((Described) answer.field(4)).code()).isEqualTo(REJECTED);
        }
    }

    @Test
    @DisplayName("All other refusals are answered, and the link stays open (RECV-6)")
    void otherRefusals() throws Exception {
        try (RawPeer peer = receiving(2)) {
            take(peer, 2);
            queue.refuseSettlements(Rejection.of(ErrorCode.MESSAGE_LOCK_LOST));
            peer.send(0, RawPeer.outcome(0, 0, false, new Rejected()));
            assertThat(((Described) peer.next(DISPOSITION).field(4)).code()).isEqualTo(REJECTED);
            queue.refuseSettlements(Rejection.of(ErrorCode.SERVER_BUSY));
            peer.send(0, RawPeer.outcome(1, 1, false, new Modified()));
            assertThat(((Described) peer.next(DISPOSITION).field(4)).code()).isEqualTo(REJECTED);
        }
    }

    @Test
    @DisplayName(
            "Messages that are accepted one by one in one piece of the stream are completed by one command (LOCK-13)")
    void acceptsThatArriveTogetherAreOneCommand() throws Exception {
        try (RawPeer peer = receiving(8)) {
            take(peer, 8);
            peer.together(0, accepts(8, false));
            assertThat(answers(peer, 8)).containsOnly(ACCEPTED);
            assertThat(queue.commandsOf(Command.CompleteMessages.class))
                    .singleElement()
                    .satisfies(command -> assertThat(command.lockTokens()).hasSize(8));
            assertThat(queue.lockedCount()).isZero();
        }
    }

    @Test
    @DisplayName("A lost lock does not keep the other messages from being completed (LOCK-13)")
    void aLostLockAmongThemIsReportedAlone() throws Exception {
        try (RawPeer peer = receiving(4)) {
            take(peer, 4);
            queue.loseFirstLock();
            peer.together(0, accepts(4, false));
            assertThat(answers(peer, 4)).containsExactly(REJECTED, ACCEPTED, ACCEPTED, ACCEPTED);
            assertThat(queue.lockedCount()).isZero();
        }
    }

    @Test
    @DisplayName("Other outcomes between them keep their place (LOCK-13)")
    void otherOutcomesKeepTheirPlace() throws Exception {
        try (RawPeer peer = receiving(5)) {
            take(peer, 5);
            List<Disposition> outcomes = new ArrayList<>(accepts(5, false));
            outcomes.set(2, RawPeer.outcome(2, 2, false, new Modified().setDeliveryFailed(true)));
            peer.together(0, outcomes);
            assertThat(answers(peer, 5)).containsExactly(ACCEPTED, ACCEPTED, MODIFIED, ACCEPTED, ACCEPTED);
            assertThat(queue.commands.stream()
                            .filter(Command.Settlement.class::isInstance)
                            .map(command -> command.getClass().getSimpleName()))
                    .containsExactly("CompleteMessages", "AbandonMessages", "CompleteMessages");
        }
    }

    @Test
    @DisplayName("An entity with several fragments completes messages one by one (LOCK-13)")
    void fragmentsNeedNotAgree() throws Exception {
        queue.settleApart();
        try (RawPeer peer = receiving(4)) {
            take(peer, 4);
            peer.together(0, accepts(4, false));
            assertThat(answers(peer, 4)).containsOnly(ACCEPTED);
            assertThat(queue.commandsOf(Command.CompleteMessages.class)).hasSize(4);
        }
    }

    @Test
    @DisplayName("Messages accepted just before a detach are completed, with and without an answer (RECV-6)")
    void whatIsAcceptedBeforeADetachIsCompleted() throws Exception {
        for (boolean settled : new boolean[] {true, false}) {
            try (RawPeer peer = receiving(3)) {
                take(peer, 3);
                List<Object> frames = new ArrayList<>(accepts(3, settled));
                frames.add(new Detach().setHandle(1).setClosed(true));
                peer.together(0, frames);
                peer.next(DETACH);
                assertThat(queue.lockedCount()).isZero();
            }
        }
    }

    @Test
    @DisplayName("A connection at its limit of unsettled deliveries continues when some of them are settled, also"
            + " without an answer")
    void roomForMoreUnsettledDeliveriesIsUsedAtOnce() throws Exception {
        for (boolean settled : new boolean[] {true, false}) {
            try (RawPeer peer = receiving(UNSETTLED_MAX + 20)) {
                take(peer, UNSETTLED_MAX);
                peer.together(0, accepts(20, settled));
                take(peer, 20);
                peer.settle(0, 20, UNSETTLED_MAX + 19, true, Accepted.getInstance());
            }
        }
    }

    @Test
    @DisplayName("MSG-6: an outcome that sets a property to a value that properties cannot have is rejected")
    void outcomesSetOnlyValuesThatPropertiesHave() throws Exception {
        List<Object> invalid = List.of(
                new UnknownDescribedType(UnsignedLong.valueOf(5), "x"),
                new UnknownDescribedType(Symbol.valueOf("example:unknown"), "x"),
                Accepted.getInstance(),
                List.of("x"),
                List.of(),
                Map.of("x", 1),
                new int[] {1});
        try (RawPeer peer = receiving(3 * invalid.size() + 1)) {
            take(peer, 3 * invalid.size() + 1);
            int id = 0;
            for (Object value : invalid) {
                Map<Symbol, Object> properties = Map.of(Symbol.valueOf("k"), value);
                for (DeliveryState outcome : List.of(
                        new Modified().setMessageAnnotations(properties),
                        new Modified().setUndeliverableHere(true).setMessageAnnotations(properties),
                        new Rejected().setError(new ErrorCondition("example:error", "text", properties)))) {
                    peer.send(0, RawPeer.outcome(id, id, false, outcome));
                    Frame answer = peer.next(DISPOSITION);
                    assertThat(first(answer)).isEqualTo(id++);
                    Described state = (Described) answer.field(4);
                    assertThat(state.code()).as("%s", value).isEqualTo(REJECTED);
                    Described error = (Described) state.fields().get(0);
                    assertThat(error.fields().get(0)).isEqualTo(symbol("com.microsoft:argument-error"));
                }
            }
            assertThat(queue.lockedCount()).isEqualTo(id + 1);
            Object timeSpan = new UnknownDescribedType(Symbol.valueOf("com.microsoft:timespan"), 5L);
            peer.send(
                    0,
                    RawPeer.outcome(
                            id,
                            id,
                            false,
                            new Modified().setMessageAnnotations(Map.of(Symbol.valueOf("k"), timeSpan))));
            assertThat(((Described) peer.next(DISPOSITION).field(4)).code()).isEqualTo(MODIFIED);
        }
    }

    /** Returns a peer that has received messages with the ids from 0 on two links in turn. */
    private RawPeer receivingInTurn(int count) throws Exception {
        fill(count);
        RawPeer peer = authorized();
        for (int handle : new int[] {1, 2}) {
            peer.send(0, RawPeer.receiver("r" + handle, handle, "q"));
            peer.next(ATTACH);
        }
        for (int i = 0; i < count; i++) {
            peer.flow(0, 1 + i % 2, i / 2, 1, false, false);
            peer.next(TRANSFER);
        }
        return peer;
    }

    private static Modified modified(int propertyBytes) {
        return new Modified()
                .setDeliveryFailed(true)
                .setMessageAnnotations(Map.of(Symbol.valueOf("p"), "x".repeat(propertyBytes)));
    }

    @Test
    @DisplayName("One outcome for the alternating deliveries of two links is one command for each link, with the same"
            + " properties (QUOTA-8)")
    void alternatingLinksGetOneCommandEach() throws Exception {
        try (RawPeer peer = receivingInTurn(8)) {
            peer.settle(0, 0, 7, false, modified(1_000));
            assertThat(answers(peer, 8)).containsOnly(MODIFIED);
            List<Command.AbandonMessages> abandons = queue.commandsOf(Command.AbandonMessages.class);
            assertThat(abandons)
                    .extracting(command -> command.lockTokens().size())
                    .containsExactly(4, 4);
            assertThat(abandons.get(0).propertiesToModify())
                    .isSameAs(abandons.get(1).propertiesToModify());
        }
    }

    @Test
    @DisplayName("MSG-6: an outcome that sets a property to an array of described values is rejected")
    void outcomesSetNoDescribedArrays() throws Exception {
        try (RawPeer peer = receiving(1)) {
            take(peer, 1);
            String array = "e007 01 005305 a1 0178";
            String modified = "005327 c012 03 40 40 c10d 02 a3016b" + array;
            String disposition = "02000000 005315 c01c 05 41 43 40 42" + modified;
            byte[] body = HexFormat.of().parseHex(disposition.replace(" ", ""));
            peer.raw(ByteBuffer.allocate(4 + body.length)
                    .putInt(4 + body.length)
                    .put(body)
                    .array());
            Described state = (Described) peer.next(DISPOSITION).field(4);
            assertThat(state.code()).isEqualTo(REJECTED);
            assertThat(((Described) state.fields().get(0)).fields().get(0))
                    .isEqualTo(symbol("com.microsoft:argument-error"));
        }
    }

    @Test
    @DisplayName("The properties of an outcome count once as memory of the connection, until the last answer (QUOTA-8)")
    void propertiesCountUntilTheAnswer() throws Exception {
        try (RawPeer peer = receivingInTurn(8)) {
            queue.holdSettlements();
            peer.settle(0, 0, 7, false, modified(60_000));
            untilRequestsHold(60_000);
            queue.answerSettlements();
            assertThat(answers(peer, 8)).containsOnly(MODIFIED);
            untilRequestsHold(0);
        }
    }

    private void untilRequestsHold(long bytes) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        long held = -1;
        while (held < bytes || held > bytes + 1_000) {
            assertThat(System.nanoTime()).as("held %s", held).isLessThan(deadline);
            Thread.onSpinWait();
            held = gateway.figures().memory().namespaces().values().stream()
                    .mapToLong(claims -> claims.get(MemoryPurpose.REQUESTS))
                    .sum();
        }
    }

    @Test
    @DisplayName("One outcome for many messages is several commands, if together they would write more than a MiB"
            + " (QUOTA-8)")
    void manyBytesAreSeveralCommands() throws Exception {
        try (RawPeer peer = receiving(40)) {
            take(peer, 40);
            peer.settle(0, 0, 39, false, modified(60_000));
            assertThat(answers(peer, 40)).containsOnly(MODIFIED);
            assertThat(queue.commandsOf(Command.AbandonMessages.class))
                    .extracting(command -> command.lockTokens().size())
                    .containsExactly(17, 17, 6);
        }
    }
}
