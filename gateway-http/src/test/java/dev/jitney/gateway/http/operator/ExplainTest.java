package dev.jitney.gateway.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.TestBroker;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.SqlRuleAction;
import dev.jitney.runtime.Namespace;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("An operator who needs to know where a message would go")
class ExplainTest extends OperatorScenario {

    private Namespace namespace() {
        return broker.broker.namespace(null);
    }

    private static <T> T done(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    private void topic(String name, UnaryOperator<TopicDescription.Builder> change) throws Exception {
        done(namespace().createTopic(change.apply(TopicDescription.named(name)).build()));
    }

    private void subscription(
            String topic,
            String name,
            UnaryOperator<SubscriptionDescription.Builder> change,
            String filter,
            String action)
            throws Exception {
        done(namespace()
                .createSubscription(
                        change.apply(SubscriptionDescription.of(topic, name)).build(),
                        new RuleDescription(
                                "r-" + name,
                                new SqlRuleFilter(filter, Map.of()),
                                action == null ? null : new SqlRuleAction(action, Map.of()))));
    }

    private HttpResponse<String> post(String entity, String query, JsonObject body, String token) throws Exception {
        return send("POST", "/$operator/v1/entities/" + entity + "/explain" + query, body.encode(), token);
    }

    private JsonObject explain(String entity, JsonObject body) throws Exception {
        return explain(entity, "", body);
    }

    private JsonObject explain(String entity, String query, JsonObject body) throws Exception {
        HttpResponse<String> answer = post(entity, query, body, TestBroker.token());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private static List<JsonObject> objects(JsonObject document, String member) {
        JsonArray array = document.getJsonArray(member);
        return IntStream.range(0, array.size()).mapToObj(array::getJsonObject).toList();
    }

    private static JsonObject only(JsonObject document, String member) {
        List<JsonObject> objects = objects(document, member);
        assertThat(objects).as(document.encodePrettily()).hasSize(1);
        return objects.get(0);
    }

    private static JsonObject red() {
        return new JsonObject().put("body", "x").put("applicationProperties", new JsonObject().put("color", "red"));
    }

    @Test
    @DisplayName(
            "sees for each subscription the rule, its result, the properties it has read, and the changes of its action")
    void rules() throws Exception {
        topic("shop/news", builder -> builder);
        subscription("shop/news", "reds", s -> s, "color = 'red'", "SET color = 'crimson'; SET sys.Label = color");
        subscription("shop/news", "blues", s -> s, "color = 'blue'", null);
        subscription("shop/news", "heavy", s -> s, "weight > 5", null);

        JsonObject answer = explain("shop%2Fnews", red());

        assertThat(answer.getBoolean("accepted")).isTrue();
        assertThat(answer.getBoolean("complete")).isTrue();
        assertThat(answer.getString("next")).isNull();
        List<JsonObject> subscriptions = objects(answer, "subscriptions");
        assertThat(subscriptions)
                .extracting(each -> each.getString("subscription"))
                .containsExactly(
                        "shop/news/Subscriptions/blues",
                        "shop/news/Subscriptions/heavy",
                        "shop/news/Subscriptions/reds");
        JsonObject blues = only(subscriptions.get(0), "rules");
        assertThat(blues.getString("filter")).isEqualTo("color = 'blue'");
        assertThat(blues.getString("result")).isEqualTo("notMatched");
        assertThat(blues.getJsonObject("properties")).isEqualTo(new JsonObject().put("color", "red"));
        JsonObject heavy = only(subscriptions.get(1), "rules");
        assertThat(heavy.getString("result")).isEqualTo("unknown");
        assertThat(heavy.getJsonObject("properties").containsKey("weight")).isTrue();
        assertThat(heavy.getJsonObject("properties").getValue("weight")).isNull();
        JsonObject reds = only(subscriptions.get(2), "rules");
        assertThat(reds.getString("result")).isEqualTo("matched");
        assertThat(objects(reds, "changes"))
                .containsExactlyInAnyOrder(
                        change("sys.Label", null, "crimson"),
                        change("color", "red", "crimson"),
                        change("RuleName", null, "r-reds"));
        assertThat(objects(subscriptions.get(0), "copies")).isEmpty();
        JsonObject copy = only(subscriptions.get(2), "copies");
        assertThat(copy.getString("destination")).isEqualTo("shop/news/Subscriptions/reds");
        assertThat(copy.getString("changedBy")).isEqualTo("r-reds");
    }

    private static JsonObject change(String property, @Nullable String before, String after) {
        return new JsonObject().put("property", property).put("before", before).put("after", after);
    }

    @Test
    @DisplayName("changes nothing: nothing is stored, and no number is used")
    void changesNothing() throws Exception {
        explain("shop%2Forders", red());
        message("first");
        HttpResponse<String> stored =
                send("GET", "/$operator/v1/entities/shop%2Forders/messages", "", TestBroker.token());
        assertThat(only(new JsonObject(stored.body()), "messages").getString("sequenceNumber"))
                .isEqualTo("1");
    }

    @Test
    @DisplayName("follows forwards to their end, with the changes of actions on the way")
    void forwards() throws Exception {
        topic("second", builder -> builder);
        subscription("second", "all", s -> s, "RuleName = 'r-on' AND color = 'green'", null);
        broker.create("between", queue -> queue.forwardTo("second"));
        topic("first", builder -> builder);
        subscription("first", "on", s -> s.forwardTo("between"), "1=1", "SET color = 'green'");

        JsonObject copy = only(only(explain("first", red()), "subscriptions"), "copies");
        JsonObject between = copy.getJsonObject("forward");
        assertThat(between.getString("to")).endsWith("between");
        JsonObject second = only(between.getJsonObject("explanation"), "copies").getJsonObject("forward");
        assertThat(second.getString("to")).endsWith("second");
        JsonObject last = only(second.getJsonObject("explanation"), "subscriptions");
        assertThat(only(last, "copies").getString("destination")).isEqualTo("second/Subscriptions/all");
    }

    @Test
    @DisplayName(
            "DLQ-25: sees that a subscription without dead letters of failures gets nothing, however late the failing rule comes")
    void dropped() throws Exception {
        done(namespace().createQueue(QueueDescription.named("next").build()));
        topic("t", builder -> builder);
        subscription(
                "t",
                "silent",
                s -> s.deadLetteringOnFilterEvaluationExceptions(false).forwardTo("next"),
                "1 = 1",
                null);
        for (int i = 0; i < 110; i++) { // more than one part of an explanation
            String filter = i == 109 ? "color + 1 > 'x'" : "color = 'blue'";
            done(namespace()
                    .createRule(
                            "t/Subscriptions/silent",
                            new RuleDescription("r" + i, new SqlRuleFilter(filter, Map.of()), null)));
        }

        JsonObject answer = explain("t", red());

        JsonObject silent = only(answer, "subscriptions");
        assertThat(objects(silent, "rules"))
                .extracting(rule -> rule.getString("result"))
                .startsWith("matched")
                .endsWith("failed");
        assertThat(objects(silent, "copies")).isEmpty();
    }

    @Test
    @DisplayName("sees a chain that is too long end in the transfer dead-letter queue of its last entity")
    void tooFar() throws Exception {
        broker.create("q6");
        for (int i = 5; i >= 1; i--) {
            int next = i + 1;
            broker.create("q" + i, queue -> queue.forwardTo("q" + next));
        }
        JsonObject document = explain("q1", red());
        for (int i = 1; i < 5; i++) {
            document = only(document, "copies").getJsonObject("forward").getJsonObject("explanation");
        }
        JsonObject last = only(document, "copies").getJsonObject("forward");
        assertThat(last.containsKey("explanation")).isFalse();
        assertThat(last.getJsonObject("failure").getString("destination")).isEqualTo("q5/$Transfer/$DeadLetterQueue");
        assertThat(last.getJsonObject("failure").getString("deadLetterReason"))
                .isEqualTo("MaxTransferHopCountExceeded");
    }

    @Test
    @DisplayName(
            "sees a message that a destination refuses or that has no destination in the transfer dead-letter queue")
    void refusedForward() throws Exception {
        broker.create("closed");
        broker.create("source", queue -> queue.forwardTo("closed"));
        done(namespace()
                .updateQueue(QueueDescription.named("closed")
                        .status(EntityStatus.SEND_DISABLED)
                        .build()));
        JsonObject forward = only(explain("source", red()), "copies").getJsonObject("forward");
        assertThat(forward.getJsonObject("explanation").getBoolean("accepted")).isFalse();
        assertThat(forward.getJsonObject("failure").getString("destination"))
                .isEqualTo("source/$Transfer/$DeadLetterQueue");
        assertThat(forward.getJsonObject("failure").getString("deadLetterReason"))
                .isEqualTo("MessagingEntityDisabledException");

        done(namespace().deleteEntity("closed"));
        forward = only(explain("source", red()), "copies").getJsonObject("forward");
        assertThat(forward.getJsonObject("failure").getString("deadLetterReason"))
                .isEqualTo("MessagingEntityNotFoundException");
    }

    @Test
    @DisplayName("sees refusals of the entity itself: its status, a missing session, the size of the message")
    void refusals() throws Exception {
        broker.create("closed", queue -> queue.status(EntityStatus.SEND_DISABLED));
        broker.create("sessions", queue -> queue.requiresSession(true));
        assertThat(explain("closed", red()).getJsonObject("refusal").getString("message"))
                .contains("disabled for sending");
        assertThat(explain("sessions", red()).getJsonObject("refusal").getString("message"))
                .contains("SessionId");
        assertThat(explain("sessions", red().put("sessionId", "a")).getBoolean("accepted"))
                .isTrue();
        JsonObject large = explain("shop%2Forders", new JsonObject().put("body", "x".repeat(300_000)));
        assertThat(large.getBoolean("accepted")).isFalse();
        assertThat(large.getInteger("sizeInBytes")).isGreaterThan(large.getInteger("maxMessageSizeInBytes"));
    }

    @Test
    @DisplayName("sees duplicates, the time to live and the expiry")
    void duplicates() throws Exception {
        broker.create("once", queue -> queue.requiresDuplicateDetection(true).defaultMessageTimeToLiveMs(60_000));
        JsonObject first = explain("once", red().put("messageId", "m-1").put("timeToLive", 90_000));
        assertThat(first.containsKey("duplicateOf")).isFalse();
        assertThat(only(first, "copies").getInteger("timeToLive")).isEqualTo(60_000);
        assertThat(only(first, "copies").getString("expiresAt"))
                .isEqualTo(java.time.Instant.ofEpochMilli(broker.nowMs.get() + 60_000)
                        .toString());
        assertThat(send(
                                "POST",
                                "/once/messages",
                                "x",
                                TestBroker.token(),
                                "BrokerProperties",
                                "{\"MessageId\":\"m-1\"}")
                        .statusCode())
                .isEqualTo(201);
        JsonObject again = explain("once", red().put("messageId", "m-1"));
        assertThat(again.getString("duplicateOf")).isEqualTo("1");
        assertThat(again.containsKey("copies")).isFalse();
    }

    @Test
    @DisplayName("may choose a dead letter, and change it")
    void existing() throws Exception {
        topic("shop/news", builder -> builder);
        subscription("shop/news", "blues", s -> s, "color = 'blue'", null);
        message("a", "color", "\"blue\"");
        send(
                "POST",
                "/$operator/v1/entities/shop%2Forders/messages/deadLetter",
                "{\"sequenceNumbers\": [1]}",
                TestBroker.token());
        JsonObject chosen = new JsonObject().put("sequenceNumber", "1").put("from", "shop/orders/$deadletterqueue");
        assertThat(only(only(explain("shop%2Fnews", chosen), "subscriptions"), "copies")
                        .getString("destination"))
                .isEqualTo("shop/news/Subscriptions/blues");
        JsonObject changed = chosen.copy().put("applicationProperties", new JsonObject().put("color", "red"));
        assertThat(objects(only(explain("shop%2Fnews", changed), "subscriptions"), "copies"))
                .isEmpty();
        HttpResponse<String> missing = post("shop%2Fnews", "", chosen.put("sequenceNumber", 7), TestBroker.token());
        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(missing.body()).contains("sequence number 7");
    }

    @Test
    @DisplayName("gets subscriptions page by page")
    void pages() throws Exception {
        topic("many", builder -> builder);
        for (int i = 0; i < 7; i++) {
            subscription("many", "s" + i, s -> s, "1=1", null);
        }
        List<String> seen = new ArrayList<>();
        String next = "";
        int pages = 0;
        while (next != null) {
            JsonObject page = explain("many", "?max=3&after=" + URLEncoder.encode(next, StandardCharsets.UTF_8), red());
            objects(page, "subscriptions").forEach(each -> seen.add(each.getString("subscription")));
            next = page.getString("next");
            assertThat(page.getBoolean("complete")).isEqualTo(next == null);
            pages++;
        }
        assertThat(seen)
                .isEqualTo(IntStream.range(0, 7)
                        .mapToObj(i -> "many/Subscriptions/s" + i)
                        .toList());
        assertThat(pages).isGreaterThanOrEqualTo(3);
        assertThat(post("many", "?after=x", red(), TestBroker.token()).statusCode())
                .isEqualTo(400);
    }

    @Test
    @DisplayName("sees the partition of a message with a key")
    void partitions() throws Exception {
        broker.create("parted", queue -> queue.enablePartitioning(true));
        JsonObject keyed = explain("parted", red().put("partitionKey", "k"));
        assertThat(keyed.getBoolean("partitionIsFixed")).isTrue();
        assertThat(keyed.getInteger("partition"))
                .isEqualTo(explain("parted", red().put("partitionKey", "k")).getInteger("partition"));
        assertThat(explain("parted", red()).getBoolean("partitionIsFixed")).isFalse();
        JsonObject contradiction =
                explain("parted", red().put("partitionKey", "k").put("sessionId", "s"));
        assertThat(contradiction.getBoolean("accepted")).isFalse();
    }

    @Test
    @DisplayName("sees that a topic with filtering before publishing refuses a message that no subscription gets")
    void filteringBefore() throws Exception {
        topic("strict", builder -> builder.enableFilteringMessagesBeforePublishing(true));
        subscription("strict", "blues", s -> s, "color = 'blue'", null);
        assertThat(explain("strict", red()).getBoolean("accepted")).isFalse();
        assertThat(explain(
                                "strict",
                                new JsonObject().put("applicationProperties", new JsonObject().put("color", "blue")))
                        .getBoolean("accepted"))
                .isTrue();
    }

    @Test
    @DisplayName(
            "needs the right to Listen, also for each destination of a forward and for the queue of an existing message")
    void rights() throws Exception {
        broker.create("end");
        broker.create("start", queue -> queue.forwardTo("end"));
        assertThat(post("start", "", red(), TestBroker.token("https://localhost", "send", "send-key"))
                        .statusCode())
                .isEqualTo(401);
        String onlyStart = TestBroker.token("https://localhost/start", "listen", "listen-key");
        HttpResponse<String> answer = post("start", "", red(), onlyStart);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        JsonObject forward = only(new JsonObject(answer.body()), "copies").getJsonObject("forward");
        assertThat(forward.getBoolean("explained")).isFalse();
        assertThat(forward.getString("message")).contains("Listen");
        JsonObject chosen = new JsonObject().put("sequenceNumber", "1").put("from", "end");
        assertThat(post("start", "", chosen, onlyStart).statusCode()).isEqualTo(401);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "shop%2Forders|{\"colour\": 1}|colour",
                "shop%2Forders|{\"timeToLive\": -1}|timeToLive",
                "shop%2Forders|{\"sequenceNumber\": 1}|from",
                "shop%2Forders|{\"from\": \"shop/orders\"}|sequenceNumber",
                "shop%2Forders|[]|JSON object",
                "shop%2Forders%2F$DeadLetterQueue|{}|queue or a topic",
                "nowhere|{}|could not be found"
            })
    @DisplayName("gets an error that names the mistake")
    void mistakes(String entity, String body, String named) throws Exception {
        HttpResponse<String> answer =
                send("POST", "/$operator/v1/entities/" + entity + "/explain", body, TestBroker.token());
        assertThat(answer.statusCode()).isIn(400, 404);
        assertThat(answer.body()).contains(named);
    }

    @Test
    @DisplayName("gets a bounded answer for a topic whose subscriptions all forward to another such topic")
    void bounded() throws Exception {
        topic("b", builder -> builder);
        for (int i = 0; i < 40; i++) {
            subscription("b", "s" + i, s -> s, "1=1", null);
        }
        topic("a", builder -> builder);
        for (int i = 0; i < 120; i++) {
            subscription("a", "s" + i, s -> s.forwardTo("b"), "1=1", null);
        }
        HttpResponse<String> answer = post("a", "?max=500", red(), TestBroker.token());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body().length()).isLessThan(3 << 20);
        List<JsonObject> forwards = objects(new JsonObject(answer.body()), "subscriptions").stream()
                .flatMap(each -> objects(each, "copies").stream())
                .map(copy -> copy.getJsonObject("forward"))
                .toList();
        assertThat(forwards).hasSize(120);
        assertThat(forwards.stream().filter(each -> Boolean.FALSE.equals(each.getBoolean("explained"))))
                .hasSizeGreaterThanOrEqualTo(20);
        assertThat(Stream.of(forwards.get(0)).filter(each -> each.containsKey("explanation")))
                .hasSize(1);
    }
}
