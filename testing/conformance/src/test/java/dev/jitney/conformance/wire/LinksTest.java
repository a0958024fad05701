package dev.jitney.conformance.wire;

import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.RawTest;
import dev.jitney.model.EntityStatus;
import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.Node;
import dev.jitney.testing.amqp.RawDelivery;
import dev.jitney.testing.amqp.RawFrame;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawPeer;
import dev.jitney.testing.amqp.RawSession;
import dev.jitney.testing.amqp.RawSession.Attach;
import dev.jitney.testing.amqp.Wire;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of links (checklist 24 to 36, 84 and 86). */
class LinksTest extends RawTest {

    private void sendMany(String queue, int count) {
        sendMany(queue, count, text -> RawMessage.of(text, text));
    }

    private void sendManyInOrder(String queue, int count) {
        sendMany(queue, count, text -> inOrder(text, text));
    }

    private void sendMany(String queue, int count, Function<String, byte[]> message) {
        RawLink sender = session.sender(queue);
        for (int i = 0; i < count; i++) {
            sender.sendAccepted(message.apply("m" + i));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"%s", "/%s", "amqps://localhost/%s", "sb://localhost:5672/%s", "amqp://h/%s", "https://x:1/%s/"})
    @DisplayName("Wire 24: a queue is found under every form of its address")
    void addresses(String form) {
        String queue = broker.queue();
        RawLink sender = session.sender(form.formatted(queue));
        sender.sendAccepted(RawMessage.ofData("m"));
        assertThat(broker.counts(queue).active()).isEqualTo(1);
        assertThat(session.receiver(form.formatted(queue.toUpperCase(java.util.Locale.ROOT)))
                        .receiveOne()
                        .message()
                        .dataText())
                .isEqualTo("m");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%s/$DeadLetterQueue",
                "%s/$deadletterqueue",
                "/%s/$DEADLETTERQUEUE",
                "%s/$Transfer/$DeadLetterQueue",
                "%s/$transfer/$deadletterqueue"
            })
    @DisplayName("Wire 24, DLQ-34: sub-queues are found in any case")
    void subQueues(String form) {
        assertThat(session.receiver(form.formatted(broker.queue())).drain(1)).isEmpty();
    }

    @Test
    @DisplayName("Wire 24: names with slashes and percent escapes are found")
    void slashesAndEscapes() {
        broker.queue("team-a/orders", q -> q);
        session.sender("team%2Da/orders").sendAccepted(RawMessage.ofData("m"));
        assertThat(session.receiver("/team%2da%2Forders").receiveOne().message().dataText())
                .isEqualTo("m");
    }

    @Test
    @DisplayName("Wire 25: the attach reply echoes addresses, settle modes and properties unchanged")
    void attachEcho() {
        String queue = broker.queue();
        String address = "amqps://localhost/" + queue;
        Map<Object, Object> properties = Wire.map(
                Wire.sym("com.microsoft:timeout"),
                Wire.uint(30_000),
                Wire.sym("com.microsoft:entity-type"),
                0,
                Wire.sym("com.microsoft:receiver-name"),
                "me",
                Wire.sym("unknown"),
                "value");
        for (Integer[] modes : new Integer[][] {{0, 1}, {null, 1}, {1, 0}, {1, null}, {2, 0}, {null, null}}) {
            RawLink link = session.attach(new Attach(true, "echo-" + modes[0] + modes[1], address)
                    .target("my client")
                    .settleModes(modes[0], modes[1])
                    .properties(properties));
            link.expectAttached();
            RawFrame reply = link.attachReply();
            assertThat(reply.field(5).at(0).text()).isEqualTo(address);
            assertThat(reply.field(6).at(0).text()).isEqualTo("my client");
            assertMode(reply.field(3), modes[0]);
            assertMode(reply.field(4), modes[1]);
            assertThat(reply.field(9).number())
                    .as("Wire 26: initial-delivery-count")
                    .isZero();
            Node echoed = reply.field(13);
            assertThat(echoed.get("unknown").text()).isEqualTo("value");
            assertThat(echoed.get("com.microsoft:receiver-name").text()).isEqualTo("me");
        }
    }

    private static void assertMode(Node actual, Integer expected) {
        if (expected == null) {
            assertThat(actual.isNull()).as(actual.toString()).isTrue();
        } else {
            assertThat(actual.number()).isEqualTo((long) expected);
        }
    }

    @Test
    @DisplayName("Wire 25: a sender's null source stays null")
    void nullSourceStaysNull() {
        String queue = broker.queue();
        RawLink link = session.attach(new Attach(false, "null-source", queue).rawSource(null));
        link.expectAttached();
        assertThat(link.attachReply().field(5).isNull()).isTrue();
        assertThat(link.attachReply().field(6).at(0).text()).isEqualTo(queue);
    }

    @Test
    @DisplayName("Wire 26, 27: a sender gets the maximum message size and credit immediately")
    void senderGetsSizeAndCredit() {
        RawLink link = session.sender(broker.queue()); // fails without credit
        assertThat(link.attachReply().field(10).code()).isIn(0x80, 0x53, 0x44);
        assertThat(link.maxMessageSize()).isEqualTo(256 * 1024);
    }

    @Test
    @DisplayName("Credit of a sender is topped up before it runs out (wire 3.6)")
    void creditIsToppedUp() {
        String queue = broker.queue();
        RawLink link = session.trySender(queue);
        link.expectAttached();
        long credit = link.awaitCredit();
        assertThat(credit).isBetween(1L, 10_000L);
        for (int i = 0; i < credit; i++) {
            link.send(RawMessage.ofData("m"));
        }
        RawFrame flow = link.awaitFlow();
        assertThat(flow.field(5).isNull()).as("delivery-count").isFalse();
        assertThat(flow.field(6).number()).isPositive();
    }

    @Test
    @DisplayName("Wire 28: a rejected attach gets an attach without terminus, then a detach with a text, and no flow")
    void refusedAttach() {
        for (boolean sender : new boolean[] {true, false}) {
            RawLink link = sender ? session.trySender("nothing") : session.tryReceiver("nothing/$DeadLetterQueue");
            assertThat(link.attachReply().field(sender ? 6 : 5).isNull()).isTrue();
            RawFrame detach = link.awaitDetach();
            assertThat(detach.field(1).bool()).as("closed").isTrue();
            assertThat(detach.field(2).at(0).text()).isEqualTo("amqp:not-found");
            assertThat(detach.field(2).at(1).text())
                    .as("Wire 84")
                    .containsPattern("The messaging entity '.*' could not be found");
            assertThat(link.poll()).as("a flow would hide the error").isNull();
        }
    }

    @Test
    @DisplayName("A sender may not attach to a sub-queue (DLQ-5, wire 3.1)")
    void senderOnASubQueue() {
        String queue = broker.queue();
        assertThat(session.trySender(queue + "/$DeadLetterQueue").awaitDetachCondition())
                .isEqualTo("amqp:not-allowed");
    }

    @Test
    @DisplayName("Wire 28, SUSP-1: a disabled queue rejects attaches of the disabled direction")
    void disabledQueueRefusesAttach() {
        String queue = broker.queue(q -> q.status(EntityStatus.DISABLED));
        assertThat(session.trySender(queue).awaitDetachCondition()).isEqualTo("com.microsoft:entity-disabled");
        assertThat(session.tryReceiver(queue).awaitDetachCondition()).isEqualTo("com.microsoft:entity-disabled");
    }

    @Test
    @DisplayName("Bad link properties and termini are rejected, and the session continues (issue item 10)")
    void badAttach() {
        String queue = broker.queue();
        session.attach(new Attach(true, "no source", queue).rawSource(null)).awaitDetach();
        session.attach(new Attach(false, "no target", queue).rawTarget(null)).awaitDetach();
        session.attach(new Attach(true, "no address", queue).source(null)).awaitDetach();
        session.attach(new Attach(true, "empty address", queue).source("")).awaitDetach();
        session.attach(new Attach(true, "long address", queue).source("q".repeat(5000)))
                .awaitDetach();
        session.sender(queue);
    }

    @Test
    @DisplayName(
            "Wire 29, PART-59: settle mode 1 gets settled transfers and the message is gone, others get unsettled ones")
    void settleModes() {
        String queue = broker.queue();
        sendMany(queue, 2);
        RawDelivery deleted = session.deletingReceiver(queue).receiveOne();
        assertThat(deleted.settled()).isTrue();
        assertThat(deleted.tag()).hasSize(16);
        assertThat(broker.counts(queue).total()).isEqualTo(1);
        RawDelivery locked = session.receiver(queue).receiveOne();
        assertThat(locked.settled()).isFalse();
        assertThat(broker.counts(queue).total()).isEqualTo(1);
    }

    @Test
    @DisplayName("Wire 30: a drain with ten credits and three messages delivers three, then a drained flow")
    void drain() {
        String queue = broker.queue();
        sendMany(queue, 3);
        RawLink receiver = session.receiver(queue);
        assertThat(receiver.drain(10)).hasSize(3); // checks credit 0 and delivery-count + 10
        sendMany(queue, 1);
        assertThat(receiver.receiveOne().message().dataText()).isEqualTo("m0");
    }

    @Test
    @DisplayName("Wire 31: a drain without messages gets an immediate reply, also at zero credit")
    void drainOfNothing() {
        RawLink receiver = session.receiver(broker.queue());
        long start = System.nanoTime();
        assertThat(receiver.drain(10)).isEmpty();
        assertThat(receiver.drain(0)).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    @DisplayName("Wire 32: revoked credit is not used")
    void creditIsTakenBack() {
        String queue = broker.queue();
        RawLink receiver = session.receiver(queue);
        receiver.flow(10, false, false);
        receiver.flow(0, false, true);
        receiver.awaitFlow(); // the echo: the reduction has been seen
        sendManyInOrder(queue, 3);
        assertThat(receiver.poll()).isNull();
        assertThat(broker.counts(queue).locked()).isZero();
        receiver.credit(1);
        receiver.receive();
        assertThat(broker.counts(queue).locked()).isEqualTo(1);
    }

    @Test
    @DisplayName("Wire 33: a flow that requests an echo gets one")
    void echo() {
        RawLink receiver = session.receiver(broker.queue());
        receiver.flow(5, false, true);
        RawFrame flow = receiver.awaitFlow();
        assertThat(flow.field(6).number()).isEqualTo(5);
    }

    @Test
    @DisplayName("The server never sends more deliveries than credit")
    void neverMoreThanCredit() {
        String queue = broker.queue();
        sendManyInOrder(queue, 5);
        RawLink receiver = session.receiver(queue);
        receiver.credit(3);
        for (int i = 0; i < 3; i++) {
            assertThat(receiver.receive().message().dataText()).isEqualTo("m" + i);
        }
        assertThat(receiver.drain(0)).isEmpty();
        assertThat(broker.counts(queue).locked()).isEqualTo(3);
    }

    @Test
    @DisplayName("Wire 34: nothing follows a detach on its handle")
    void nothingFollowsADetach() {
        String queue = broker.queue();
        sendMany(queue, 50);
        RawLink receiver = session.receiver(queue);
        receiver.credit(50);
        receiver.detach(true);
        List<RawFrame> frames = peer.connection().frames();
        int detach = IntStream.range(0, frames.size())
                .filter(i -> frames.get(i).is(Code.DETACH))
                .findFirst()
                .orElseThrow();
        session.receiver(queue).drain(0); // a reply that certainly arrives later
        assertThat(peer.connection()
                        .frames()
                        .subList(detach + 1, peer.connection().frames().size()))
                .noneMatch(f -> f.is(Code.TRANSFER));
    }

    @Test
    @DisplayName("Wire 35: equal link names on two connections both work")
    void equalLinkNames() {
        String queue = broker.queue();
        sendManyInOrder(queue, 2);
        RawPeer second = keep(newPeer());
        RawLink first =
                session.attach(new Attach(true, "q0q0", queue).source(queue).settleModes(0, 1));
        RawLink other = second.begin()
                .attach(new Attach(true, "q0q0", queue).source(queue).settleModes(0, 1));
        assertThat(first.receiveOne().message().dataText()).isEqualTo("m0");
        assertThat(other.receiveOne().message().dataText()).isEqualTo("m1");
    }

    @Test
    @DisplayName("Wire 36, LOCK-9: a detach gets a reply, and the locks of the link remain")
    void locksOutliveTheirLink() {
        String queue = broker.queue();
        sendMany(queue, 1);
        RawLink receiver = session.receiver(queue);
        receiver.receiveOne();
        RawFrame answer = receiver.detach(true);
        assertThat(answer.field(1).bool()).isTrue();
        RawLink other = session.receiver(queue);
        assertThat(other.drain(1)).isEmpty();
        broker.advance(Duration.ofSeconds(60));
        assertThat(other.receiveOne().message().deliveryCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("LOCK-9: the locks of a lost connection remain as well")
    void locksOutliveTheirConnection() {
        String queue = broker.queue();
        sendMany(queue, 1);
        try (RawPeer crashing = newPeer()) {
            crashing.begin().receiver(queue).receiveOne();
        }
        RawLink other = session.receiver(queue);
        assertThat(other.drain(1)).isEmpty();
        assertThat(broker.counts(queue).locked()).isEqualTo(1);
        broker.advance(Duration.ofSeconds(60));
        assertThat(other.receiveOne().message().deliveryCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("Wire 86: deleting a queue force-detaches its links; attaching again fails with not found")
    void deletedQueue() {
        String queue = broker.queue();
        RawLink sender = session.sender(queue);
        RawLink receiver = session.receiver(queue);
        receiver.credit(1);
        broker.delete(queue);
        assertThat(receiver.awaitDetachCondition()).isEqualTo("amqp:link:detach-forced");
        long id = sender.send(RawMessage.ofData("m"));
        RawFrame answer = peer.connection()
                .await(
                        "refusal",
                        f -> f.is(Code.DETACH)
                                || (f.is(Code.DISPOSITION) && f.field(1).number() == id));
        assertThat(answer).isNotNull();
        assertThat(session.tryReceiver(queue).awaitDetachCondition()).isEqualTo("amqp:not-found");
    }

    @Test
    @DisplayName("A session window of the client is respected: one frame counts as one unit (wire 1.6)")
    void sessionWindow() {
        String queue = broker.queue();
        sendMany(queue, 5);
        RawPeer narrow = keep(newPeer());
        RawSession session = narrow.begin();
        RawLink receiver = session.receiver(queue);
        session.send(Wire.composite(
                Code.FLOW,
                Wire.uint(session.beginReply().field(1).number()),
                Wire.uint(2),
                Wire.uint(0),
                Wire.uint(1000),
                Wire.uint(receiver.handle()),
                Wire.uint(0),
                Wire.uint(5),
                null,
                false,
                false));
        receiver.receive();
        receiver.receive();
        RawSession other = narrow.begin();
        other.receiver(queue).drain(0); // ordered behind all frames of the first session
        assertThat(receiver.poll()).isNull();
        receiver.credit(3); // with a wide window again
        receiver.receive();
        receiver.receive();
        receiver.receive();
    }
}
