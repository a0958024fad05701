package dev.jitney.gateway.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.jitney.gateway.http.TestBroker;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

@DisplayName("An operator who works with rules")
class RulesTest extends OperatorScenario {
    private static final String RULES = "/$operator/v1/entities/news%2FSubscriptions%2Fall/rules";

    @BeforeEach
    void subscribe() throws Exception {
        broker.broker
                .namespace(null)
                .createTopic(TopicDescription.named("news").build())
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        broker.broker
                .namespace(null)
                .createSubscription(SubscriptionDescription.of("news", "all").build(), RuleDescription.takeEverything())
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }

    private JsonObject ok(String method, String target, String body) throws Exception {
        HttpResponse<String> answer = send(method, target, body, TestBroker.token());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private List<JsonObject> rules(String query) throws Exception {
        JsonArray rules = ok("GET", RULES + query, "").getJsonArray("rules");
        return IntStream.range(0, rules.size()).mapToObj(rules::getJsonObject).toList();
    }

    @Test
    @DisplayName("lists, creates, changes and deletes them, and each change is in the audit log")
    void changes() throws Exception {
        assertThat(rules("")).singleElement().satisfies(rule -> {
            assertThat(rule.getString("rule")).isEqualTo("$Default");
            assertThat(rule.getString("filter")).isEqualTo("1=1");
            assertThat(rule.containsKey("action")).isFalse();
        });
        Logger audit = (Logger) LoggerFactory.getLogger("audit");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        audit.setLevel(Level.INFO);
        lines.start();
        audit.addAppender(lines);
        try {
            JsonObject created =
                    ok("PUT", RULES + "/Reds", "{\"filter\": \"color = 'red'\", \"action\": \"SET sys.Label = 'x'\"}");
            assertThat(created.getBoolean("created")).isTrue();
            assertThat(created.getString("rule")).isEqualTo("Reds");
            JsonObject changed = ok("PUT", RULES + "/reds", "{\"filter\": \"color = 'crimson'\"}");
            assertThat(changed.getBoolean("created")).isFalse();
            assertThat(rules("").get(1))
                    .isEqualTo(new JsonObject()
                            .put("rule", "Reds")
                            .put("filter", "color = 'crimson'")
                            .put("createdAt", changed.getString("createdAt")));
            assertThat(ok("DELETE", RULES + "/$Default", "").getBoolean("deleted"))
                    .isTrue();
            assertThat(rules("")).extracting(rule -> rule.getString("rule")).containsExactly("Reds");
            assertThat(send("DELETE", RULES + "/$Default", "", TestBroker.token())
                            .statusCode())
                    .isEqualTo(404);
            ok("GET", RULES, ""); // after the end of the requests
        } finally {
            audit.detachAppender(lines);
            audit.setLevel(null);
        }
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "Done: create rule",
                        "Done: update rule",
                        "Done: delete rule",
                        "Refused an administrative action");
        assertThat(lines.list.get(0).getKeyValuePairs())
                .extracting(pair -> pair.key + "=" + pair.value)
                .contains("entity=news/Subscriptions/all", "rule=Reds")
                .anyMatch(pair -> pair.startsWith("changed=filter: ") && pair.contains("color = 'red'"));
    }

    @Test
    @DisplayName("gets correlation filters and parameters back as written, with the types of their values")
    void roundTrip() throws Exception {
        JsonObject correlation = new JsonObject()
                .put(
                        "filter",
                        new JsonObject()
                                .put("subject", "new")
                                .put(
                                        "applicationProperties",
                                        new JsonObject()
                                                .put("color", "red")
                                                .put("big", true)
                                                .put(
                                                        "n",
                                                        new JsonObject()
                                                                .put("type", "int")
                                                                .put("value", "5"))));
        JsonObject parameters = new JsonObject()
                .put(
                        "filter",
                        new JsonObject()
                                .put("sql", "n > @limit")
                                .put(
                                        "parameters",
                                        new JsonObject()
                                                .put(
                                                        "@limit",
                                                        new JsonObject()
                                                                .put("type", "long")
                                                                .put("value", "7"))));
        ok("PUT", RULES + "/a", correlation.encode());
        ok("PUT", RULES + "/b", parameters.encode());
        List<JsonObject> rules = rules("");
        assertThat(rules.get(1).getJsonObject("filter")).isEqualTo(correlation.getJsonObject("filter"));
        assertThat(rules.get(2).getJsonObject("filter")).isEqualTo(parameters.getJsonObject("filter"));
    }

    @Test
    @DisplayName("gets rules page by page")
    void pages() throws Exception {
        for (int i = 0; i < 5; i++) {
            ok("PUT", RULES + "/r" + i, "{\"filter\": \"n = " + i + "\"}");
        }
        List<String> seen = new ArrayList<>();
        String query = "?max=2";
        while (query != null) {
            JsonObject page = ok("GET", RULES + query, "");
            assertThat(page.getInteger("total")).isEqualTo(6);
            JsonArray rules = page.getJsonArray("rules");
            assertThat(rules.size()).isLessThanOrEqualTo(2);
            IntStream.range(0, rules.size())
                    .forEach(i -> seen.add(rules.getJsonObject(i).getString("rule")));
            query = page.getString("next") == null ? null : "?max=2&after=" + page.getString("next");
        }
        assertThat(seen).containsExactly("$Default", "r0", "r1", "r2", "r3", "r4");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"filter\": \"color = = 'red'\"}|line 1, column 9",
                "{\"filter\": \"1=1\", \"action\": \"SET = 1\"}|line 1",
                "{\"filter\": {\"colour\": \"x\"}}|'colour'",
                "{\"filter\": {}}|at least one condition",
                "{\"filter\": {\"subject\": 5}}|'filter.subject'",
                "{\"filter\": {\"applicationProperties\": {\"n\": {\"type\": \"number\", \"value\": 1}}}}|'filter.applicationProperties.n.type'",
                "{\"filter\": {\"applicationProperties\": {\"n\": {\"type\": \"int\", \"value\": \"x\"}}}}|int",
                "{\"action\": \"SET a = 1\"}|'filter'",
                "{\"filter\": \"1=1\", \"name\": \"x\"}|'name'",
                "[]|JSON object"
            })
    @DisplayName("gets an error with the member or the place of a mistake, and nothing changes")
    void mistakes(String body, String named) throws Exception {
        HttpResponse<String> answer = send("PUT", RULES + "/wrong", body, TestBroker.token());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(new JsonObject(answer.body()).getJsonObject("error").getString("message"))
                .contains(named);
        assertThat(rules("")).hasSize(1);
    }

    @Test
    @DisplayName("needs Listen to read rules and Manage to change them")
    void rights() throws Exception {
        String listen = TestBroker.token("https://localhost", "listen", "listen-key");
        assertThat(send("GET", RULES, "", listen).statusCode()).isEqualTo(200);
        assertThat(send("PUT", RULES + "/a", "{\"filter\": \"1=1\"}", listen).statusCode())
                .isEqualTo(401);
        assertThat(send("DELETE", RULES + "/$Default", "", listen).statusCode()).isEqualTo(401);
        assertThat(send("GET", RULES, "", TestBroker.token("https://localhost", "send", "send-key"))
                        .statusCode())
                .isEqualTo(401);
        assertThat(rules("")).hasSize(1);
    }

    @Test
    @DisplayName("is refused for an entity without rules")
    void noSubscription() throws Exception {
        HttpResponse<String> queue = send("GET", "/$operator/v1/entities/shop%2Forders/rules", "", TestBroker.token());
        assertThat(queue.statusCode()).isEqualTo(400);
        assertThat(queue.body()).contains("Expected a subscription");
    }
}
