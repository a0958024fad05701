package dev.jitney.conformance.wire;

import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.testing.amqp.Wire.list;
import static dev.jitney.testing.amqp.Wire.longs;
import static dev.jitney.testing.amqp.Wire.map;
import static dev.jitney.testing.amqp.Wire.sym;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.RawTest;
import dev.jitney.conformance.support.Subscription;
import dev.jitney.conformance.support.Topics;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityStatus;
import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.Node;
import dev.jitney.testing.amqp.RawDelivery;
import dev.jitney.testing.amqp.RawFrame;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawPeer;
import dev.jitney.testing.amqp.RawRequests;
import dev.jitney.testing.amqp.RawSession;
import dev.jitney.testing.amqp.RawSession.Attach;
import dev.jitney.testing.amqp.SasToken;
import dev.jitney.testing.amqp.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of links and management of topics and subscriptions (wire reference 3.1 and 6). */
class TopicsTest extends RawTest {
    private Topics topics;
    private String topic;
    private Subscription subscription;

    @BeforeEach
    void createTopic() {
        topics = broker.topics();
        topic = topics.create();
        subscription = topics.subscribe(topic);
    }

    private RawMessage receive(String address) {
        RawDelivery delivery = session.deletingReceiver(address).receiveOne();
        return delivery.message();
    }

    private static void assertRefused(RawLink link, String condition, String words) {
        RawFrame detach = link.awaitDetach();
        Node error = detach.field(2);
        assertThat(error.at(0).text()).isEqualTo(condition);
        assertThat(error.at(1).text()).contains(words).contains("TrackingId:");
    }

    private static void assertError(RawMessage answer, int status, String condition) {
        assertThat(answer.applicationProperty("statusCode").number())
                .as(answer.toString())
                .isEqualTo(status);
        assertThat(answer.applicationProperty("errorCondition").text()).isEqualTo(condition);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%s/Subscriptions/%s",
                "%s/subscriptions/%s",
                "/%s/SUBSCRIPTIONS/%s",
                "amqps://localhost/%s/Subscriptions/%s",
                "sb://localhost:5672/%s/subscriptions/%s"
            })
    @DisplayName("Wire 24: subscriptions are found under every form of their address")
    void addresses(String form) {
        session.sender(topic).sendAccepted(RawMessage.ofData("m"));
        String address = form.formatted(topic, subscription.name());
        assertThat(receive(address).dataText()).isEqualTo("m");
        session.receiver(address + "/$deadletterqueue");
        session.receiver(address + "/$Transfer/$DeadLetterQueue");
        RawRequests.open(session, address + "/$management");
        RawRequests.open(session, address + "/$DeadLetterQueue/$management");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/$DeadLetterQueue"})
    @DisplayName(
            "RECV-11, DLQ-1: a receiver on a topic or its dead-letter queue is rejected with an address to use instead")
    void receiversOnTopics(String subQueue) {
        RawLink link = session.tryReceiver(topic + subQueue);
        assertRefused(link, "amqp:not-allowed", "/Subscriptions/");
        assertThat(link.attachReply().field(5).isNull()).as("no source").isTrue();
        if (!subQueue.isEmpty()) {
            assertRefused(session.trySender(topic + subQueue + "/$management"), "amqp:not-allowed", "topic");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/$DeadLetterQueue", "/$Transfer/$DeadLetterQueue"})
    @DisplayName("Wire 3.1, DLQ-5: a sender to a subscription or its sub-queues is refused")
    void sendersToSubscriptions(String subQueue) {
        assertRefused(session.trySender(subscription.path() + subQueue), "amqp:not-allowed", "cannot be sent");
    }

    @Test
    @DisplayName("Wire 84: errors for missing topics and subscriptions contain the phrase that clients search for")
    void missing() {
        for (RawLink link : List.of(
                session.trySender("no-topic"),
                session.tryReceiver("no-topic/Subscriptions/s"),
                session.tryReceiver(topic + "/Subscriptions/none"),
                session.tryReceiver(topic + "/Subscriptions/none/$DeadLetterQueue"),
                session.trySender(topic + "/Subscriptions/none/$management"))) {
            Node error = link.awaitDetach().field(2);
            assertThat(error.at(0).text()).isEqualTo("amqp:not-found");
            assertThat(error.at(1).text()).containsPattern("The messaging entity '.*' could not be found");
        }
    }

    @Test
    @DisplayName("GEN-1: errors name topic and subscription as the cloud does")
    void trackers() {
        Node topicError = session.tryReceiver(topic).awaitDetach().field(2);
        assertThat(topicError.at(1).text()).contains(":Topic:" + topic + ",");
        Node subscriptionError =
                session.trySender(subscription.path()).awaitDetach().field(2);
        assertThat(subscriptionError.at(1).text()).contains(":Topic:" + topic + "|" + subscription.name() + ",");
    }

    @Test
    @DisplayName("Wire 3.2: a wrong entity-type is rejected, any other one is accepted")
    void entityTypes() {
        for (Object type : new Object[] {0, 1, 2, -1, "entity-mgmt", Wire.uint(1)}) {
            Attach sends =
                    new Attach(false, "send-" + type, topic).properties(map(sym("com.microsoft:entity-type"), type));
            Attach receives = new Attach(true, "receive-" + type, subscription.path())
                    .properties(map(sym("com.microsoft:entity-type"), type));
            judge(sends, topic, !Set.<Object>of(0, 2).contains(type));
            judge(
                    receives,
                    subscription.path(),
                    Set.<Object>of(2, -1, "entity-mgmt").contains(type));
        }
    }

    private void judge(Attach attach, String path, boolean accepted) {
        RawLink link = session.attach(attach);
        if (accepted) {
            link.expectAttached();
        } else {
            assertRefused(link, "amqp:not-allowed", path);
        }
    }

    @Test
    @DisplayName("SUSP-2: a disabled topic rejects new and existing senders; its subscriptions allow receives")
    void disabledTopic() {
        RawLink sender = session.sender(topic);
        sender.sendAccepted(RawMessage.ofData("before"));
        for (EntityStatus status : List.of(EntityStatus.DISABLED, EntityStatus.SEND_DISABLED)) {
            topics.update(topic, t -> t.status(status));
            assertRefused(session.trySender(topic), "com.microsoft:entity-disabled", topic);
            assertThat(sender.awaitRejection(sender.send(RawMessage.ofData("refused")))
                            .at(0)
                            .text())
                    .isEqualTo("com.microsoft:entity-disabled");
        }
        assertThat(receive(subscription.path()).dataText()).isEqualTo("before");
        topics.update(topic, t -> t.status(EntityStatus.ACTIVE));
        sender.sendAccepted(RawMessage.ofData("after"));
        assertThat(receive(subscription.path()).dataText()).isEqualTo("after");
    }

    @Test
    @DisplayName("SUSP-3: a disabled subscription rejects receivers and still gets messages")
    void disabledSubscription() {
        for (EntityStatus status : List.of(EntityStatus.DISABLED, EntityStatus.RECEIVE_DISABLED)) {
            topics.update(subscription, s -> s.status(status));
            assertRefused(
                    session.tryReceiver(subscription.path()), "com.microsoft:entity-disabled", subscription.name());
            assertRefused( // SUSP-6
                    session.tryReceiver(subscription.deadLetterPath()),
                    "com.microsoft:entity-disabled",
                    subscription.name());
            session.sender(topic).sendAccepted(inOrder(status.name(), status.name()));
        }
        topics.update(subscription, s -> s.status(EntityStatus.ACTIVE));
        assertThat(receive(subscription.path()).dataText()).isEqualTo("DISABLED");
        assertThat(receive(subscription.path()).dataText()).isEqualTo("RECEIVE_DISABLED");
    }

    private static byte[] scheduled(String text, Duration in) {
        return Wire.encode(
                Wire.section(
                        Code.MESSAGE_ANNOTATIONS,
                        map(sym("x-opt-scheduled-enqueue-time"), broker.now().plus(in))),
                Wire.composite(Code.PROPERTIES, text),
                Wire.section(Code.DATA, text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    @DisplayName("SCHED-7, SCHED-8, CNT-2: a topic schedules, shows and cancels; subscriptions do not show the message")
    void topicManagement() {
        RawRequests management = RawRequests.open(session, topic + "/$management");
        Node numbers = management
                .call(
                        "com.microsoft:schedule-message",
                        map(
                                "messages",
                                list(
                                        map("message", scheduled("a", Duration.ofMinutes(5)), "message-id", "a"),
                                        map("message", scheduled("b", Duration.ofMinutes(5)), "message-id", "b"))),
                        200)
                .get("sequence-numbers");
        assertThat(numbers.items()).hasSize(2);
        assertThat(broker.counts(topic).scheduled()).isEqualTo(2);
        Node peeked = management
                .call("com.microsoft:peek-message", map("from-sequence-number", 0L, "message-count", 10), 200)
                .get("messages");
        assertThat(peeked.items()).hasSize(2);
        RawMessage first = RawMessage.parse(peeked.at(0).get("message").bytes());
        assertThat(first.dataText()).isEqualTo("a");
        assertThat(first.annotation("x-opt-message-state").number()).isEqualTo(2);
        RawRequests ofSubscription = RawRequests.open(session, subscription.path() + "/$management");
        ofSubscription.call("com.microsoft:peek-message", map("from-sequence-number", 0L, "message-count", 10), 204);
        management.call(
                "com.microsoft:cancel-scheduled-message",
                map("sequence-numbers", longs(numbers.at(0).number())),
                200);
        assertError(
                management.call(
                        "com.microsoft:cancel-scheduled-message",
                        map("sequence-numbers", longs(numbers.at(0).number()))),
                404,
                "com.microsoft:message-not-found");
        broker.advance(Duration.ofMinutes(5));
        assertThat(receive(subscription.path()).dataText()).isEqualTo("b");
        assertThat(session.receiver(subscription.path()).drain(1)).isEmpty();
    }

    @Test
    @DisplayName("SUSP-2: a disabled topic rejects schedule and cancel requests, but shows scheduled messages")
    void disabledTopicManagement() {
        RawRequests management = RawRequests.open(session, topic + "/$management");
        long number = management
                .call(
                        "com.microsoft:schedule-message",
                        map("messages", list(map("message", scheduled("a", Duration.ofMinutes(5)), "message-id", "a"))),
                        200)
                .get("sequence-numbers")
                .at(0)
                .number();
        topics.update(topic, t -> t.status(EntityStatus.DISABLED));
        assertThat(management
                        .call("com.microsoft:peek-message", map("from-sequence-number", 0L, "message-count", 10), 200)
                        .get("messages")
                        .items())
                .hasSize(1);
        assertError(
                management.call("com.microsoft:cancel-scheduled-message", map("sequence-numbers", longs(number))),
                400,
                "com.microsoft:entity-disabled");
        assertError(
                management.call(
                        "com.microsoft:schedule-message",
                        map("messages", list(map("message", scheduled("b", Duration.ofMinutes(5)))))),
                400,
                "com.microsoft:entity-disabled");
    }

    @Test
    @DisplayName("Wire 40: every kind of body and value reaches every subscription byte by byte")
    void octetByOctet() {
        Subscription other = topics.subscribe(topic);
        Object properties = Wire.section(
                Code.APPLICATION_PROPERTIES,
                map(
                        "uuid",
                        UUID.randomUUID(),
                        "char",
                        'x',
                        "ulong",
                        Wire.ulong(-1),
                        "null",
                        null,
                        "time",
                        broker.now()));
        RawLink sender = session.sender(topic);
        for (Object[] body : new Object[][] {
            {Wire.section(Code.DATA, new byte[] {1}), Wire.section(Code.DATA, new byte[] {2, 3})},
            {Wire.section(Code.SEQUENCE, list(1, "two", null)), Wire.section(Code.SEQUENCE, list(3L))},
            {Wire.section(Code.VALUE, map("a", list(1, 2), sym("b"), 2.5))},
            {}
        }) {
            Object[] sections = new Object[body.length + 1];
            sections[0] = properties;
            System.arraycopy(body, 0, sections, 1, body.length);
            sender.sendAccepted(Wire.encode(sections));
            for (Subscription subscription : List.of(this.subscription, other)) {
                RawMessage copy = receive(subscription.path());
                assertThat(copy.bodyOctets()).isEqualTo(Wire.encode(body));
                assertThat(copy.applicationPropertiesOctets()).isEqualTo(Wire.encode(properties));
            }
        }
    }

    @Test
    @DisplayName("Wire 41, 46, MSG-2: a batch, a large message and settled transfers are published like any other")
    void allWaysOfSending() {
        Subscription other = topics.subscribe(topic);
        RawLink sender = session.sender(topic);
        sender.expectAccepted(sender.sendBatch(Wire.encode(
                Wire.section(Code.DATA, inOrder("1", "one")), Wire.section(Code.DATA, inOrder("2", "two")))));
        sender.sendSettled(inOrder("3", "three"));
        String large = "x".repeat(200_000);
        sender.sendAccepted(inOrder("4", large));
        for (Subscription subscription : List.of(this.subscription, other)) {
            RawLink receiver = session.deletingReceiver(subscription.path());
            for (String text : List.of("one", "two", "three", large)) {
                assertThat(receiver.receiveOne().message().dataText()).isEqualTo(text);
            }
        }
    }

    @Test
    @DisplayName("RECV-11: a topic rejects requests to receive, settle, renew or delete")
    void refusedOnTopics() {
        RawRequests management = RawRequests.open(session, topic + "/$management");
        UUID token = UUID.randomUUID();
        assertError(
                management.call("com.microsoft:renew-lock", map("lock-tokens", Wire.uuids(token))),
                400,
                "amqp:not-allowed");
        assertError(
                management.call(
                        "com.microsoft:update-disposition",
                        map("disposition-status", "completed", "lock-tokens", Wire.uuids(token))),
                400,
                "amqp:not-allowed");
        assertError(
                management.call(
                        "com.microsoft:receive-by-sequence-number",
                        map("sequence-numbers", longs(1), "receiver-settle-mode", Wire.uint(1))),
                400,
                "amqp:not-allowed");
        assertError(
                management.call(
                        "com.microsoft:batch-delete-messages",
                        map("message-count", 1, "enqueued-time-utc", broker.now())),
                400,
                "amqp:not-allowed");
        assertError(
                management.call("com.microsoft:get-session-state", map("session-id", "s")), 400, "amqp:not-allowed");
    }

    @Test
    @DisplayName("Wire 3.1: a subscription rejects schedule and cancel requests")
    void refusedOnSubscriptions() {
        RawRequests management = RawRequests.open(session, subscription.path() + "/$management");
        assertError(
                management.call(
                        "com.microsoft:schedule-message",
                        map("messages", list(map("message", scheduled("a", Duration.ofMinutes(1)))))),
                400,
                "amqp:not-allowed");
        assertError(
                management.call("com.microsoft:cancel-scheduled-message", map("sequence-numbers", longs(1))),
                400,
                "amqp:not-allowed");
    }

    @Test
    @DisplayName(
            "Wire 57, 60: locks of a subscription and of its dead-letter queue are renewed and settled over management")
    void subscriptionManagement() {
        session.sender(topic).sendAccepted(RawMessage.ofData("m"));
        RawDelivery delivery = session.receiver(subscription.path()).receiveOne();
        RawRequests management = RawRequests.open(session, subscription.path() + "/$management");
        Node renewed =
                management.call("com.microsoft:renew-lock", map("lock-tokens", Wire.uuids(delivery.lockToken())), 200);
        assertThat(renewed.get("expirations").isArray()).isTrue();
        management.call(
                "com.microsoft:update-disposition",
                map(
                        "disposition-status",
                        "suspended",
                        "lock-tokens",
                        Wire.uuids(delivery.lockToken()),
                        "deadletter-reason",
                        "why"),
                200);
        RawDelivery dead = session.receiver(subscription.deadLetterPath()).receiveOne();
        assertThat(dead.message().applicationProperty("DeadLetterReason").text())
                .isEqualTo("why");
        RawRequests ofDeadLetters = RawRequests.open(session, subscription.deadLetterPath() + "/$management");
        ofDeadLetters.call(
                "com.microsoft:update-disposition",
                map("disposition-status", "completed", "lock-tokens", Wire.uuids(dead.lockToken())),
                200);
        assertThat(broker.counts(subscription.path()).deadLetter()).isZero();
    }

    @Test
    @DisplayName("Wire 86, IDLE-13: deleting a topic detaches its senders and the receivers of its subscriptions")
    void deletedTopic() {
        RawLink sender = session.sender(topic);
        RawLink receiver = session.receiver(subscription.path());
        receiver.credit(1);
        broker.delete(topic);
        assertThat(receiver.awaitDetachCondition()).isEqualTo("amqp:link:detach-forced");
        sender.send(RawMessage.ofData("m"));
        assertThat(sender.awaitDetachCondition()).isEqualTo("amqp:link:detach-forced");
        assertThat(session.trySender(topic).awaitDetachCondition()).isEqualTo("amqp:not-found");
        assertThat(session.tryReceiver(subscription.path()).awaitDetachCondition())
                .isEqualTo("amqp:not-found");
    }

    @Test
    @DisplayName("DLQ-28: a session receiver on a dead-letter queue or a plain subscription is not allowed")
    void sessionReceivers() {
        Subscription withSessions = topics.subscribe(topic, s -> s.requiresSession(true));
        for (String address : List.of(subscription.path(), withSessions.deadLetterPath())) {
            RawLink link = session.attach(new Attach(true, "session " + address, address)
                    .rawSource(Wire.composite(
                            0x28,
                            address,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            map(sym("com.microsoft:session-filter"), "s"))));
            assertRefused(link, "amqp:not-allowed", "does not require sessions");
        }
    }

    // Rights

    private RawSession as(String rule, String audience) {
        RawPeer other = keep(RawPeer.anonymous(broker.amqpPort()));
        String uri = "sb://localhost/" + audience;
        RawMessage answer = other.putToken(
                uri,
                SasToken.create(
                        uri, rule, rule + "-key", broker.now().plusSeconds(300).getEpochSecond()));
        assertThat(answer.applicationProperty("status-code").number())
                .as(answer.toString())
                .isEqualTo(202);
        return other.begin();
    }

    private String guardedTopic() {
        return topics.create(t -> t.accessRules(List.of(
                new AccessRule("manager", EnumSet.allOf(AccessRight.class), "manager-key", null),
                new AccessRule("sender", EnumSet.of(AccessRight.SEND), "sender-key", null),
                new AccessRule("listener", EnumSet.of(AccessRight.LISTEN), "listener-key", null))));
    }

    @Test
    @DisplayName(
            "ENT-4: Send on the topic sends, Listen on topic or subscription receives, and not the other way round")
    void rights() {
        String guarded = guardedTopic();
        Subscription guardedSubscription = topics.subscribe(guarded);
        RawSession sending = as("sender", guarded);
        sending.sender(guarded).sendAccepted(RawMessage.ofData("1"));
        assertRefused(sending.tryReceiver(guardedSubscription.path()), "amqp:unauthorized-access", "Listen");
        for (String audience : List.of(guarded, guardedSubscription.path())) {
            RawSession listening = as("listener", audience);
            listening.receiver(guardedSubscription.path()).drain(1);
            assertRefused(listening.trySender(guarded), "amqp:unauthorized-access", "Send");
        }
        RawSession ofOne = as("listener", guardedSubscription.path());
        assertRefused(ofOne.tryReceiver(topics.subscribe(guarded).path()), "amqp:unauthorized-access", "Listen");
    }

    @Test
    @DisplayName("RULE-14: rules need Manage, or Listen on that subscription; Send is not enough")
    void rightsForRules() {
        String guarded = guardedTopic();
        Subscription guardedSubscription = topics.subscribe(guarded);
        String node = guardedSubscription.path() + "/$management";
        RawRequests bySender = RawRequests.open(as("sender", guarded), node);
        for (RawMessage answer : List.of(
                bySender.call("com.microsoft:add-rule", map()),
                bySender.call("com.microsoft:remove-rule", map("rule-name", "$Default")),
                bySender.call("com.microsoft:enumerate-rules", map("top", 1, "skip", 0)))) {
            assertError(answer, 401, "amqp:unauthorized-access");
            assertThat(answer.applicationProperty("statusDescription").text()).contains("Listen");
        }
        for (String[] who :
                new String[][] {{"listener", guardedSubscription.path()}, {"listener", guarded}, {"manager", guarded}
                }) {
            RawRequests allowed = RawRequests.open(as(who[0], who[1]), node);
            allowed.call(
                    "com.microsoft:add-rule",
                    map("rule-name", "r", "rule-description", map("sql-filter", map("expression", "1=1"))),
                    200);
            allowed.call("com.microsoft:enumerate-rules", map("top", 1, "skip", 0), 200);
            allowed.call("com.microsoft:remove-rule", map("rule-name", "r"), 200);
        }
    }
}
