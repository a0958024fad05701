package dev.jitney.conformance.wire;

import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.conformance.support.PartitionedRun.numberBeside;
import static dev.jitney.testing.amqp.Wire.list;
import static dev.jitney.testing.amqp.Wire.longs;
import static dev.jitney.testing.amqp.Wire.map;
import static dev.jitney.testing.amqp.Wire.sym;
import static dev.jitney.testing.amqp.Wire.ubyte;
import static dev.jitney.testing.amqp.Wire.uint;
import static dev.jitney.testing.amqp.Wire.ulong;
import static dev.jitney.testing.amqp.Wire.uuids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.RawTest;
import dev.jitney.model.EntityStatus;
import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.Node;
import dev.jitney.testing.amqp.RawDelivery;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawPeer;
import dev.jitney.testing.amqp.RawRequests;
import dev.jitney.testing.amqp.RawSession;
import dev.jitney.testing.amqp.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of the management node (checklist 55 to 61 and 66 to 68). */
class ManagementTest extends RawTest {
    private String queue;
    private RawRequests management;

    @BeforeEach
    void openManagement() {
        queue = broker.queue();
        management = RawRequests.open(session, queue + "/$management");
    }

    private static void assertError(RawMessage answer, int status, String condition) {
        assertEnvelope(answer, status);
        Node error = answer.applicationProperty("errorCondition");
        assertThat(error.isSymbol()).as(answer.toString()).isTrue();
        assertThat(error.text()).isEqualTo(condition);
        assertThat(answer.applicationProperty("statusDescription").text()).isNotEmpty();
    }

    private static void assertEnvelope(RawMessage answer, int status) {
        Node code = answer.applicationProperty("statusCode");
        assertThat(code.isInt()).as("statusCode is an int: %s", answer).isTrue();
        assertThat(code.number()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.applicationProperty("statusDescription").isString())
                .as(answer.toString())
                .isTrue();
        assertThat(answer.value().isMap()).as("the body is a map: %s", answer).isTrue();
    }

    private Node peek(long from, Object count) {
        return management.call(
                "com.microsoft:peek-message", map("from-sequence-number", from, "message-count", count), 200);
    }

    private long schedule(String text, Instant when) {
        byte[] message = Wire.encode(
                Wire.section(Code.MESSAGE_ANNOTATIONS, inOrder(map(sym("x-opt-scheduled-enqueue-time"), when))),
                Wire.composite(Code.PROPERTIES, text),
                Wire.section(Code.DATA, text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        Node body = management.call(
                "com.microsoft:schedule-message",
                map("messages", list(map("message", message, "message-id", text))),
                200);
        return body.get("sequence-numbers").at(0).number();
    }

    private static byte[] scheduledIn(int seconds) {
        return Wire.encode(
                Wire.section(
                        Code.MESSAGE_ANNOTATIONS,
                        map(sym("x-opt-scheduled-enqueue-time"), broker.now().plusSeconds(seconds))),
                Wire.section(Code.DATA, new byte[] {1}));
    }

    private RawDelivery locked(String text) {
        send(queue, text);
        return session.receiver(queue).receiveOne();
    }

    @Test
    @DisplayName(
            "GEN-1, GEN-2, Wire 55: responses have an int status, a text and a map, and errors also have their condition")
    void envelopes() {
        assertEnvelope(
                management.call("com.microsoft:peek-message", map("from-sequence-number", 0L, "message-count", 1)),
                204);
        assertError(
                management.call("com.microsoft:renew-lock", map("lock-tokens", uuids(UUID.randomUUID()))),
                410,
                "com.microsoft:message-lock-lost");
        assertError(
                management.call("com.microsoft:cancel-scheduled-message", map("sequence-numbers", longs(4711))),
                404,
                "com.microsoft:message-not-found");
    }

    @Test
    @DisplayName("A tracking id of the request is returned (wire 6.1)")
    void trackingId() {
        RawMessage answer = management.send(
                map("operation", "com.microsoft:peek-message", "com.microsoft:tracking-id", "track"),
                map("from-sequence-number", 0L, "message-count", 1));
        assertThat(answer.applicationProperty("com.microsoft:tracking-id").text())
                .isEqualTo("track");
    }

    @Test
    @DisplayName("Wire 56: peek returns a list of maps with binaries, every state included, and respects the count")
    void peek() {
        send(queue, "deferred");
        RawLink receiver = session.receiver(queue);
        receiver.settle(receiver.receiveOne(), RawLink.modified(null, true, null));
        send(queue, "active");
        long last = schedule("scheduled", broker.now().plusSeconds(600));

        Node messages = peek(1, 10).get("messages");
        assertThat(messages.isList()).isTrue();
        assertThat(messages.items()).hasSize(3);
        long[] states = {1, 0, 2};
        String[] texts = {"deferred", "active", "scheduled"};
        for (int i = 0; i < 3; i++) {
            Node item = messages.at(i);
            assertThat(item.isMap()).isTrue();
            assertThat(item.get("message").isBinary()).isTrue();
            RawMessage message = RawMessage.parse(item.get("message").bytes());
            assertThat(message.dataText()).isEqualTo(texts[i]);
            assertThat(message.annotation("x-opt-message-state").isInt()).isTrue();
            assertThat(message.annotation("x-opt-message-state").number()).isEqualTo(states[i]);
            assertThat(message.sequenceNumber()).isEqualTo(numberBeside(last, i + 1L));
            assertThat(message.annotation("x-opt-enqueued-time").isTimestamp()).isTrue();
            assertThat(message.header().at(4).isNull()).isFalse();
        }
        assertThat(peek(last - 1, 1).get("messages").items()).hasSize(1);
        assertEnvelope(
                management.call(
                        "com.microsoft:peek-message", map("from-sequence-number", last + 1, "message-count", 1)),
                204);
    }

    @Test
    @DisplayName("Wire 56: peek with a session id shows only its messages")
    void peekOfASession() {
        RawLink sender = session.sender(queue);
        for (String group : new String[] {"a", "b", "a"}) {
            sender.sendAccepted(Wire.encode(
                    Wire.composite(Code.PROPERTIES, "m", null, null, null, null, null, null, null, null, null, group),
                    Wire.section(Code.DATA, new byte[] {1})));
        }
        Node body = management.call(
                "com.microsoft:peek-message",
                map("from-sequence-number", 0L, "message-count", 10, "session-id", "a"),
                200);
        assertThat(body.get("messages").items()).hasSize(2);
    }

    @Test
    @DisplayName("Wire 57, LOCK-13: renew returns an array of timestamps in order, or fails as a whole")
    void renew() {
        RawDelivery first = locked("a");
        RawDelivery second = locked("b");
        broker.advance(Duration.ofSeconds(30));
        Node body = management.call(
                "com.microsoft:renew-lock", map("lock-tokens", uuids(second.lockToken(), first.lockToken())), 200);
        Node expirations = body.get("expirations");
        assertThat(expirations.isArray()).isTrue();
        assertThat(expirations.items()).hasSize(2).allMatch(Node::isTimestamp);
        assertThat(expirations.at(0).number())
                .isEqualTo(broker.now().plusSeconds(60).toEpochMilli());

        broker.advance(Duration.ofSeconds(30));
        assertError(
                management.call(
                        "com.microsoft:renew-lock", map("lock-tokens", uuids(first.lockToken(), UUID.randomUUID()))),
                410,
                "com.microsoft:message-lock-lost");
        broker.advance(Duration.ofSeconds(30));
        assertThat(broker.counts(queue).locked())
                .as("end of the lock after a failed renewal")
                .isZero();
    }

    @Test
    @DisplayName("Wire 58: schedule returns an array of longs; cancel removes; canceling twice returns not found")
    void scheduleAndCancel() {
        byte[] message = scheduledIn(60);
        Node body = management.call(
                "com.microsoft:schedule-message",
                map(
                        "messages",
                        list(
                                map("message", message, "message-id", "a"),
                                map("message", message, "message-id", "b", "partition-key", "p"))),
                200);
        Node numbers = body.get("sequence-numbers");
        assertThat(numbers.isArray()).isTrue();
        assertThat(numbers.items()).hasSize(2).allMatch(Node::isLong);
        assertThat(broker.counts(queue).scheduled()).isEqualTo(2);

        long number = numbers.at(0).number();
        management.call("com.microsoft:cancel-scheduled-message", map("sequence-numbers", longs(number)), 200);
        assertThat(broker.counts(queue).scheduled()).isEqualTo(1);
        assertError(
                management.call("com.microsoft:cancel-scheduled-message", map("sequence-numbers", longs(number))),
                404,
                "com.microsoft:message-not-found");
    }

    @Test
    @DisplayName("Wire 58: several messages are all scheduled or none")
    void scheduleIsAllOrNone() {
        byte[] good = scheduledIn(60);
        byte[] bad = {1, 2, 3};
        RawMessage answer = management.call(
                "com.microsoft:schedule-message", map("messages", list(map("message", good), map("message", bad))));
        assertThat(answer.applicationProperty("statusCode").number()).isEqualTo(400);
        assertThat(broker.counts(queue).total()).isZero();
    }

    private long deferred(String text) {
        send(queue, text);
        RawLink receiver = session.receiver(queue);
        RawDelivery delivery = receiver.receiveOne();
        receiver.settle(delivery, RawLink.modified(null, true, null));
        return delivery.message().sequenceNumber();
    }

    @Test
    @DisplayName("Wire 59: receiving by number returns the token in the map and in the delivery annotations")
    void receiveDeferred() {
        long number = deferred("m");
        for (Object mode : new Object[] {uint(1), ubyte(1), 1}) {
            Node body = management.call(
                    "com.microsoft:receive-by-sequence-number",
                    map("sequence-numbers", longs(number), "receiver-settle-mode", mode),
                    200);
            Node item = body.get("messages").at(0);
            assertThat(item.get("lock-token").isUuid()).isTrue();
            RawMessage message = RawMessage.parse(item.get("message").bytes());
            assertThat(message.section(Code.DELIVERY_ANNOTATIONS)
                            .get("x-opt-lock-token")
                            .uuid())
                    .isEqualTo(item.get("lock-token").uuid());
            assertThat(message.annotation("x-opt-locked-until").isTimestamp()).isTrue();
            assertThat(message.dataText()).isEqualTo("m");
            assertError(
                    management.call(
                            "com.microsoft:receive-by-sequence-number",
                            map("sequence-numbers", longs(number), "receiver-settle-mode", mode)),
                    404,
                    "com.microsoft:message-not-found");
            management.call(
                    "com.microsoft:update-disposition",
                    map(
                            "disposition-status",
                            "abandoned",
                            "lock-tokens",
                            uuids(item.get("lock-token").uuid())),
                    200);
        }
        Node removed = management.call(
                "com.microsoft:receive-by-sequence-number",
                map("sequence-numbers", longs(number), "receiver-settle-mode", uint(0)),
                200);
        assertThat(removed.get("messages").at(0).get("lock-token").isNull()).isTrue();
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("DEFER-4: an empty list of numbers returns an empty response")
    void receiveNoNumbers() {
        RawMessage answer = management.call(
                "com.microsoft:receive-by-sequence-number",
                map("sequence-numbers", longs(), "receiver-settle-mode", uint(1)));
        assertThat(answer.applicationProperty("statusCode").number()).isIn(200L, 204L);
    }

    @Test
    @DisplayName("Wire 60: update-disposition knows the four outcomes, from another connection")
    void updateDisposition() {
        RawDelivery completed = locked("completed");
        RawDelivery abandoned = locked("abandoned");
        RawPeer second = keep(newPeer());
        RawRequests other = RawRequests.open(second.begin(), queue + "/$management");
        update(other, "completed", completed, Map.of());
        assertThat(broker.counts(queue).active()).isEqualTo(1);
        update(other, "abandoned", abandoned, map("properties-to-modify", map("a", 1)));
        RawLink receiver = session.receiver(queue);
        RawDelivery again = receiver.receiveOne();
        assertThat(again.message().deliveryCount()).isEqualTo(1);
        assertThat(again.message().applicationProperty("a").number()).isEqualTo(1);
        update(other, "defered", again, map("properties-to-modify", map("b", 2)));
        assertThat(broker.counts(queue).deferred()).isEqualTo(1);

        RawDelivery dead = locked("dead");
        update(other, "suspended", dead, map("deadletter-reason", "r", "deadletter-description", "d"));
        RawMessage found =
                session.receiver(queue + "/$DeadLetterQueue").receiveOne().message();
        assertThat(found.applicationProperty("DeadLetterReason").text()).isEqualTo("r");
        assertThat(found.applicationProperty("DeadLetterErrorDescription").text())
                .isEqualTo("d");
        assertError(
                other.call(
                        "com.microsoft:update-disposition",
                        map("disposition-status", "completed", "lock-tokens", uuids(dead.lockToken()))),
                410,
                "com.microsoft:message-lock-lost");
        RawMessage unknown = other.call(
                "com.microsoft:update-disposition",
                map("disposition-status", "forgotten", "lock-tokens", uuids(dead.lockToken())));
        assertThat(unknown.applicationProperty("statusCode").number()).isEqualTo(400);
    }

    private static void update(RawRequests management, String status, RawDelivery delivery, Map<?, ?> more) {
        Map<Object, Object> body = map("disposition-status", status, "lock-tokens", uuids(delivery.lockToken()));
        body.putAll(more);
        management.call("com.microsoft:update-disposition", body, 200);
    }

    @Test
    @DisplayName("LOCK-13: several tokens are all settled or none")
    void updateDispositionIsAllOrNone() {
        RawDelivery a = locked("a");
        RawDelivery b = locked("b");
        assertError(
                management.call(
                        "com.microsoft:update-disposition",
                        map(
                                "disposition-status",
                                "completed",
                                "lock-tokens",
                                uuids(a.lockToken(), UUID.randomUUID(), b.lockToken()))),
                410,
                "com.microsoft:message-lock-lost");
        assertThat(broker.counts(queue).locked()).isEqualTo(2);
        management.call(
                "com.microsoft:update-disposition",
                map("disposition-status", "completed", "lock-tokens", uuids(a.lockToken(), b.lockToken())),
                200);
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("Wire 61: the token of management is the GUID whose .NET bytes were the delivery tag")
    void lockTokenForms() {
        RawDelivery delivery = locked("m");
        byte[] tag = delivery.tag();
        UUID token = delivery.lockToken();
        byte[] rfc = Wire.encode(token); // format code, then the bytes in RFC order
        int[] order = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
        for (int i = 0; i < 16; i++) {
            assertThat(rfc[1 + i]).isEqualTo(tag[order[i]]);
        }
        management.call("com.microsoft:renew-lock", map("lock-tokens", uuids(token)), 200);
    }

    @Test
    @DisplayName("Wire 66: integers are accepted in any width")
    void integersOfAnyWidth() {
        send(queue, "m");
        for (Object count :
                new Object[] {1, 1L, uint(1), ulong(1), ubyte(1), (short) 1, (byte) 1, Wire.octets(0x54, 1)}) {
            for (Object from : new Object[] {0, 0L, uint(0), ulong(0), Wire.octets(0x44), Wire.octets(0x43)}) {
                Node body = management.call(
                        "com.microsoft:peek-message", map("from-sequence-number", from, "message-count", count), 200);
                assertThat(body.get("messages").items()).hasSize(1);
            }
        }
        for (Object timeout : new Object[] {30_000L, uint(30_000), ulong(30_000)}) {
            RawMessage answer = management.send(
                    map("operation", "com.microsoft:peek-message", "com.microsoft:server-timeout", timeout),
                    map("from-sequence-number", 0L, "message-count", 1));
            assertEnvelope(answer, 200);
        }
    }

    @Test
    @DisplayName("Wire 67: an unknown operation is 501")
    void unknownOperation() {
        assertError(management.call("com.microsoft:fly", map()), 501, "amqp:not-implemented");
    }

    @Test
    @DisplayName("Wire 68: equal message ids of two clients of one connection get their own responses")
    void equalMessageIds() {
        String other = broker.queue();
        send(queue, "mine");
        send(other, "theirs");
        RawSession second = peer.begin();
        RawRequests theirs = RawRequests.open(second, other + "/$management");
        Map<?, ?> operation = map("operation", "com.microsoft:peek-message");
        Map<?, ?> body = map("from-sequence-number", 0L, "message-count", 1);
        long one = management.post("same", management.replyTo(), operation, body);
        long two = theirs.post("same", theirs.replyTo(), operation, body);
        management.sender().expectAccepted(one);
        theirs.sender().expectAccepted(two);
        assertThat(textOf(management.receiver().receive().message())).isEqualTo("mine");
        assertThat(textOf(theirs.receiver().receive().message())).isEqualTo("theirs");
    }

    private static String textOf(RawMessage answer) {
        return RawMessage.parse(
                        answer.value().get("messages").at(0).get("message").bytes())
                .dataText();
    }

    @Test
    @DisplayName("Requests with missing or wrong arguments are 400, and the node still responds")
    void badArguments() {
        for (Object body : new Object[] {
            map(),
            map("from-sequence-number", "one", "message-count", 1),
            map("from-sequence-number", 0L, "message-count", -1),
            map("from-sequence-number", 0L, "message-count", list()),
            "no map",
            null
        }) {
            RawMessage answer = management.send(map("operation", "com.microsoft:peek-message"), body);
            assertEnvelope(answer, 400);
        }
        for (String operation : List.of(
                "com.microsoft:renew-lock",
                "com.microsoft:update-disposition",
                "com.microsoft:schedule-message",
                "com.microsoft:cancel-scheduled-message",
                "com.microsoft:receive-by-sequence-number",
                "com.microsoft:batch-delete-messages")) {
            assertThat(management
                            .call(operation, map("lock-tokens", "x", "messages", 5, "sequence-numbers", true))
                            .applicationProperty("statusCode")
                            .number())
                    .as(operation)
                    .isEqualTo(400);
        }
        assertThat(management
                        .send(map(), map())
                        .applicationProperty("statusCode")
                        .number())
                .as("missing operation")
                .isGreaterThanOrEqualTo(400);
        send(queue, "m");
        peek(0, 1);
    }

    @Test
    @DisplayName("SUSP-1: on a disabled queue settling is allowed, peeking and scheduling are not")
    void disabledQueue() {
        RawDelivery delivery = locked("m");
        broker.status(queue, EntityStatus.DISABLED);
        assertError(
                management.call("com.microsoft:peek-message", map("from-sequence-number", 0L, "message-count", 1)),
                400,
                "com.microsoft:entity-disabled");
        assertError(
                management.call(
                        "com.microsoft:schedule-message", map("messages", list(map("message", scheduledIn(60))))),
                400,
                "com.microsoft:entity-disabled");
        update(management, "completed", delivery, Map.of());
        assertThat(broker.counts(queue).total()).isZero();
    }
}
