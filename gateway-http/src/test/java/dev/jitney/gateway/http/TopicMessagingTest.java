package dev.jitney.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.SqlRuleAction;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.Transaction;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP reference chapter 3 for topics and subscriptions, over a real listener and a whole broker. */
class TopicMessagingTest {
    private static final String RED = "events/subscriptions/red";
    private static final String ALL = "events/subscriptions/all";

    private final TestBroker broker = new TestBroker();
    private final Namespace namespace = broker.broker.namespace(null);
    private HttpGateway gateway;
    private HttpMessages http;

    @BeforeEach
    void start() throws Exception {
        gateway = HttpGateway.start(
                new HttpGatewayOptions("127.0.0.1", 0, null, null), broker.broker, () -> null, new RecordingTunnels());
        http = new HttpMessages(gateway.httpPort());
        topic("events", t -> t);
        subscription("events", "all", s -> s, RuleDescription.takeEverything());
        subscription("events", "red", s -> s, sql("red", "color = 'red'", null));
    }

    @AfterEach
    void stop() {
        gateway.close();
        broker.close();
    }

    // Publishing

    @Test
    @DisplayName("HTTP 71, 77: a message to a topic reaches every subscription with a matching rule")
    void publishes() throws Exception {
        assertThat(http.send(
                                "events",
                                "hello",
                                "Content-Type",
                                "text/plain",
                                "BrokerProperties",
                                "{\"MessageId\":\"m1\",\"Label\":\"L\"}",
                                "color",
                                "\"red\"")
                        .statusCode())
                .isEqualTo(201);
        assertThat(http.send("EVENTS", "other", "color", "\"blue\"").statusCode())
                .isEqualTo(201);

        HttpResponse<String> red = http.remove(RED, 30);
        assertThat(red.statusCode()).isEqualTo(200);
        assertThat(red.body()).isEqualTo("hello");
        assertThat(red.headers().firstValue("Content-Type")).hasValue("text/plain");
        assertThat(red.headers().firstValue("color")).hasValue("\"red\"");
        assertThat(properties(red).get("MessageId").textValue()).isEqualTo("m1");
        assertThat(properties(red).get("Label").textValue()).isEqualTo("L");
        assertThat(http.remove(RED, 0).statusCode()).isEqualTo(204);

        assertThat(http.remove(ALL, 30).body()).isEqualTo("hello");
        assertThat(http.remove("Events/SUBSCRIPTIONS/All", 30).body()).isEqualTo("other");
        assertThat(http.remove(ALL, 0).statusCode()).isEqualTo(204);
    }

    @Test
    @DisplayName("HTTP 76: a batch to a topic is distributed message by message, all or none")
    void publishesBatches() throws Exception {
        assertThat(http.batch(
                                "events",
                                "[{\"Body\":\"1\",\"UserProperties\":{\"color\":\"red\"}},"
                                        + "{\"Body\":\"2\",\"UserProperties\":{\"color\":\"blue\"}},"
                                        + "{\"Body\":\"3\",\"UserProperties\":{\"color\":\"red\"}}]")
                        .statusCode())
                .isEqualTo(201);
        assertThat(http.batch("events", "[{\"Body\":\"4\"},{\"Body\":5}]").statusCode())
                .isEqualTo(400);
        assertThat(http.remove(RED, 30).body()).isEqualTo("1");
        assertThat(http.remove(RED, 30).body()).isEqualTo("3");
        assertThat(http.remove(RED, 0).statusCode()).isEqualTo(204);
        for (String body : List.of("1", "2", "3")) {
            assertThat(http.remove(ALL, 30).body()).isEqualTo(body);
        }
        assertThat(http.remove(ALL, 0).statusCode()).isEqualTo(204);
    }

    @Test
    @DisplayName("SCHED-7: a scheduled message waits in the topic, then reaches the subscriptions of that time")
    void schedules() throws Exception {
        http.send(
                "events",
                "later",
                "BrokerProperties",
                "{\"ScheduledEnqueueTimeUtc\":\"Sat, 21 Nov 2026 07:03:43 GMT\"}");
        assertThat(counts("events").scheduled()).isEqualTo(1);
        assertThat(http.lock(ALL, 0).statusCode()).isEqualTo(204);
        subscription("events", "late", s -> s, RuleDescription.takeEverything());
        broker.nowMs.addAndGet(120_000);
        for (String subscription : List.of(ALL, "events/subscriptions/late")) {
            HttpResponse<String> due = http.lock(subscription, 30);
            assertThat(due.body()).isEqualTo("later");
            assertThat(properties(due).get("EnqueuedTimeUtc").textValue()).isEqualTo("Sat, 21 Nov 2026 07:03:43 GMT");
        }
        assertThat(counts("events").scheduled()).isZero();
    }

    @Test
    @DisplayName("RULE-5: copies have the changes of the rule's action, and the name of the rule")
    void showsChangedCopies() throws Exception {
        subscription(
                "events",
                "changed",
                s -> s,
                sql("mark", "color = 'red'", "SET sys.Label = 'seen'; SET color = 'dark ' + color; SET rank = 7"));
        http.send("events", "x", "BrokerProperties", "{\"Label\":\"new\"}", "color", "\"red\"");
        HttpResponse<String> changed = http.remove("events/subscriptions/changed", 30);
        assertThat(changed.body()).isEqualTo("x");
        assertThat(properties(changed).get("Label").textValue()).isEqualTo("seen");
        assertThat(changed.headers().firstValue("color")).hasValue("\"dark red\"");
        assertThat(changed.headers().firstValue("rank")).hasValue("7");
        assertThat(changed.headers().firstValue("RuleName")).hasValue("\"mark\"");
        HttpResponse<String> original = http.remove(ALL, 30);
        assertThat(properties(original).get("Label").textValue()).isEqualTo("new");
        assertThat(original.headers().firstValue("color")).hasValue("\"red\"");
        assertThat(original.headers().firstValue("RuleName")).isEmpty();
    }

    @Test
    @DisplayName("FILTER-25: with filtering before publishing, a message without a matching subscription is refused")
    void refusesWhatNobodyWants() throws Exception {
        topic("picky", t -> t.enableFilteringMessagesBeforePublishing(true));
        subscription("picky", "red", s -> s, sql("red", "color = 'red'", null));
        HttpResponse<String> unwanted = http.send("picky", "x", "color", "\"blue\"");
        assertThat(unwanted.statusCode()).isEqualTo(500);
        assertThat(unwanted.body()).contains("<Code>500</Code>");
        assertThat(http.send("picky", "x", "color", "\"red\"").statusCode()).isEqualTo(201);
        assertThat(http.remove("picky/subscriptions/red", 30).body()).isEqualTo("x");
        assertThat(http.remove("picky/subscriptions/red", 0).statusCode()).isEqualTo(204);
    }

    // Receiving and settling

    @Test
    @DisplayName(
            "HTTP 73, 77: messages of a subscription are locked, unlocked, renewed and completed by their Location")
    void settles() throws Exception {
        http.send("events", "m", "color", "\"red\"");
        HttpResponse<String> first = http.lock(RED, 30);
        assertThat(first.statusCode()).isEqualTo(201);
        String location = first.headers().firstValue("Location").orElseThrow();
        assertThat(location)
                .startsWith("http://localhost:" + gateway.httpPort() + "/events/Subscriptions/red/messages/1/");
        broker.nowMs.addAndGet(30_000);
        HttpResponse<String> renewed = http.renew(location);
        assertThat(renewed.statusCode()).isEqualTo(200);
        assertThat(renewed.headers().firstValue("BrokerProperties"))
                .hasValue("{\"LockedUntilUtc\":\"Sat, 21 Nov 2026 07:03:13 GMT\"}");
        assertThat(http.lock(RED, 0).statusCode()).isEqualTo(204);
        assertThat(http.unlock(location).statusCode()).isEqualTo(200);

        HttpResponse<String> second = http.lock(RED, 30);
        assertThat(properties(second).get("DeliveryCount").intValue()).isEqualTo(2);
        String token = properties(second).get("LockToken").textValue();
        assertThat(http.delete("/" + ALL + "/messages/1/" + token).statusCode()).isEqualTo(404);
        assertThat(http.delete("/" + RED + "/messages/9/" + token).statusCode()).isEqualTo(404);
        location = second.headers().firstValue("Location").orElseThrow();
        assertThat(http.delete(location).statusCode()).isEqualTo(200);
        assertThat(http.delete(location).statusCode()).isEqualTo(404);
        assertThat(counts(RED).active()).isZero();
        assertThat(counts(ALL).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("HTTP 77, DLQ-22: messages of a subscription's dead-letter queue are received and settled")
    void receivesDeadLetters() throws Exception {
        subscription("events", "strict", s -> s.maxDeliveryCount(1), RuleDescription.takeEverything());
        http.send("events", "bad");
        String location = http.lock("events/subscriptions/strict", 30)
                .headers()
                .firstValue("Location")
                .orElseThrow();
        assertThat(http.unlock(location).statusCode()).isEqualTo(200);
        HttpResponse<String> dead = http.lock("events/subscriptions/strict/$deadletterqueue", 30);
        assertThat(dead.statusCode()).isEqualTo(201);
        assertThat(dead.body()).isEqualTo("bad");
        assertThat(dead.headers().firstValue("DeadLetterReason")).hasValue("\"MaxDeliveryCountExceeded\"");
        location = dead.headers().firstValue("Location").orElseThrow();
        assertThat(location).contains("/events/Subscriptions/strict/$DeadLetterQueue/messages/1/");
        assertThat(http.delete(location).statusCode()).isEqualTo(200);
        assertThat(http.remove("events/subscriptions/strict/$DeadLetterQueue", 0)
                        .statusCode())
                .isEqualTo(204);
        assertThat(http.remove("events/subscriptions/strict/$Transfer/$DeadLetterQueue", 0)
                        .statusCode())
                .isEqualTo(204);
    }

    @Test
    @DisplayName("DLQ-5, DLQ-33: the transfer dead-letter queue of a topic is received from like any other")
    void receivesTransferDeadLetters() throws Exception {
        await(namespace.createQueue(QueueDescription.named("gone").build()));
        Transaction transaction = namespace.beginTransaction();
        Entity gone = Objects.requireNonNull(namespace.entity("gone"));
        await(sent(transaction, Objects.requireNonNull(namespace.entity("events"))));
        await(sent(transaction, gone));
        await(namespace.deleteEntity("gone"));
        Replied committed = new Replied();
        transaction.commit(Runnable::run, committed);
        await(committed.reply);

        HttpResponse<String> dead = http.lock("events/$Transfer/$DeadLetterQueue", 30);
        assertThat(dead.statusCode()).isEqualTo(201);
        assertThat(dead.headers().firstValue("DeadLetterReason")).isPresent();
        String location = dead.headers().firstValue("Location").orElseThrow();
        assertThat(http.unlock(location).statusCode()).isEqualTo(200);
        location = http.lock("events/$transfer/$deadletterqueue", 30)
                .headers()
                .firstValue("Location")
                .orElseThrow();
        assertThat(http.delete(location).statusCode()).isEqualTo(200);
        assertThat(http.remove("events/$Transfer/$DeadLetterQueue", 0).statusCode())
                .isEqualTo(204);
    }

    private static CompletableFuture<Reply> sent(Transaction transaction, Entity entity) {
        ByteBuffer empty = ByteBuffer.allocate(0);
        IncomingMessage message = IncomingMessage.of(MessageContent.of(true, 4, false, empty, empty, empty, empty))
                .build();
        Replied sent = new Replied();
        transaction.submit(
                Transaction.Work.on(entity, new Command.SendMessages(List.of(message)))
                        .across(true),
                Runnable::run,
                sent);
        return sent.reply;
    }

    private static final class Replied implements ReplyListener {
        final CompletableFuture<Reply> reply = new CompletableFuture<>();

        @Override
        public void onReply(Reply value) {
            reply.complete(value);
        }

        @Override
        public void onRejected(Rejection rejection) {
            reply.completeExceptionally(new AssertionError(rejection));
        }
    }

    @Test
    @DisplayName("SCN-8: a message that fails in a filter goes to the dead-letter queue with the error")
    void keepsWhatCannotBeJudged() throws Exception {
        subscription("events", "sums", s -> s, sql("sum", "a + 1 = 2", null));
        assertThat(http.send("events", "odd", "a", "\"1\"").statusCode()).isEqualTo(201);
        HttpResponse<String> dead = http.remove("events/subscriptions/sums/$DeadLetterQueue", 30);
        assertThat(dead.statusCode()).isEqualTo(200);
        assertThat(dead.body()).isEqualTo("odd");
        assertThat(dead.headers().firstValue("DeadLetterReason")).isPresent();
        assertThat(dead.headers().firstValue("DeadLetterErrorDescription")).isPresent();
        assertThat(http.remove(ALL, 30).body()).isEqualTo("odd");
    }

    // Refusals

    @Test
    @DisplayName("HTTP 3.1: receives from a topic are refused, as are its sub-queues and locks")
    void refusesReceivingFromTopics() throws Exception {
        http.send("events", "x");
        for (HttpRequest.Builder request : List.of(
                http.lockRequest("events", 20),
                http.to("/events/messages/head?timeout=20").DELETE(),
                http.lockRequest("events/$DeadLetterQueue", 20),
                http.to("/events/messages/1/" + UUID.randomUUID()).DELETE(),
                http.to("/events/messages/1/" + UUID.randomUUID()).PUT(BodyPublishers.noBody()))) {
            HttpResponse<String> refused = http.call(request);
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body())
                    .contains("SubCode=40000. Expected a queue or a subscription to receive from, but 'events' is a"
                            + " topic. Receive from one of its subscriptions, 'events/subscriptions/NAME'.");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {RED, RED + "/$DeadLetterQueue", "EVENTS/Subscriptions/RED"})
    @DisplayName("HTTP 3.1: sends to a subscription or its dead-letter queue are refused")
    void refusesSendingToSubscriptions(String path) throws Exception {
        HttpResponse<String> refused = http.send(path, "x");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body())
                .containsIgnoringCase("SubCode=40000. Expected a queue or a topic to send to, but"
                        + " 'events/Subscriptions/red' is a subscription. Send to its topic 'events'.");
        assertThat(http.batch(path, "[{\"Body\":\"x\"}]").statusCode()).isEqualTo(400);
    }

    @Test
    @DisplayName("HTTP 71: a missing topic or subscription is 404")
    void refusesUnknown() throws Exception {
        assertThat(http.send("nowhere", "x").statusCode()).isEqualTo(404);
        for (String path : List.of("events/subscriptions/none", "nowhere/subscriptions/red")) {
            HttpResponse<String> unknown = http.lock(path, 20);
            assertThat(unknown.statusCode()).isEqualTo(404);
            assertThat(unknown.body()).contains("SubCode=40400.", "could not be found");
            assertThat(http.send(path, "x").statusCode()).isEqualTo(404);
        }
    }

    @Test
    @DisplayName("HTTP 71: a message larger than the topic permits is 403")
    void refusesTooLarge() throws Exception {
        HttpResponse<String> large = http.send("events", "x".repeat(256 * 1024));
        assertThat(large.statusCode()).isEqualTo(403);
        assertThat(large.body()).contains("SubCode=40300.", "exceeds the limit");
    }

    @Test
    @DisplayName("HTTP 78, DLQ-17: a receive from a subscription with sessions is refused, except for its dead letters")
    void refusesSessions() throws Exception {
        subscription("events", "sessions", s -> s.requiresSession(true), RuleDescription.takeEverything());
        HttpResponse<String> refused = http.lock("events/subscriptions/sessions", 20);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("requires them. Receive its messages over AMQP");

        http.send("events", "with", "BrokerProperties", "{\"SessionId\":\"s\"}");
        assertThat(http.send("events", "without").statusCode()).isEqualTo(201);
        assertThat(counts("events/subscriptions/sessions").active()).isEqualTo(1);
        HttpResponse<String> dead = http.remove("events/subscriptions/sessions/$DeadLetterQueue", 30);
        assertThat(dead.body()).isEqualTo("without");
        assertThat(dead.headers().firstValue("DeadLetterReason")).hasValue("\"Session id is null.\"");
    }

    @Test
    @DisplayName(
            "FWD-1, FWD-7: copies of a forwarding subscription are received from its destination, and not from the subscription")
    void forwards() throws Exception {
        broker.create("target");
        subscription("events", "onward", s -> s.forwardTo("target"), RuleDescription.takeEverything());
        assertThat(http.send("events", "x").statusCode()).isEqualTo(201);
        assertThat(http.remove("target", 30).body()).isEqualTo("x");
        HttpResponse<String> refused = http.remove("events/subscriptions/onward", 0);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("events/Subscriptions/onward", "are forwarded to 'target'");
        assertThat(http.remove(ALL, 30).body()).isEqualTo("x");
    }

    @Test
    @DisplayName(
            "SUSP-2, SUSP-3: a disabled topic refuses sends; a disabled subscription stores messages but refuses receives")
    void honoursStatus() throws Exception {
        subscription("events", "off", s -> s.status(EntityStatus.DISABLED), RuleDescription.takeEverything());
        assertThat(http.send("events", "kept").statusCode()).isEqualTo(201);
        HttpResponse<String> disabled = http.lock("events/subscriptions/off", 30);
        assertThat(disabled.statusCode()).isEqualTo(403);
        assertThat(disabled.body()).contains("SubCode=40301.");
        assertThat(counts("events/subscriptions/off").active()).isEqualTo(1);

        topic("closed", t -> t.status(EntityStatus.SEND_DISABLED));
        subscription("closed", "s", s -> s, RuleDescription.takeEverything());
        assertThat(http.send("closed", "x").statusCode()).isEqualTo(403);
        assertThat(http.lock("closed/subscriptions/s", 0).statusCode()).isEqualTo(204);
    }

    @Test
    @DisplayName("HTTP 1.6: a token for a topic covers its subscriptions; one for a subscription covers only that one")
    void needsRights() throws Exception {
        http.send("events", "x", "color", "\"red\"");
        String topicListen = TestBroker.token("https://localhost/events", "listen", "listen-key");
        String redListen = TestBroker.token("https://localhost/" + RED, "listen", "listen-key");
        String send = TestBroker.token("https://localhost/events", "send", "send-key");
        assertThat(sends("events", send)).isEqualTo(201);
        assertThat(sends("events", topicListen)).isEqualTo(401);
        assertThat(receives(RED, send)).isEqualTo(401);
        assertThat(receives(RED, topicListen)).isEqualTo(200);
        assertThat(receives(RED, redListen)).isEqualTo(204);
        assertThat(receives(RED + "/$DeadLetterQueue", redListen)).isEqualTo(204);
        assertThat(receives(ALL, redListen)).isEqualTo(401);
        assertThat(receives("events", redListen)).isEqualTo(401); // the credential is checked before the kind
        assertThat(sends(RED, topicListen)).isEqualTo(401);
    }

    @Test
    @DisplayName("HTTP 10, 1.6: the rules of a topic cover the topic and its subscriptions only")
    void honoursRulesOfTopics() throws Exception {
        AccessRule rule = new AccessRule("own", Set.of(AccessRight.SEND, AccessRight.LISTEN), "own-key", null);
        topic("guarded", t -> t.accessRules(List.of(rule)));
        subscription("guarded", "s", s -> s, RuleDescription.takeEverything());
        String token = TestBroker.token("https://localhost", "own", "own-key");
        assertThat(sends("guarded", token)).isEqualTo(201);
        assertThat(receives("guarded/subscriptions/s", token)).isEqualTo(200);
        assertThat(receives("guarded/subscriptions/s/$DeadLetterQueue", token)).isEqualTo(204);
        assertThat(sends("events", token)).isEqualTo(401);
        assertThat(receives(RED, token)).isEqualTo(401);
    }

    // Tools

    private int sends(String path, String token) throws Exception {
        return status(http.to("/" + path + "/messages").POST(BodyPublishers.ofString("x")), token);
    }

    private int receives(String path, String token) throws Exception {
        return status(http.to("/" + path + "/messages/head?timeout=0").DELETE(), token);
    }

    private int status(HttpRequest.Builder request, String token) throws Exception {
        return http.call(request.setHeader("Authorization", token)).statusCode();
    }

    private void topic(String name, UnaryOperator<TopicDescription.Builder> change) throws Exception {
        await(namespace.createTopic(change.apply(TopicDescription.named(name)).build()));
    }

    private void subscription(
            String topic, String name, UnaryOperator<SubscriptionDescription.Builder> change, RuleDescription rule)
            throws Exception {
        await(namespace.createSubscription(
                change.apply(SubscriptionDescription.of(topic, name)).build(), rule));
    }

    private static RuleDescription sql(String name, String filter, String action) {
        return new RuleDescription(
                name, new SqlRuleFilter(filter, Map.of()), action == null ? null : new SqlRuleAction(action, Map.of()));
    }

    private MessageCounts counts(String path) {
        return Objects.requireNonNull(namespace.entity(path)).counts();
    }

    private static JsonNode properties(HttpResponse<String> response) throws IOException {
        return new ObjectMapper()
                .readTree(response.headers().firstValue("BrokerProperties").orElseThrow());
    }

    private static void await(CompletionStage<?> stage) throws Exception {
        stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
}
