package dev.jitney.conformance.wire;

import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.conformance.support.PartitionedRun.via;
import static dev.jitney.testing.amqp.Wire.longs;
import static dev.jitney.testing.amqp.Wire.map;
import static dev.jitney.testing.amqp.Wire.sym;
import static dev.jitney.testing.amqp.Wire.uuids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.RawTest;
import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.Node;
import dev.jitney.testing.amqp.RawDelivery;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawPeer;
import dev.jitney.testing.amqp.RawRequests;
import dev.jitney.testing.amqp.RawSession;
import dev.jitney.testing.amqp.Sessions;
import dev.jitney.testing.amqp.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of transactions (checklist 79 to 83, and wire reference 5.5 and 8). */
class TransactionsTest extends RawTest {
    private static final Object DECLARE = Wire.composite(Code.DECLARE, (Object) null);

    /** The coordinator link on a separate session, as in clients without cross-entity transactions. */
    private RawLink coordinator;

    @BeforeEach
    void openCoordinator() {
        coordinator = coordinator(peer.begin());
    }

    private static RawLink coordinator(RawSession session) {
        RawLink link = session.attach(new RawSession.Attach(false, "coordinator-" + UUID.randomUUID(), "")
                .rawTarget(Wire.composite(
                        Code.COORDINATOR, new Wire.ArrayOf(0xa3, List.of(sym("amqp:local-transactions"))))));
        link.expectAttached();
        link.awaitCredit();
        return link;
    }

    private static byte[] value(Object body) {
        return Wire.encode(Wire.section(Code.VALUE, body));
    }

    private byte[] declare() {
        return declare(coordinator);
    }

    private static byte[] declare(RawLink coordinator) {
        Node outcome = coordinator.awaitOutcome(coordinator.send(value(DECLARE)));
        assertThat(outcome.descriptorCode()).as(outcome.toString()).isEqualTo(Code.DECLARED);
        return outcome.at(0).bytes();
    }

    private Node discharge(byte[] transaction, boolean fail) {
        return discharge(coordinator, transaction, fail);
    }

    private static Node discharge(RawLink coordinator, byte[] transaction, boolean fail) {
        return coordinator.awaitOutcome(coordinator.send(value(Wire.composite(Code.DISCHARGE, transaction, fail))));
    }

    private void commit(byte[] transaction) {
        assertOutcome(discharge(transaction, false), Code.ACCEPTED);
    }

    private void rollback(byte[] transaction) {
        assertOutcome(discharge(transaction, true), Code.ACCEPTED);
    }

    private static void assertOutcome(Node state, int code) {
        assertThat(state.descriptorCode()).as(state.toString()).isEqualTo(code);
    }

    private static void assertWrapped(Node state, byte[] transaction, int code) {
        assertOutcome(state, Code.TRANSACTIONAL_STATE);
        assertThat(state.at(0).bytes()).isEqualTo(transaction);
        assertOutcome(state.at(1), code);
    }

    private static String condition(Node rejected) {
        assertOutcome(rejected, Code.REJECTED);
        return rejected.at(0).at(0).text();
    }

    private static byte[] message(String text) {
        return inOrder(text, text);
    }

    private static List<String> texts(List<RawDelivery> deliveries) {
        return deliveries.stream().map(d -> d.message().dataText()).toList();
    }

    private Node settleIn(RawLink receiver, RawDelivery delivery, byte[] transaction, @Nullable Object outcome) {
        return receiver.settle(delivery, RawLink.inTransaction(transaction, outcome));
    }

    @Test
    @DisplayName("Wire 79: a coordinator attach gets a reply with a coordinator target, a size limit and credit")
    void attach() {
        Node target = coordinator.attachReply().field(6);
        assertThat(target.descriptorCode()).isEqualTo(Code.COORDINATOR);
        assertThat(target.toString()).contains("amqp:local-transactions");
        assertThat(coordinator.maxMessageSize()).isPositive();
    }

    @Test
    @DisplayName("Wire 79, 8.2: ids are printable, at most 32 bytes, and never the same")
    void ids() {
        byte[] first = declare();
        byte[] second = declare();
        assertThat(first).isNotEqualTo(second);
        assertThat(first.length).isBetween(1, 32);
        assertThat(new String(first, StandardCharsets.US_ASCII)).matches("[!-~]+");
        commit(first);
        rollback(second);
    }

    @Test
    @DisplayName(
            "Wire 80, TX-13: a send gets a transactional state; the message is invisible before the commit and visible after it")
    void sendAndCommit() {
        String queue = broker.queue();
        RawLink sender = session.sender(queue);
        RawLink receiver = session.receiver(queue);
        byte[] transaction = declare();
        assertWrapped(sender.awaitOutcome(sender.sendIn(transaction, message("m"))), transaction, Code.ACCEPTED);
        assertThat(receiver.drain(5)).isEmpty();
        assertThat(broker.counts(queue).total()).isZero();
        commit(transaction);
        assertThat(texts(receiver.drain(5))).containsExactly("m");
    }

    @Test
    @DisplayName("Wire 80, TX-14: a rollback drops a send")
    void sendAndRollBack() {
        String queue = broker.queue();
        RawLink sender = session.sender(queue);
        byte[] transaction = declare();
        sender.awaitOutcome(sender.sendIn(transaction, message("m")));
        rollback(transaction);
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("Wire 80: batches and messages of many frames are part of a transaction")
    void batchesAndLargeMessages() {
        String queue = broker.queue();
        RawLink sender = session.sender(queue);
        RawLink receiver = session.receiver(queue);
        byte[] transaction = declare();
        byte[] batch = Wire.encode(Wire.section(Code.DATA, message("a")), Wire.section(Code.DATA, message("b")));
        assertWrapped(sender.awaitOutcome(sender.sendIn(transaction, batch, 0x80013700L)), transaction, Code.ACCEPTED);
        String large = "x".repeat(200_000);
        assertWrapped(
                sender.awaitOutcome(sender.sendIn(transaction, inOrder("large", large))), transaction, Code.ACCEPTED);
        commit(transaction);
        assertThat(texts(receiver.drain(5))).containsExactly("a", "b", large);
    }

    @Test
    @DisplayName("Wire 80, 5.5: the reply to a settlement is its own outcome inside the transactional state")
    void settlements() {
        String queue = broker.queue();
        for (String text : List.of("complete", "abandon", "defer", "dead-letter", "release")) {
            send(queue, text);
        }
        RawLink receiver = session.receiver(queue);
        List<RawDelivery> all = receiver.drain(5);
        byte[] transaction = declare();
        assertWrapped(settleIn(receiver, all.get(0), transaction, RawLink.ACCEPTED), transaction, Code.ACCEPTED);
        assertWrapped(
                settleIn(receiver, all.get(1), transaction, RawLink.modified(null, false, null)),
                transaction,
                Code.MODIFIED);
        assertWrapped(
                settleIn(receiver, all.get(2), transaction, RawLink.modified(null, true, null)),
                transaction,
                Code.MODIFIED);
        assertWrapped(
                settleIn(receiver, all.get(3), transaction, RawLink.deadLettered("why", "because")),
                transaction,
                Code.REJECTED);
        assertWrapped(settleIn(receiver, all.get(4), transaction, RawLink.RELEASED), transaction, Code.RELEASED);
        assertThat(broker.counts(queue).active()).isEqualTo(5);
        assertThat(broker.counts(queue).deadLetter()).isZero();
        commit(transaction);
        assertThat(broker.counts(queue).active()).isEqualTo(3);
        assertThat(broker.counts(queue).deferred()).isEqualTo(1);
        assertThat(broker.counts(queue).deadLetter()).isEqualTo(1);
        assertThat(texts(receiver.drain(5))).containsExactly("abandon", "release");
    }

    @Test
    @DisplayName("Wire 5.5: a range of deliveries is settled in a transaction, each with its own reply")
    void range() {
        String queue = broker.queue();
        for (int i = 0; i < 4; i++) {
            send(queue, "m" + i);
        }
        RawLink receiver = session.receiver(queue);
        List<RawDelivery> all = receiver.drain(4);
        byte[] transaction = declare();
        receiver.disposition(
                all.get(0).id(), all.get(3).id(), false, RawLink.inTransaction(transaction, RawLink.ACCEPTED));
        for (Node state : receiver.awaitSettledRange(all.get(0).id(), all.get(3).id())) {
            assertWrapped(state, transaction, Code.ACCEPTED);
        }
        assertThat(broker.counts(queue).active()).isEqualTo(4);
        commit(transaction);
        assertThat(broker.counts(queue).active()).isZero();
    }

    @Test
    @DisplayName("TX-14: after a rollback the message is locked as before and can be completed over $management")
    void settleAndRollBack() {
        String queue = broker.queue();
        send(queue, "m");
        RawLink receiver = session.receiver(queue);
        RawDelivery delivery = receiver.receiveOne();
        byte[] transaction = declare();
        settleIn(receiver, delivery, transaction, RawLink.ACCEPTED);
        rollback(transaction);
        assertThat(receiver.drain(1)).isEmpty();
        RawRequests requests = RawRequests.open(session, queue + "/$management");
        requests.call(
                "com.microsoft:update-disposition",
                map("disposition-status", "completed", "lock-tokens", uuids(delivery.lockToken())),
                200);
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("Wire 5.5, TX-14: after a rollback a delivery is settled again on its link, in a transaction or not")
    void settlesAgainAfterARollback() {
        String queue = broker.queue();
        send(queue, "a");
        send(queue, "b");
        RawLink receiver = session.receiver(queue);
        List<RawDelivery> all = receiver.drain(2);
        byte[] first = declare();
        for (RawDelivery delivery : all) {
            assertWrapped(settleIn(receiver, delivery, first, RawLink.ACCEPTED), first, Code.ACCEPTED);
        }
        rollback(first);
        byte[] second = declare();
        assertWrapped(settleIn(receiver, all.get(0), second, RawLink.RELEASED), second, Code.RELEASED);
        rollback(second);
        byte[] third = declare();
        assertWrapped(settleIn(receiver, all.get(0), third, RawLink.ACCEPTED), third, Code.ACCEPTED);
        commit(third);
        assertOutcome(receiver.settle(all.get(1), RawLink.ACCEPTED), Code.ACCEPTED);
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("Wire 81, TX-11: ids are valid on all sessions of their connection, and on no other connection")
    void connectionsAreApart() {
        String queue = broker.queue();
        byte[] transaction = declare();
        RawLink elsewhere = peer.begin().sender(queue);
        assertWrapped(elsewhere.awaitOutcome(elsewhere.sendIn(transaction, message("m"))), transaction, Code.ACCEPTED);
        RawPeer other = keep(newPeer());
        RawSession session = other.begin();
        RawLink foreign = session.sender(queue);
        Node refused = foreign.awaitOutcome(foreign.sendIn(transaction, message("x")));
        assertThat(condition(refused)).isEqualTo("amqp:not-allowed");
        assertThat(refused.at(0).at(1).text()).contains("No active Transaction was found for ID");
        assertThat(condition(discharge(coordinator(session), transaction, false)))
                .isEqualTo("amqp:transaction:unknown-id");
        commit(transaction);
        assertThat(broker.counts(queue).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("Wire 82: an unknown id is refused on discharge, and a second discharge is unknown")
    void unknownIds() {
        assertThat(condition(discharge("txn:nobody".getBytes(StandardCharsets.US_ASCII), false)))
                .isEqualTo("amqp:transaction:unknown-id");
        byte[] transaction = declare();
        commit(transaction);
        assertThat(condition(discharge(transaction, false))).isEqualTo("amqp:transaction:unknown-id");
    }

    @Test
    @DisplayName("Wire 82, TX-9: two minutes after its first operation a transaction is rolled back")
    void timeout() {
        String queue = broker.queue();
        send(queue, "m");
        RawLink sender = session.sender(queue);
        RawLink receiver = session.receiver(queue);
        byte[] transaction = declare();
        settleIn(receiver, receiver.receiveOne(), transaction, RawLink.ACCEPTED);
        sender.awaitOutcome(sender.sendIn(transaction, message("n")));
        broker.advance(Duration.ofSeconds(121));
        assertThat(texts(receiver.drain(5))).containsExactly("m");
        assertThat(condition(sender.awaitOutcome(sender.sendIn(transaction, message("o")))))
                .isEqualTo("amqp:not-allowed");
        assertThat(condition(discharge(transaction, false))).isEqualTo("amqp:transaction:timeout");
        assertThat(broker.counts(queue).total()).isEqualTo(1);
    }

    @Test
    @DisplayName("Wire 82, TX-10: a lost connection and a closed coordinator link roll back transactions")
    void endOfTheControlLink() {
        String queue = broker.queue();
        RawPeer other = keep(newPeer());
        RawSession theirs = other.begin();
        RawLink control = coordinator(theirs);
        byte[] lost = declare(control);
        RawLink sender = theirs.sender(queue);
        sender.awaitOutcome(sender.sendIn(lost, message("m")));
        byte[] closed = declare();
        RawLink mine = session.sender(queue);
        mine.awaitOutcome(mine.sendIn(closed, message("n")));
        send(queue, "locked");
        RawLink receiver = theirs.receiver(queue);
        settleIn(receiver, receiver.receiveOne(), lost, RawLink.ACCEPTED);
        other.close();
        broker.awaitNoReceivers(queue); // then the broker has noticed its end
        coordinator.detach(true);
        assertThat(condition(mine.awaitOutcome(mine.sendIn(closed, message("o")))))
                .isEqualTo("amqp:not-allowed");
        broker.advance(Duration.ofSeconds(61)); // the lock continues and ends
        RawLink another = session.receiver(queue);
        assertThat(texts(another.drain(5))).containsExactly("locked");
        assertThat(broker.counts(queue).total()).isEqualTo(1);
    }

    @Test
    @DisplayName("Wire 83, SCHED-5: management requests are part of a transaction: settle, schedule, cancel")
    void managementRequests() {
        String queue = broker.queue();
        send(queue, "m");
        RawDelivery delivery = session.receiver(queue).receiveOne();
        RawRequests requests = RawRequests.open(peer.begin(), queue + "/$management");
        long number = schedule(requests, "before");
        byte[] transaction = declare();
        assertStatus(
                requests.callIn(
                        transaction,
                        "com.microsoft:update-disposition",
                        map("disposition-status", "completed", "lock-tokens", uuids(delivery.lockToken()))),
                200);
        RawMessage scheduled =
                requests.callIn(transaction, "com.microsoft:schedule-message", scheduleBody("in the transaction"));
        assertStatus(scheduled, 200);
        long inside = scheduled.value().get("sequence-numbers").at(0).number();
        assertThat(inside).isGreaterThan(number);
        assertStatus(
                requests.callIn(
                        transaction, "com.microsoft:cancel-scheduled-message", map("sequence-numbers", longs(number))),
                200);
        assertThat(broker.counts(queue).active()).isEqualTo(1);
        assertThat(broker.counts(queue).scheduled()).isEqualTo(1);
        commit(transaction);
        assertThat(broker.counts(queue).active()).isZero();
        assertThat(broker.counts(queue).scheduled()).isEqualTo(1);
        requests.call("com.microsoft:cancel-scheduled-message", map("sequence-numbers", longs(inside)), 200);
    }

    @Test
    @DisplayName(
            "TX-20, wire 83: settling in a session and its state take effect with the commit, and are undone by a rollback")
    void session() {
        String queue = broker.queue(q -> q.requiresSession(true));
        RawLink sender = session.sender(queue);
        for (String text : List.of("a", "b")) {
            sender.sendAccepted(Wire.encode(
                    Wire.composite(Code.PROPERTIES, text, null, null, null, null, null, null, null, null, null, "s"),
                    Wire.section(Code.DATA, text.getBytes(StandardCharsets.UTF_8))));
        }
        RawLink receiver = Sessions.accept(session, queue, "s");
        List<RawDelivery> both = receiver.drain(2);
        RawRequests requests = RawRequests.open(session, queue + "/$management");
        byte[] undone = declare();
        settleIn(receiver, both.get(0), undone, RawLink.ACCEPTED);
        assertStatus(requests.callIn(undone, "com.microsoft:set-session-state", state("never")), 200);
        rollback(undone);
        assertThat(stateOf(requests).isNull()).isTrue();
        byte[] done = declare();
        settleIn(receiver, both.get(1), done, RawLink.ACCEPTED);
        assertStatus(requests.callIn(done, "com.microsoft:set-session-state", state("after")), 200);
        assertThat(stateOf(requests).isNull()).isTrue();
        commit(done);
        assertThat(stateOf(requests).bytes()).asString(StandardCharsets.UTF_8).isEqualTo("after");
        assertThat(broker.counts(queue).active()).isEqualTo(1);
    }

    private static Map<?, ?> state(String text) {
        return map("session-id", "s", "session-state", text.getBytes(StandardCharsets.UTF_8));
    }

    private static Node stateOf(RawRequests requests) {
        return requests.call("com.microsoft:get-session-state", map("session-id", "s"), 200)
                .get("session-state");
    }

    private static void assertStatus(RawMessage answer, int status) {
        assertThat(answer.applicationProperty("statusCode").number())
                .as(answer.toString())
                .isEqualTo(status);
    }

    private static Map<?, ?> scheduleBody(String text) {
        Instant due = broker.now().plusSeconds(600);
        byte[] encoded = Wire.encode(
                Wire.section(Code.MESSAGE_ANNOTATIONS, inOrder(map(sym("x-opt-scheduled-enqueue-time"), due))),
                Wire.composite(Code.PROPERTIES, text),
                Wire.section(Code.DATA, text.getBytes(StandardCharsets.UTF_8)));
        return map("messages", Wire.list(map("message-id", text, "message", encoded)));
    }

    private static long schedule(RawRequests requests, String text) {
        return requests.call("com.microsoft:schedule-message", scheduleBody(text), 200)
                .get("sequence-numbers")
                .at(0)
                .number();
    }

    @Test
    @DisplayName("Wire 83, TX-16: a management request that fails in a transaction prevents its commit")
    void failedManagementRequest() {
        String queue = broker.queue();
        RawLink sender = session.sender(queue);
        RawRequests requests = RawRequests.open(session, queue + "/$management");
        byte[] transaction = declare();
        sender.awaitOutcome(sender.sendIn(transaction, message("m")));
        assertStatus(
                requests.callIn(
                        transaction,
                        "com.microsoft:update-disposition",
                        map("disposition-status", "completed", "lock-tokens", uuids(UUID.randomUUID()))),
                410);
        assertThat(condition(discharge(transaction, false))).isEqualTo("amqp:transaction:rollback");
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("TX-16, wire 8.3: an oversize message gets a plain rejected, and the transaction cannot be committed")
    void oversize() {
        String queue = broker.queue();
        RawLink sender = session.sender(queue);
        byte[] transaction = declare();
        sender.awaitOutcome(sender.sendIn(transaction, message("m")));
        Node refused = sender.awaitOutcome(sender.sendIn(transaction, message("x".repeat(300_000))));
        assertThat(condition(refused)).isEqualTo("amqp:link:message-size-exceeded");
        assertThat(condition(discharge(transaction, false))).isEqualTo("amqp:transaction:rollback");
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("TX-8: 100 messages are accepted, the 101st is rejected")
    void hundredMessages() {
        String queue = broker.queue();
        RawLink sender = session.sender(queue);
        byte[] transaction = declare();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            ids.add(sender.sendIn(transaction, message("m" + i)));
        }
        ids.forEach(id -> assertWrapped(sender.awaitOutcome(id), transaction, Code.ACCEPTED));
        commit(transaction);
        assertThat(broker.counts(queue).active()).isEqualTo(100);
        byte[] second = declare();
        for (int i = 0; i < 100; i++) {
            sender.sendIn(second, message("n" + i));
        }
        Node refused = sender.awaitOutcome(sender.sendIn(second, message("one too many")));
        assertThat(condition(refused)).isEqualTo("amqp:not-allowed");
        assertThat(condition(discharge(second, false))).isEqualTo("amqp:transaction:rollback");
    }

    @Test
    @DisplayName("Wire 8.2: a settled control message ends the link")
    void settledControlMessage() {
        coordinator.sendSettled(value(DECLARE));
        assertThat(coordinator.awaitDetachCondition()).isEqualTo("amqp:not-allowed");
    }

    @Test
    @DisplayName("TX-22: distributed transactions are refused")
    void globalId() {
        Object declare = Wire.composite(Code.DECLARE, "global".getBytes(StandardCharsets.US_ASCII));
        assertOutcome(coordinator.awaitOutcome(coordinator.send(value(declare))), Code.REJECTED);
        assertThat(condition(coordinator.awaitOutcome(coordinator.send(value("nonsense")))))
                .isEqualTo("amqp:decode-error");
    }

    @Test
    @DisplayName("TX-3: a second entity is refused when coordinator and links have separate sessions")
    void secondEntity() {
        String one = broker.queue();
        String two = broker.queue();
        RawLink first = session.sender(one);
        RawLink second = session.sender(two);
        byte[] transaction = declare();
        first.awaitOutcome(first.sendIn(transaction, message("m")));
        assertThat(condition(second.awaitOutcome(second.sendIn(transaction, message("n")))))
                .isEqualTo("amqp:not-allowed");
        assertThat(condition(discharge(transaction, false))).isEqualTo("amqp:transaction:rollback");
    }

    /** Waits until no messages are in transit, because fragments are in several stores. */
    private static void awaitMoved(String from, String to, int messages) {
        Await.until("no messages in " + from, () -> broker.counts(from).total() == 0);
        Await.until(messages + " messages in " + to, () -> broker.counts(to).active() == messages);
    }

    @Test
    @DisplayName("TX-5, wire 8.4: on one session with its coordinator a transaction spans entities")
    void acrossEntities() {
        String one = broker.queue();
        String two = broker.queue();
        send(one, "m");
        RawLink control = coordinator(session);
        RawLink receiver = session.receiver(one);
        RawLink sender = session.sender(two);
        byte[] transaction = declare(control);
        settleIn(receiver, receiver.receiveOne(), transaction, RawLink.ACCEPTED);
        assertWrapped(sender.awaitOutcome(sender.sendIn(transaction, via("n", "n"))), transaction, Code.ACCEPTED);
        assertThat(broker.counts(two).total()).isZero();
        assertOutcome(discharge(control, transaction, false), Code.ACCEPTED);
        awaitMoved(one, two, 1);
    }

    @Test
    @DisplayName("TX-5: across entities messages are settled on the first one only")
    void settlingElsewhere() {
        String one = broker.queue();
        String two = broker.queue();
        send(two, "m");
        RawLink control = coordinator(session);
        RawLink sender = session.sender(one);
        RawLink receiver = session.receiver(two);
        byte[] transaction = declare(control);
        sender.awaitOutcome(sender.sendIn(transaction, message("n")));
        assertThat(condition(settleIn(receiver, receiver.receiveOne(), transaction, RawLink.ACCEPTED)))
                .isEqualTo("amqp:not-allowed");
        assertThat(condition(discharge(control, transaction, false))).isEqualTo("amqp:transaction:rollback");
    }

    @Test
    @DisplayName("TX-4, wire 8.4: a link may send via the entity of the transaction")
    void sendVia() {
        String via = broker.queue();
        String destination = broker.queue();
        send(via, "m");
        RawLink sender = session.attach(new RawSession.Attach(false, "via-" + UUID.randomUUID(), via)
                .target(via)
                .properties(map(sym("com.microsoft:transfer-destination-address"), destination)));
        sender.expectAttached();
        RawLink receiver = session.receiver(via);
        byte[] transaction = declare();
        settleIn(receiver, receiver.receiveOne(), transaction, RawLink.ACCEPTED);
        assertWrapped(sender.awaitOutcome(sender.sendIn(transaction, via("n", "n"))), transaction, Code.ACCEPTED);
        assertThat(broker.counts(destination).total()).isZero();
        commit(transaction);
        awaitMoved(via, destination, 1);
        sender.sendAccepted(message("outside"));
        awaitMoved(via, destination, 2);
    }

    @Test
    @DisplayName(
            "TX-4, SCHED-5, wire 6.1: a message scheduled through a link that sends via an entity goes to the destination")
    void schedulesVia() {
        String via = broker.queue();
        String destination = broker.queue();
        String name = "via-" + UUID.randomUUID();
        RawLink sender = session.attach(new RawSession.Attach(false, name, via)
                .target(via)
                .properties(map(sym("com.microsoft:transfer-destination-address"), destination)));
        sender.expectAttached();
        RawRequests requests = RawRequests.open(peer.begin(), via + "/$management");
        RawMessage answer = requests.send(
                map("operation", "com.microsoft:schedule-message", "associated-link-name", name),
                scheduleBody("later"));
        assertStatus(answer, 200);
        assertThat(broker.counts(via).scheduled()).isZero();
        assertThat(broker.counts(destination).scheduled()).isEqualTo(1);
    }

    @Test
    @DisplayName("Wire 8.4: a missing destination is refused when the link is attached")
    void missingDestination() {
        RawLink link = session.attach(new RawSession.Attach(false, "via-" + UUID.randomUUID(), "")
                .target(broker.queue())
                .properties(map(sym("com.microsoft:transfer-destination-address"), "missing")));
        assertThat(link.awaitDetachCondition()).isEqualTo("amqp:not-found");
    }
}
