package dev.jitney.conformance.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.RawTest;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.Node;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawPeer;
import dev.jitney.testing.amqp.RawRequests;
import dev.jitney.testing.amqp.RawSession;
import dev.jitney.testing.amqp.SasToken;
import dev.jitney.testing.amqp.Wire;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of tokens over AMQP (checklist 15 to 23). */
class CbsTest extends RawTest {
    private RawPeer anonymous;

    @BeforeEach
    void connectWithoutRights() {
        anonymous = keep(RawPeer.anonymous(broker.amqpPort()));
    }

    private static String token(String resource) {
        return token(resource, TestBroker.RULE, TestBroker.KEY, Duration.ofMinutes(20));
    }

    private static String token(String resource, String rule, String key, Duration life) {
        return SasToken.create(resource, rule, key, broker.now().plus(life).getEpochSecond());
    }

    private static Map<?, ?> putToken(String audience) {
        return Wire.map("operation", "put-token", "type", "servicebus.windows.net:sastoken", "name", audience);
    }

    private static void assertTaken(RawMessage answer) {
        Node code = answer.applicationProperty("status-code");
        assertThat(code.isInt()).as(answer.toString()).isTrue();
        assertThat(code.number()).as(answer.toString()).isIn(200L, 202L);
        assertThat(answer.applicationProperty("status-description").isString()).isTrue();
    }

    private static void assertRefused(RawMessage answer, int status, String condition) {
        assertThat(answer.applicationProperty("status-code").isInt()).isTrue();
        assertThat(answer.applicationProperty("status-code").number())
                .as(answer.toString())
                .isEqualTo(status);
        assertThat(answer.applicationProperty("error-condition").isSymbol())
                .as(answer.toString())
                .isTrue();
        assertThat(answer.applicationProperty("error-condition").text()).isEqualTo(condition);
        assertThat(answer.applicationProperty("status-description").text()).isNotEmpty();
    }

    @Test
    @DisplayName("Wire 15: the answer's correlation id has the type of the request's message id")
    void correlationIdKeepsItsType() {
        RawRequests cbs = RawRequests.open(anonymous.begin(), "$cbs");
        for (Object id : List.of(Wire.ulong(7), "request", UUID.randomUUID(), new byte[] {1, 2, 3})) {
            RawMessage answer = cbs.send(id, cbs.replyTo(), putToken("sb://localhost/"), token("sb://localhost/"));
            assertTaken(answer);
            Node sent = Node.of(Wire.encode(id));
            Node correlationId = answer.properties().at(5);
            if (sent.isBinary()) {
                assertThat(correlationId.bytes()).isEqualTo(sent.bytes());
            } else {
                assertThat(correlationId.value()).isEqualTo(sent.value());
            }
            assertThat(typeOf(correlationId)).isEqualTo(typeOf(sent));
            assertThat(answer.properties().at(2).text()).as("to").isEqualTo(cbs.replyTo());
        }
    }

    private static String typeOf(Node node) {
        return switch (node.code()) {
            case 0x80, 0x53, 0x44 -> "ulong";
            case 0xa1, 0xb1 -> "string";
            case 0x98 -> "uuid";
            case 0xa0, 0xb0 -> "binary";
            default -> "0x" + Integer.toHexString(node.code());
        };
    }

    @Test
    @DisplayName("Wire 16: without reply-to the receiver of the same session gets the answer")
    void withoutReplyTo() {
        RawSession session = anonymous.begin();
        RawLink sender = session.sender("$cbs");
        RawLink receiver =
                session.attach(new RawSession.Attach(true, UUID.randomUUID().toString(), "$cbs")
                        .source("$cbs")
                        .target("$cbs")
                        .settleModes(0, 0));
        receiver.expectAttached();
        sender.expectAccepted(sender.send(request(Wire.ulong(0), null)));
        receiver.credit(1);
        assertTaken(receiver.receive().message());
    }

    @Test
    @DisplayName("Wire 16: a reply-to that is only the receiver's link name finds it; its target has no address")
    void replyToIsTheLinkName() {
        RawSession session = anonymous.begin();
        RawLink receiver = session.attach(new RawSession.Attach(true, "cbs-by-name", "$cbs")
                .source("$cbs")
                .target(null)
                .settleModes(0, 0));
        receiver.expectAttached();
        receiver.credit(10);
        RawLink sender = session.sender("$cbs");
        sender.expectAccepted(sender.send(request("id", "cbs-by-name")));
        assertTaken(receiver.receive().message());
    }

    @Test
    @DisplayName("Wire 16: two connections with the same reply address get their own responses")
    void connectionsDoNotCross() {
        RawPeer second = keep(RawPeer.anonymous(broker.amqpPort()));
        RawLink[] senders = new RawLink[2];
        RawLink[] receivers = new RawLink[2];
        int i = 0;
        for (RawPeer peer : new RawPeer[] {anonymous, second}) {
            RawSession session = peer.begin();
            receivers[i] = session.attach(new RawSession.Attach(true, "cbs:receiver", "$cbs")
                    .source("$cbs")
                    .target("cbs-client-reply-to")
                    .settleModes(1, 0));
            receivers[i].expectAttached();
            receivers[i].credit(1);
            senders[i++] = session.sender("$cbs");
        }
        senders[0].expectAccepted(senders[0].send(request("first", "cbs-client-reply-to")));
        senders[1].expectAccepted(senders[1].send(request("second", "cbs-client-reply-to")));
        assertThat(receivers[0].receive().message().properties().at(5).text()).isEqualTo("first");
        assertThat(receivers[1].receive().message().properties().at(5).text()).isEqualTo("second");
    }

    private static byte[] request(Object id, String replyTo) {
        return Wire.encode(
                Wire.composite(Code.PROPERTIES, id, null, null, null, replyTo),
                Wire.section(Code.APPLICATION_PROPERTIES, putToken("sb://localhost/")),
                Wire.section(Code.VALUE, token("sb://localhost/")));
    }

    @Test
    @DisplayName("Wire 17: the halves of the pair may be on different sessions, as the older Java library has them")
    void splitSessions() {
        RawRequests cbs = RawRequests.open(anonymous.begin(), anonymous.begin(), "$cbs");
        assertTaken(cbs.send(putToken("amqp://localhost/"), token("amqp://localhost/")));
        String queue = broker.queue();
        send(queue, "m");
        RawRequests management = RawRequests.open(anonymous.begin(), anonymous.begin(), queue + "/$management");
        Node body = management.call(
                "com.microsoft:peek-message", Wire.map("from-sequence-number", 0L, "message-count", 1), 200);
        assertThat(body.get("messages").items()).hasSize(1);
    }

    @Test
    @DisplayName("An answer waits for credit (wire 2.1)")
    void answerWaitsForCredit() {
        RawSession session = anonymous.begin();
        RawLink receiver = session.attach(new RawSession.Attach(true, "late-credit", "$cbs")
                .source("$cbs")
                .target("late-reply-to")
                .settleModes(1, 0));
        receiver.expectAttached();
        RawLink sender = session.sender("$cbs");
        sender.expectAccepted(sender.send(request("late", "late-reply-to")));
        receiver.credit(1);
        assertTaken(receiver.receive().message());
    }

    @Test
    @DisplayName("Wire 19: audiences of every form are accepted")
    void audiences() {
        String queue = broker.queue();
        RawRequests cbs = RawRequests.open(anonymous.begin(), "$cbs");
        for (String audience : List.of(
                "amqp://localhost/" + queue,
                "amqps://localhost/" + queue,
                "sb://localhost/" + queue,
                "sb://localhost:5672/" + queue,
                "sb://localhost/" + queue + "/",
                "sb://localhost/" + queue + "/$management",
                "sb://LOCALHOST/" + queue.toUpperCase(java.util.Locale.ROOT),
                "sb://localhost/" + queue + "/$DeadLetterQueue")) {
            assertTaken(cbs.send(putToken(audience), token("sb://localhost/" + queue)));
            assertTaken(cbs.send(putToken(audience), token("https://localhost/")));
        }
    }

    @Test
    @DisplayName("Wire 20: a wrong signature, an unknown rule and an expired token are 401")
    void badTokens() {
        String queue = broker.queue();
        String audience = "sb://localhost/" + queue;
        RawRequests cbs = RawRequests.open(anonymous.begin(), "$cbs");
        for (String bad : List.of(
                token(audience, TestBroker.RULE, "another key", Duration.ofMinutes(1)),
                token(audience, "nobody", TestBroker.KEY, Duration.ofMinutes(1)),
                token(audience, TestBroker.RULE, TestBroker.KEY, Duration.ofMinutes(-20)),
                token("sb://localhost/other", TestBroker.RULE, TestBroker.KEY, Duration.ofMinutes(1)))) {
            assertRefused(cbs.send(putToken(audience), bad), 401, "com.microsoft:auth-failed");
        }
        for (String malformed :
                List.of("", "nonsense", "SharedAccessSignature", "SharedAccessSignature sr=&sig=&se=&skn=")) {
            RawMessage answer = cbs.send(putToken(audience), malformed);
            assertThat(answer.applicationProperty("status-code").number()).isIn(400L, 401L);
        }
        assertThat(anonymous.begin().trySender(queue).awaitDetachCondition()).isEqualTo("amqp:unauthorized-access");
    }

    @Test
    @DisplayName("Wire 20: an audience that names no entity is 404 with the phrase clients look for")
    void unknownEntity() {
        RawRequests cbs = RawRequests.open(anonymous.begin(), "$cbs");
        RawMessage answer = cbs.send(putToken("sb://localhost/nothing-here"), token("sb://localhost/"));
        assertThat(answer.applicationProperty("status-code").number()).isEqualTo(404);
        assertThat(answer.applicationProperty("status-description").text())
                .containsPattern("The messaging entity '.*' could not be found");
    }

    @Test
    @DisplayName("Wire 21: expiration may be given or absent")
    void expirationIsOptional() {
        RawRequests cbs = RawRequests.open(anonymous.begin(), "$cbs");
        assertTaken(cbs.send(
                Wire.map(
                        "operation", "put-token",
                        "type", "servicebus.windows.net:sastoken",
                        "name", "sb://localhost/",
                        "expiration", broker.now().plusSeconds(600),
                        "com.microsoft:server-timeout", 30_000L),
                token("sb://localhost/")));
    }

    @Test
    @DisplayName("Malformed requests to $cbs are answered with 400 or more and leave the connection working")
    void malformedRequests() {
        RawRequests cbs = RawRequests.open(anonymous.begin(), "$cbs");
        for (Map<?, ?> request : List.<Map<?, ?>>of(
                Wire.map("operation", "unknown"),
                Wire.map("type", "servicebus.windows.net:sastoken", "name", "sb://localhost/"),
                Wire.map("operation", "put-token", "type", "unknown:type", "name", "sb://localhost/"),
                Wire.map("operation", 4711, "type", true, "name", List.of()))) {
            RawMessage answer = cbs.send(request, token("sb://localhost/"));
            assertThat(answer.applicationProperty("status-code").number())
                    .as(answer.toString())
                    .isGreaterThanOrEqualTo(400);
        }
        assertThat(cbs.send(putToken("sb://localhost/"), 4711)
                        .applicationProperty("status-code")
                        .number())
                .isGreaterThanOrEqualTo(400);
        assertTaken(cbs.send(putToken("sb://localhost/"), token("sb://localhost/")));
    }

    @Test
    @DisplayName("Wire 22: without a token every link that carries messages is refused as unauthorized")
    void withoutAToken() {
        String queue = broker.queue();
        RawSession session = anonymous.begin();
        assertThat(session.trySender(queue).awaitDetachCondition()).isEqualTo("amqp:unauthorized-access");
        assertThat(session.tryReceiver(queue).awaitDetachCondition()).isEqualTo("amqp:unauthorized-access");
    }

    @Test
    @DisplayName("Wire 22: management links attach before the token, and each request needs the claim")
    void managementBeforeTheToken() {
        String queue = broker.queue();
        RawRequests management = RawRequests.open(anonymous.begin(), queue + "/$management");
        Map<?, ?> peek = Wire.map("from-sequence-number", 1L, "message-count", 1);
        RawMessage refused = management.call("com.microsoft:peek-message", peek);
        assertThat(refused.applicationProperty("statusCode").number()).isEqualTo(401);
        assertThat(refused.applicationProperty("errorCondition").text()).isEqualTo("amqp:unauthorized-access");
        assertTaken(anonymous.putToken("sb://localhost/" + queue, token("sb://localhost/" + queue)));
        management.call("com.microsoft:peek-message", peek, 204);
    }

    @Test
    @DisplayName("Wire 22, ENT-4: a rule of the queue that may send may not receive, and the other way round")
    void rightsAreSeparate() {
        String queue = broker.queue(q -> q.accessRules(List.of(
                new AccessRule("sender", EnumSet.of(AccessRight.SEND), "send-key", null),
                new AccessRule("listener", EnumSet.of(AccessRight.LISTEN), "old-key", "listen-key"))));
        String audience = "sb://localhost/" + queue;

        assertTaken(anonymous.putToken(audience, token(audience, "sender", "send-key", Duration.ofMinutes(5))));
        RawSession sending = anonymous.begin();
        sending.sender(queue).sendAccepted(RawMessage.ofData("m"));
        RawLink refused = sending.tryReceiver(queue);
        Node error = refused.awaitDetach().field(2);
        assertThat(error.at(0).text()).isEqualTo("amqp:unauthorized-access");
        assertThat(error.at(1).text()).contains("Listen");

        RawPeer listener = keep(RawPeer.anonymous(broker.amqpPort()));
        assertTaken(listener.putToken(audience, token(audience, "listener", "listen-key", Duration.ofMinutes(5))));
        RawSession listening = listener.begin();
        assertThat(listening.receiver(queue).receiveOne().message().dataText()).isEqualTo("m");
        assertThat(listening.trySender(queue).awaitDetachCondition()).isEqualTo("amqp:unauthorized-access");
        assertThat(listening.tryReceiver(broker.queue()).awaitDetachCondition())
                .as("a rule of one queue does not apply to another one")
                .isEqualTo("amqp:unauthorized-access");
    }

    @Test
    @DisplayName("ENT-4: over management, scheduling needs Send and settling needs Listen")
    void managementNeedsRights() {
        String queue = broker.queue(
                q -> q.accessRules(List.of(new AccessRule("sender", EnumSet.of(AccessRight.SEND), "send-key", null))));
        String audience = "sb://localhost/" + queue;
        assertTaken(anonymous.putToken(audience, token(audience, "sender", "send-key", Duration.ofMinutes(5))));
        RawRequests management = RawRequests.open(anonymous.begin(), queue + "/$management");
        RawMessage answer =
                management.call("com.microsoft:renew-lock", Wire.map("lock-tokens", Wire.uuids(UUID.randomUUID())));
        assertThat(answer.applicationProperty("statusCode").number()).isEqualTo(401);
        assertThat(answer.applicationProperty("errorCondition").text()).isEqualTo("amqp:unauthorized-access");
    }

    @Test
    @DisplayName("Wire 23: the end of a token detaches its links; a renewed token keeps them")
    void expiredTokenDetachesLinks() {
        String kept = broker.queue();
        String lost = broker.queue();
        for (String queue : List.of(kept, lost)) {
            String audience = "sb://localhost/" + queue;
            assertTaken(anonymous.putToken(
                    audience, token(audience, TestBroker.RULE, TestBroker.KEY, Duration.ofMinutes(5))));
        }
        RawSession session = anonymous.begin();
        RawLink keptLink = session.sender(kept);
        RawLink lostLink = session.receiver(lost);
        lostLink.credit(1);
        String audience = "sb://localhost/" + kept;
        assertTaken(
                anonymous.putToken(audience, token(audience, TestBroker.RULE, TestBroker.KEY, Duration.ofMinutes(30))));

        broker.advance(Duration.ofMinutes(6));

        Node error = lostLink.awaitDetach(Duration.ofSeconds(100)).field(2);
        assertThat(error.at(0).text()).isEqualTo("amqp:link:detach-forced");
        keptLink.sendAccepted(RawMessage.ofData("still allowed"));
        assertThat(session.tryReceiver(lost).awaitDetachCondition()).isEqualTo("amqp:unauthorized-access");
    }
}
