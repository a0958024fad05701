package dev.jitney.conformance.wire;

import static dev.jitney.testing.amqp.Wire.map;
import static dev.jitney.testing.amqp.Wire.uint;
import static dev.jitney.testing.amqp.Wire.uuids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Subscription;
import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.Node;
import dev.jitney.testing.amqp.RawDelivery;
import dev.jitney.testing.amqp.RawFrame;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawPeer;
import dev.jitney.testing.amqp.RawRequests;
import dev.jitney.testing.amqp.RawSession;
import dev.jitney.testing.amqp.Sessions;
import dev.jitney.testing.amqp.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of session links (checklist 63, 64 and 69 to 78). */
class SessionsTest extends RawSessionTest {
    private static final long TICKS_AT_EPOCH = 621_355_968_000_000_000L;

    private static List<String> texts(List<RawDelivery> deliveries) {
        return deliveries.stream().map(RawSessionTest::text).toList();
    }

    @Test
    @DisplayName(
            "Wire 69, 70, 25: bare and described filters are returned in the same form, with the lock's end in ticks")
    void grantsInTheShapeAsked() {
        long lockEnd = TICKS_AT_EPOCH + broker.now().plusSeconds(30).toEpochMilli() * 10_000;
        RawLink bare = accept("one");
        assertThat(Sessions.granted(bare).isString()).isTrue();
        assertThat(Sessions.granted(bare).text()).isEqualTo("one");
        assertThat(Sessions.lockedUntil(bare).code()).as("a real long").isEqualTo(0x81);
        assertThat(Sessions.lockedUntil(bare).number()).isEqualTo(lockEnd);
        assertThat(bare.attachReply().field(5).at(0).text()).isEqualTo(queue);

        RawLink described = session.attach(Sessions.described(queue, "two"));
        assertThat(Sessions.granted(described).descriptorCode()).isEqualTo(Sessions.GO_DESCRIPTOR);
        assertThat(Sessions.granted(described).described().text()).isEqualTo("two");
        assertThat(Sessions.lockedUntil(described).number()).isEqualTo(lockEnd);

        assertThat(Sessions.granted(accept("")).text())
                .as("7.1: an id like any other")
                .isEmpty();
    }

    @Test
    @DisplayName("Wire 71, SESS-5: the next session is granted for both forms, the one that waits longest first")
    void grantsTheNextSession() {
        sendTo("d", "d1"); // in the fragment of c (SESS-23)
        sendTo("c", "c1");
        RawLink first = session.attach(Sessions.next(queue, 1_000));
        assertThat(Sessions.granted(first).text()).isEqualTo("d");
        RawLink second = session.attach(Sessions.described(queue, null));
        assertThat(Sessions.granted(second).described().text()).isEqualTo("c");
        assertThat(text(first.receiveOne())).isEqualTo("d1");
        assertThat(text(second.receiveOne())).isEqualTo("c1");
    }

    @Test
    @DisplayName("Wire 71: a waiting client gets the session of the next message")
    void waitsForAMessage() {
        RawLink waiting = session.startAttach(Sessions.next(queue, 59_000));
        sendTo("late", "m");
        waiting.awaitReply().expectAttached();
        assertThat(Sessions.granted(waiting).text()).isEqualTo("late");
        assertThat(text(waiting.receiveOne())).isEqualTo("m");
    }

    @Test
    @DisplayName("Wire 71: a waiting client gets a session with messages that its holder has released")
    void waitsForAFreedSession() {
        sendTo("s", "m");
        RawLink holder = accept("s");
        RawLink waiting = session.startAttach(Sessions.next(queue, 59_000));
        session.sender(queue); // the reply follows the attach
        assertThat(waiting.unanswered()).isTrue();
        holder.detach(true);
        waiting.awaitReply().expectAttached();
        assertThat(Sessions.granted(waiting).text()).isEqualTo("s");
    }

    @Test
    @DisplayName("Wire 71: a wait ends after the client's timeout, or 65 s, and the error contains its duration")
    void waitsTimeOut() {
        RawLink asked = session.startAttach(Sessions.next(queue, 59_000));
        RawLink silent = session.startAttach(Sessions.bare(queue, null));
        session.sender(queue);
        broker.counts(queue); // the reply follows the start of both waits
        broker.advance(Duration.ofSeconds(58));
        assertThat(asked.unanswered()).isTrue();
        broker.advance(Duration.ofSeconds(1));
        asked.awaitReply();
        Node error = asked.awaitDetach().field(2);
        assertThat(error.at(0).text()).isEqualTo("com.microsoft:timeout");
        assertThat(error.at(1).text()).contains("within the allotted timeout of 00:00:59");
        assertThat(silent.unanswered()).isTrue();
        broker.advance(Duration.ofSeconds(6));
        silent.awaitReply();
        assertThat(silent.awaitDetach().field(2).at(1).text()).contains("00:01:05");
    }

    @Test
    @DisplayName("Wire 71: a timeout of zero gets an immediate reply")
    void doesNotWaitForNothing() {
        assertThat(refusal(session.attach(Sessions.next(queue, 0)))).isEqualTo("com.microsoft:timeout");
    }

    @Test
    @DisplayName("Wire 72: a detach during the wait gets a reply, cancels the wait and locks no session")
    void detachCancelsTheWait() {
        RawLink waiting = session.startAttach(Sessions.next(queue, 59_000));
        session.send(Wire.composite(Code.DETACH, uint(waiting.handle()), true, null));
        waiting.awaitReply();
        assertThat(waiting.awaitDetach().field(1).bool()).isTrue();
        sendTo("s", "m");
        RawLink next = session.attach(Sessions.next(queue, 0));
        assertThat(Sessions.granted(next).text()).isEqualTo("s");
    }

    @Test
    @DisplayName("Wire 72: an end or a lost connection during the wait cancels it and locks no session")
    void endCancelsTheWait() {
        RawSession another = peer.begin();
        another.startAttach(Sessions.next(queue, 59_000));
        another.end();
        RawPeer crashing = keep(newPeer());
        RawSession lost = crashing.begin();
        lost.startAttach(Sessions.next(queue, 59_000));
        lost.sender(queue);
        crashing.close();
        for (int i = 0; i < 20; i++) {
            sendTo("s" + i, "m");
        }
        List<RawLink> held = new ArrayList<>();
        Await.until("the release of all sessions", () -> {
            RawLink link = session.attach(Sessions.next(queue, 0));
            if (!link.attachReply().field(5).isNull()) {
                held.add(link);
            }
            return held.size() == 20;
        });
    }

    @Test
    @DisplayName(
            "Wire 73, SESS-4: a held session is refused, also to the same client; a closed session is released immediately")
    void heldSessionIsRefused() {
        sendTo("s", "m");
        RawLink holder = accept("s");
        for (RawSession from : List.of(session, keep(newPeer()).begin())) {
            RawLink second = from.attach(Sessions.bare(queue, "s"));
            assertThat(second.attachReply().field(5).isNull()).isTrue();
            Node error = second.awaitDetach().field(2);
            assertThat(error.at(0).text()).isEqualTo("com.microsoft:session-cannot-be-locked");
            assertThat(error.at(1).text())
                    .startsWith("The requested session 's' cannot be accepted. It may be locked by another receiver.");
            assertThat(second.poll()).as("a flow would hide the error").isNull();
        }
        RawDelivery delivery = holder.receiveOne();
        assertThat(delivery.message().deliveryCount()).isZero();
        holder.detach(true);
        RawLink next = accept("s");
        assertThat(next.receiveOne().message().deliveryCount()).as("SESS-12").isZero();
    }

    @Test
    @DisplayName("SESS-21, PREF-5: delivered and unsettled messages are released without a count when the link closes")
    void closingReturnsWhatWasDelivered() {
        sendTo("s", "m1", "m2", "m3");
        RawLink holder = accept("s");
        assertThat(texts(holder.drain(10))).containsExactly("m1", "m2", "m3");
        holder.detach(true);
        List<RawDelivery> again = accept("s").drain(10);
        assertThat(texts(again)).containsExactly("m1", "m2", "m3");
        assertThat(again).allMatch(delivery -> delivery.message().deliveryCount() == 0);
    }

    @Test
    @DisplayName("SESS-12, LOCK-10, SCN-15: a lost connection releases the session immediately, without a count")
    void lostConnectionFreesTheSession() {
        sendTo("s", "m1", "m2", "m3");
        for (int crash = 0; crash < 12; crash++) {
            RawPeer crashing = keep(newPeer());
            RawLink[] link = new RawLink[1];
            Await.until("the release of the session", () -> {
                link[0] = crashing.begin().attach(Sessions.bare(queue, "s"));
                return !link[0].attachReply().field(5).isNull();
            });
            link[0].credit(3);
            for (int i = 0; i < 3; i++) {
                assertThat(link[0].receive().message().deliveryCount()).isZero();
            }
            crashing.close();
        }
        assertThat(broker.counts(queue).active()).isEqualTo(3);
    }

    @Test
    @DisplayName("Wire 74, SESS-11: the end of the lock closes the link and counts delivered messages")
    void lockExpiry() {
        sendTo("s", "m1", "m2", "m3", "m4", "m5");
        RawLink holder = accept("s");
        holder.credit(3);
        RawDelivery first = holder.receive();
        holder.receive();
        holder.receive();
        broker.advance(Duration.ofSeconds(29));
        assertThat(holder.poll()).isNull();
        broker.advance(Duration.ofSeconds(1));
        RawFrame detach = holder.awaitDetach();
        assertThat(detach.field(1).bool()).as("closed").isTrue();
        assertThat(detach.field(2).at(0).text()).isEqualTo(LOST);
        assertThat(detach.field(2).at(1).text())
                .startsWith("The session lock has expired on the MessageSession. Accept a new MessageSession.");

        Node late = holder.settle(first, RawLink.ACCEPTED);
        assertThat(late.descriptorCode()).isEqualTo(Code.REJECTED);
        assertThat(late.at(0).at(0).text()).as("SESS-10").isEqualTo(LOST);

        RawLink next = accept("s");
        List<RawDelivery> again = next.drain(10);
        assertThat(again).extracting(d -> d.message().deliveryCount()).containsExactly(1L, 1L, 1L, 0L, 0L);
        assertThat(texts(again)).containsExactly("m1", "m2", "m3", "m4", "m5");
    }

    @Test
    @DisplayName("SESS-8: the messages of a session are locked as long as the session")
    void messagesShareTheLockOfTheSession() {
        sendTo("s", "m1", "m2");
        RawLink holder = accept("s");
        Instant end = broker.now().plusSeconds(30);
        broker.advance(Duration.ofSeconds(20));
        RawDelivery delivery = holder.receiveOne();
        assertThat(delivery.message().annotation("x-opt-locked-until").number()).isEqualTo(end.toEpochMilli());
        try (RawRequests management = management()) {
            assertRefused(
                    management.call("com.microsoft:renew-lock", map("lock-tokens", uuids(delivery.lockToken()))),
                    400,
                    "amqp:not-allowed");
            Node renewed = management.call("com.microsoft:renew-session-lock", Sessions.request("s"), 200);
            assertThat(renewed.get("expiration").isTimestamp()).isTrue();
            assertThat(renewed.get("expiration").number())
                    .isEqualTo(broker.now().plusSeconds(30).toEpochMilli());
        }
        broker.advance(Duration.ofSeconds(29));
        assertThat(holder.settle(delivery, RawLink.ACCEPTED).descriptorCode()).isEqualTo(Code.ACCEPTED);
        assertThat(text(holder.receiveOne())).isEqualTo("m2");
    }

    @Test
    @DisplayName(
            "Wire 75, SESS-6, DLQ-28: the wrong kind of receiver is not allowed; receivers without sessions read the dead-letter queue")
    void invalidCombinations() {
        String plain = broker.queue();
        assertThat(refusal(session.tryReceiver(queue))).isEqualTo("amqp:not-allowed");
        assertThat(refusal(session.attach(Sessions.bare(plain, "s")))).isEqualTo("amqp:not-allowed");
        assertThat(refusal(session.attach(Sessions.bare(plain, null)))).isEqualTo("amqp:not-allowed");
        String dead = queue + "/$DeadLetterQueue";
        assertThat(refusal(session.attach(Sessions.bare(dead, "s")))).isEqualTo("amqp:not-allowed");

        sendTo("s", "m");
        RawLink holder = accept("s");
        holder.settle(holder.receiveOne(), RawLink.deadLettered("why", "because"));
        RawDelivery delivery = session.receiver(dead).receiveOne();
        assertThat(text(delivery)).isEqualTo("m");
        assertThat(delivery.message().properties().at(10).text()).isEqualTo("s");
        try (RawRequests management = RawRequests.open(session, dead + "/$management")) {
            management.call("com.microsoft:renew-lock", map("lock-tokens", uuids(delivery.lockToken())), 200);
            assertRefused(
                    management.call("com.microsoft:renew-session-lock", Sessions.request("s")),
                    400,
                    "amqp:not-allowed");
        }
    }

    @Test
    @DisplayName("3.8, 7.8: malformed requests and non-exclusive sessions are refused, and the AMQP session continues")
    void malformedRequests() {
        assertThat(refusal(session.attach(Sessions.attach(queue, 5)))).isEqualTo("amqp:invalid-field");
        assertThat(refusal(session.attach(
                        Sessions.bare(queue, null).properties(map(Wire.sym("com.microsoft:timeout"), "soon")))))
                .isEqualTo("amqp:invalid-field");
        assertThat(refusal(session.attach(Sessions.bare(queue, "x".repeat(129)))))
                .isEqualTo("com.microsoft:argument-error");
        assertThat(refusal(session.attach(new RawSession.Attach(true, "shared", queue)
                        .filter(queue, map(Wire.sym("com.microsoft:non-exclusive-session-filter:list"), null)))))
                .isEqualTo("amqp:not-implemented");
        accept("x".repeat(128));
    }

    @Test
    @DisplayName("Wire 76, SESS-3: a message without a session is not allowed, an empty session id is a session")
    void messagesNeedASession() {
        RawLink sender = session.sender(queue);
        Node error = sender.awaitRejection(sender.send(RawMessage.of("m", "m")));
        assertThat(error.at(0).text()).isEqualTo("amqp:not-allowed");
        sendTo("", "empty");
        assertThat(text(accept("").receiveOne())).isEqualTo("empty");
        assertThat(broker.counts(queue).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("SESS-2, SESS-22: an id too long is refused, and so is a partition key that differs from the session")
    void messagesOfBadSessions() {
        RawLink sender = session.sender(queue);
        sender.sendAccepted(Sessions.message("x".repeat(128), "longest"));
        assertThat(sender.awaitRejection(sender.send(Sessions.message("x".repeat(129), "m")))
                        .at(0)
                        .text())
                .isEqualTo("com.microsoft:argument-error");
        assertThat(sender.awaitRejection(sender.send(keyed("other"))).at(0).text())
                .isEqualTo("amqp:not-allowed");
        sender.sendAccepted(keyed("s"));
        sender.sendAccepted(Wire.encode(
                Wire.section(Code.MESSAGE_ANNOTATIONS, map(Wire.sym("x-opt-partition-key"), "other")),
                new Wire.Octets(Sessions.message("", "an empty id is not compared"))));
    }

    private static byte[] keyed(String partitionKey) {
        return Wire.encode(
                Wire.section(Code.MESSAGE_ANNOTATIONS, map(Wire.sym("x-opt-partition-key"), partitionKey)),
                new Wire.Octets(Sessions.message("s", "keyed")));
    }

    @Test
    @DisplayName("Wire 24, 69: a session of a subscription, over its address in any case")
    void sessionOfASubscription() {
        String topic = broker.topics().create();
        Subscription subscription = broker.topics().subscribe(topic, s -> s.requiresSession(true));
        session.sender(topic).sendAccepted(Sessions.message("s", "m"));
        RawLink holder = session.attach(Sessions.next(subscription.path().toUpperCase(Locale.ROOT), 59_000));
        assertThat(Sessions.granted(holder).text()).isEqualTo("s");
        assertThat(text(holder.receiveOne())).isEqualTo("m");
        try (RawRequests management = RawRequests.open(session, subscription.path() + "/$management")) {
            management.call("com.microsoft:renew-session-lock", Sessions.request("s"), 200);
        }
    }

    @Test
    @DisplayName("SCN-15: a silent holder keeps its session until the lock ends, and its deliveries count")
    void silentHolder() {
        sendTo("s", "m1", "m2", "m3", "m4");
        RawLink silent = Sessions.accept(keep(newPeer()).begin(), queue, "s");
        silent.credit(3);
        silent.receive();
        silent.receive();
        silent.receive();
        broker.advance(Duration.ofSeconds(29));
        assertThat(refusal(session.attach(Sessions.bare(queue, "s"))))
                .isEqualTo("com.microsoft:session-cannot-be-locked");
        broker.advance(Duration.ofSeconds(1));
        assertThat(accept("s").drain(4))
                .extracting(d -> d.message().deliveryCount())
                .containsExactly(1L, 1L, 1L, 0L);
    }

    @Test
    @DisplayName("SESS-8: in a session each message has its own delivery count, up to the limit of deliveries")
    void maxDeliveryCount() {
        String strict = broker.queue(q -> q.requiresSession(true).maxDeliveryCount(2));
        RawLink sender = session.sender(strict);
        sender.sendAccepted(Sessions.message("s", "poison"));
        sender.sendAccepted(Sessions.message("s", "good"));
        RawLink holder = Sessions.accept(session, strict, "s");
        for (int i = 0; i < 2; i++) {
            RawDelivery poison = holder.receiveOne();
            assertThat(text(poison)).isEqualTo("poison");
            holder.settle(poison, RawLink.modified(true, null, null));
        }
        assertThat(text(holder.receiveOne())).isEqualTo("good");
        assertThat(broker.counts(strict).deadLetter()).isEqualTo(1);
    }

    @Test
    @DisplayName("Wire 78, SESS-7: order is kept after abandon, release and reconnect; no other client gets a message")
    void orderIsKept() {
        sendTo("s", "m1", "m2", "m3", "m4", "m5");
        RawLink holder = accept("s");
        RawDelivery first = holder.receiveOne();
        holder.settle(first, RawLink.modified(null, null, null));
        RawDelivery again = holder.receiveOne();
        assertThat(text(again)).isEqualTo("m1");
        assertThat(again.message().deliveryCount()).isEqualTo(1);
        holder.settle(again, RawLink.RELEASED);
        assertThat(texts(holder.drain(3))).containsExactly("m1", "m2", "m3");
        sendTo("s", "m6");
        assertThat(refusal(session.attach(Sessions.next(queue, 0)))).isEqualTo("com.microsoft:timeout");
        holder.detach(true);
        assertThat(texts(accept("s").drain(10))).containsExactly("m1", "m2", "m3", "m4", "m5", "m6");
    }

    @Test
    @DisplayName("7.5: the link remains attached when its session is empty, and gets later messages")
    void theLinkOutlivesItsMessages() {
        RawLink holder = accept("s");
        assertThat(holder.drain(1)).isEmpty();
        holder.credit(2);
        sendTo("other", "o");
        sendTo("s", "m1", "m2");
        RawDelivery first = holder.receive();
        RawDelivery second = holder.receive();
        assertThat(text(first)).isEqualTo("m1");
        holder.disposition(first.id(), second.id(), false, RawLink.ACCEPTED);
        assertThat(holder.awaitSettledRange(first.id(), second.id()))
                .allMatch(state -> state.descriptorCode() == Code.ACCEPTED);
        assertThat(broker.counts(queue).total()).isEqualTo(1);
    }

    @Test
    @DisplayName("SESS-24: receive-and-delete in a session delivers settled messages in order and removes them")
    void receiveAndDelete() {
        sendTo("s", "m1", "m2", "m3");
        RawLink holder = session.attach(Sessions.bare(queue, "s").settleModes(1, 0));
        List<RawDelivery> deliveries = holder.drain(2);
        assertThat(texts(deliveries)).containsExactly("m1", "m2");
        assertThat(deliveries).allMatch(RawDelivery::settled);
        Await.until("the removal of two messages", () -> broker.counts(queue).total() == 1);
    }

    @Test
    @DisplayName("SESS-13: a message that is dead-lettered is skipped, the following ones are delivered")
    void poisonIsSkipped() {
        sendTo("s", "m1", "m2", "m3");
        RawLink holder = accept("s");
        holder.settle(holder.receiveOne(), RawLink.deadLettered("poison", "bad"));
        assertThat(texts(holder.drain(5))).containsExactly("m2", "m3");
        assertThat(broker.counts(queue).deadLetter()).isEqualTo(1);
    }

    @Test
    @DisplayName("SESS-20: waiting links and holding links do not affect each other")
    void manyLinksOfOneSession() {
        List<RawLink> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            waiting.add(session.startAttach(Sessions.next(queue, 59_000)));
        }
        RawLink sender = session.sender(queue);
        for (int i = 0; i < 100; i++) {
            sender.sendAccepted(Sessions.message("s" + i, "m" + i));
        }
        List<String> granted = new ArrayList<>();
        for (RawLink link : waiting) {
            link.awaitReply().expectAttached();
            granted.add(Sessions.granted(link).text());
            RawDelivery delivery = link.receiveOne();
            assertThat(link.settle(delivery, RawLink.ACCEPTED).descriptorCode()).isEqualTo(Code.ACCEPTED);
        }
        assertThat(granted)
                .as("SESS-5: the session that waits longest is first")
                .first()
                .isEqualTo("s0");
        assertThat(granted).doesNotHaveDuplicates();
        assertThat(broker.counts(queue).total()).isZero();
    }
}
