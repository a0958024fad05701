package dev.jitney.conformance.wire;

import static dev.jitney.testing.amqp.Wire.map;
import static dev.jitney.testing.amqp.Wire.sym;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.RawTest;
import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.Node;
import dev.jitney.testing.amqp.RawDelivery;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawRequests;
import dev.jitney.testing.amqp.Wire;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of settlements (checklist 47 to 53, RECV-6 and RECV-8). */
class SettlementTest extends RawTest {

    private RawLink receiverWith(String queue, String... messages) {
        for (String message : messages) {
            send(queue, message);
        }
        return session.receiver(queue);
    }

    private static void assertOutcome(Node state, int code) {
        assertThat(state.descriptorCode()).as(state.toString()).isEqualTo(code);
    }

    private static void assertLockLost(Node state) {
        assertOutcome(state, Code.REJECTED);
        assertThat(state.at(0).at(0).text()).isEqualTo("com.microsoft:message-lock-lost");
        assertThat(state.at(0).at(1).text()).contains("The lock supplied is invalid");
    }

    @Test
    @DisplayName("RECV-6: accepted completes a message")
    void accepted() {
        String queue = broker.queue();
        RawLink receiver = receiverWith(queue, "m");
        assertOutcome(receiver.settle(receiver.receiveOne(), RawLink.ACCEPTED), Code.ACCEPTED);
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("RECV-6: modified abandons a message, with and without delivery-failed, and counts (wire 5.2)")
    void modified() {
        String queue = broker.queue();
        RawLink receiver = receiverWith(queue, "m");
        int count = 0;
        for (Boolean failed : new Boolean[] {null, false, true}) {
            RawDelivery delivery = receiver.receiveOne();
            assertThat(delivery.message().deliveryCount()).isEqualTo(count++);
            assertOutcome(receiver.settle(delivery, RawLink.modified(failed, false, null)), Code.MODIFIED);
        }
        assertThat(receiver.receiveOne().message().deliveryCount()).isEqualTo(3);
    }

    @Test
    @DisplayName("RECV-6: modified with undeliverable-here defers a message")
    void undeliverableHere() {
        String queue = broker.queue();
        RawLink receiver = receiverWith(queue, "m");
        assertOutcome(receiver.settle(receiver.receiveOne(), RawLink.modified(null, true, null)), Code.MODIFIED);
        assertThat(broker.counts(queue).deferred()).isEqualTo(1);
        assertThat(receiver.drain(1)).isEmpty();
    }

    @Test
    @DisplayName("Wire 48: rejected dead-letters a message, and the reply is a rejected without error")
    void rejected() {
        String queue = broker.queue();
        RawLink receiver = receiverWith(queue, "m");
        Node answer = receiver.settle(receiver.receiveOne(), RawLink.deadLettered("why", "because"));
        assertOutcome(answer, Code.REJECTED);
        assertThat(answer.at(0).isNull()).as("error, which would mean failure").isTrue();
        RawMessage dead =
                session.receiver(queue + "/$DeadLetterQueue").receiveOne().message();
        assertThat(dead.applicationProperty("DeadLetterReason").text()).isEqualTo("why");
        assertThat(dead.applicationProperty("DeadLetterErrorDescription").text())
                .isEqualTo("because");
    }

    @Test
    @DisplayName("RECV-6: any rejected dead-letters a message, also one without an error")
    void rejectedWithoutError() {
        String queue = broker.queue();
        RawLink receiver = receiverWith(queue, "a", "b");
        assertOutcome(
                receiver.settle(receiver.receiveOne(), Wire.composite(Code.REJECTED, (Object) null)), Code.REJECTED);
        assertOutcome(
                receiver.settle(receiver.receiveOne(), RawLink.rejected("amqp:internal-error", "oops", null)),
                Code.REJECTED);
        assertThat(broker.counts(queue).deadLetter()).isEqualTo(2);
    }

    @Test
    @DisplayName("LOCK-14: released makes a message available without counting, twenty times")
    void released() {
        String queue = broker.queue();
        RawLink receiver = receiverWith(queue, "m");
        for (int i = 0; i < 20; i++) {
            RawDelivery delivery = receiver.receiveOne();
            assertThat(delivery.message().deliveryCount()).isZero();
            assertOutcome(receiver.settle(delivery, RawLink.RELEASED), Code.RELEASED);
        }
        assertThat(broker.counts(queue).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("Wire 49: outcomes that are sent settled are applied without a reply")
    void settledDispositions() {
        String queue = broker.queue();
        RawLink receiver = receiverWith(queue, "completed", "dead", "abandoned");
        receiver.disposition(receiver.receiveOne().id(), null, true, RawLink.ACCEPTED);
        receiver.disposition(receiver.receiveOne().id(), null, true, RawLink.deadLettered("r", "d"));
        receiver.disposition(receiver.receiveOne().id(), null, true, RawLink.modified(true, null, null));
        Await.until(
                "all three settlements",
                () -> broker.counts(queue).deadLetter() == 1
                        && broker.counts(queue).locked() == 0
                        && broker.counts(queue).active() == 1);
        assertThat(receiver.receiveOne().message().deliveryCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("Wire 50: a range settles all its deliveries")
    void range() {
        String queue = broker.queue();
        RawLink receiver = receiverWith(queue, "a", "b", "c", "d");
        receiver.credit(4);
        long first = receiver.receive().id();
        receiver.receive();
        long third = receiver.receive().id();
        receiver.receive();
        receiver.disposition(first, third, false, RawLink.ACCEPTED);
        assertThat(receiver.awaitSettledRange(first, third)).allMatch(s -> s.descriptorCode() == Code.ACCEPTED);
        assertThat(broker.counts(queue).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("Wire 50: in a range one lost lock is reported for its own delivery")
    void rangeWithALostLock() {
        String queue = broker.queue();
        RawLink receiver = receiverWith(queue, "a", "b", "c");
        receiver.credit(3);
        RawDelivery first = receiver.receive();
        RawDelivery second = receiver.receive();
        RawDelivery third = receiver.receive();
        RawRequests management = RawRequests.open(session, queue + "/$management");
        management.call(
                "com.microsoft:update-disposition",
                map("disposition-status", "completed", "lock-tokens", Wire.uuids(second.lockToken())),
                200);
        receiver.disposition(first.id(), third.id(), false, RawLink.ACCEPTED);
        List<Node> states = receiver.awaitSettledRange(first.id(), third.id());
        assertOutcome(states.get(0), Code.ACCEPTED);
        assertLockLost(states.get(1));
        assertOutcome(states.get(2), Code.ACCEPTED);
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("Wire 51, LOCK-7: an outcome after the lock's end is rejected as lock lost")
    void lostLock() {
        String queue = broker.queue();
        RawLink receiver = receiverWith(queue, "m");
        RawDelivery delivery = receiver.receiveOne();
        broker.advance(Duration.ofSeconds(60));
        assertLockLost(receiver.settle(delivery, RawLink.ACCEPTED));
        assertThat(broker.counts(queue).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("STATE-8: of two settlements of one delivery the second fails, also with the same outcome")
    void secondSettlementFails() {
        String queue = broker.queue();
        RawLink receiver = receiverWith(queue, "m");
        RawDelivery delivery = receiver.receiveOne();
        RawRequests management = RawRequests.open(session, queue + "/$management");
        Map<?, ?> complete = map("disposition-status", "completed", "lock-tokens", Wire.uuids(delivery.lockToken()));
        management.call("com.microsoft:update-disposition", complete, 200);
        management.call("com.microsoft:update-disposition", complete, 410);
        assertLockLost(receiver.settle(delivery, RawLink.ACCEPTED));
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("LOCK-11: an outcome on a link without this delivery fails or has no effect")
    void foreignDelivery() {
        String queue = broker.queue();
        RawLink receiver = receiverWith(queue, "m");
        RawDelivery delivery = receiver.receiveOne();
        RawLink other = peer.begin().receiver(queue);
        other.disposition(delivery.id() + 1000, null, false, RawLink.ACCEPTED);
        other.disposition(delivery.id(), null, true, RawLink.ACCEPTED);
        assertThat(other.drain(1)).isEmpty();
        assertThat(broker.counts(queue).locked()).isEqualTo(1);
        assertOutcome(receiver.settle(delivery, RawLink.ACCEPTED), Code.ACCEPTED);
    }

    @Test
    @DisplayName("Wire 52: properties of a settlement may have string keys or symbol keys")
    void keysOfEitherType() {
        String queue = broker.queue();
        RawLink receiver = receiverWith(queue, "m");
        receiver.settle(receiver.receiveOne(), RawLink.modified(null, null, map("a", 1, "b", "two")));
        receiver.settle(receiver.receiveOne(), RawLink.modified(null, null, map(sym("a"), 2, sym("c"), true)));
        RawDelivery delivery = receiver.receiveOne();
        assertThat(delivery.message().applicationProperty("a").number()).isEqualTo(2);
        assertThat(delivery.message().applicationProperty("b").text()).isEqualTo("two");
        assertThat(delivery.message().applicationProperty("c").bool()).isTrue();
        receiver.settle(
                delivery,
                RawLink.rejected(
                        "com.microsoft:dead-letter",
                        null,
                        map("DeadLetterReason", "with string keys", "DeadLetterErrorDescription", null, "a", 3)));
        RawMessage dead =
                session.receiver(queue + "/$DeadLetterQueue").receiveOne().message();
        assertThat(dead.applicationProperty("DeadLetterReason").text()).isEqualTo("with string keys");
        assertThat(dead.section(Code.APPLICATION_PROPERTIES).map()).doesNotContainKey("DeadLetterErrorDescription");
        assertThat(dead.applicationProperty("a").number()).isEqualTo(3);
        Node properties = dead.section(Code.APPLICATION_PROPERTIES).described();
        for (int i = 0; i < properties.size(); i += 2) {
            assertThat(properties.at(i).isString())
                    .as("keys of application properties")
                    .isTrue();
        }
    }

    @Test
    @DisplayName("Wire 53: with a limit of n the n-th failure dead-letters a message")
    void maxDeliveryCount() {
        String queue = broker.queue(q -> q.maxDeliveryCount(3));
        RawLink receiver = receiverWith(queue, "m");
        for (int i = 0; i < 3; i++) {
            receiver.settle(receiver.receiveOne(), RawLink.modified(true, null, null));
        }
        assertThat(receiver.drain(1)).isEmpty();
        RawMessage dead =
                session.receiver(queue + "/$DeadLetterQueue").receiveOne().message();
        assertThat(dead.applicationProperty("DeadLetterReason").text()).isEqualTo("MaxDeliveryCountExceeded");
        assertThat(dead.deliveryCount()).isEqualTo(3);
    }

    @Test
    @DisplayName(
            "DLQ-7: a rejected on the dead-letter queue fails, and the message remains locked and can be abandoned")
    void deadLetterOnTheDeadLetterQueue() {
        String queue = broker.queue();
        RawLink receiver = receiverWith(queue, "m");
        receiver.settle(receiver.receiveOne(), RawLink.deadLettered("r", "d"));
        RawLink dead = session.receiver(queue + "/$DeadLetterQueue");
        RawDelivery delivery = dead.receiveOne();
        Node refused = dead.settle(delivery, RawLink.deadLettered("again", "again"));
        assertOutcome(refused, Code.REJECTED);
        assertThat(refused.at(0).at(0).text()).isEqualTo("amqp:not-allowed");

        RawRequests management = RawRequests.open(session, queue + "/$DeadLetterQueue/$management");
        management.call(
                "com.microsoft:update-disposition",
                map("disposition-status", "abandoned", "lock-tokens", Wire.uuids(delivery.lockToken())),
                200);
        assertThat(dead.receiveOne()
                        .message()
                        .applicationProperty("DeadLetterReason")
                        .text())
                .isEqualTo("r");
    }

    @Test
    @DisplayName("DLQ-13: a reason of more than 4,096 characters is cut, in a disposition and over management")
    void longReasons() {
        String queue = broker.queue();
        RawLink receiver = receiverWith(queue, "m", "n");
        Node settled = receiver.settle(receiver.receiveOne(), RawLink.deadLettered("r".repeat(4_097), "d"));
        assertOutcome(settled, Code.REJECTED);
        assertThat(settled.at(0).isNull()).as("no error").isTrue();
        try (RawRequests management = RawRequests.open(session, queue + "/$management")) {
            management.call(
                    "com.microsoft:update-disposition",
                    map(
                            "disposition-status",
                            "suspended",
                            "lock-tokens",
                            Wire.uuids(receiver.receiveOne().lockToken()),
                            "deadletter-reason",
                            "r".repeat(5_000)),
                    200);
        }
        assertThat(broker.counts(queue).deadLetter()).isEqualTo(2);
        RawLink dead = session.receiver(queue + "/$DeadLetterQueue");
        for (int i = 0; i < 2; i++) {
            assertThat(dead.receiveOne()
                            .message()
                            .applicationProperty("DeadLetterReason")
                            .text())
                    .isEqualTo("r".repeat(4_096));
        }
    }

    @Test
    @DisplayName("A received state and unknown states do not settle messages")
    void statesThatSettleNothing() {
        String queue = broker.queue();
        RawLink receiver = receiverWith(queue, "m");
        RawDelivery delivery = receiver.receiveOne();
        receiver.disposition(delivery.id(), null, false, Wire.composite(Code.RECEIVED, Wire.uint(0), Wire.ulong(0)));
        assertOutcome(receiver.settle(delivery, RawLink.ACCEPTED), Code.ACCEPTED);
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("LOCK-4: each delivery has its own token")
    void tokensAreNew() {
        String queue = broker.queue();
        RawLink receiver = receiverWith(queue, "m");
        RawDelivery first = receiver.receiveOne();
        receiver.settle(first, RawLink.RELEASED);
        RawDelivery second = receiver.receiveOne();
        assertThat(second.lockToken()).isNotEqualTo(first.lockToken());
        assertThat(Map.of("sequence", second.message().sequenceNumber()))
                .containsEntry("sequence", first.message().sequenceNumber());
    }
}
