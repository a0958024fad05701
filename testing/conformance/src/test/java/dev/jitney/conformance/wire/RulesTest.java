package dev.jitney.conformance.wire;

import static dev.jitney.testing.amqp.Wire.list;
import static dev.jitney.testing.amqp.Wire.map;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.RawTest;
import dev.jitney.conformance.support.Subscription;
import dev.jitney.conformance.support.Topics;
import dev.jitney.testing.amqp.Node;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawRequests;
import dev.jitney.testing.amqp.Wire;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of rules over the management node of a subscription (checklist 62). */
class RulesTest extends RawTest {
    private Topics topics;
    private String topic;
    private Subscription subscription;
    private RawRequests management;

    @BeforeEach
    void openManagement() {
        topics = broker.topics();
        topic = topics.create();
        subscription = topics.subscribe(topic);
        management = RawRequests.open(session, subscription.path() + "/$management");
    }

    private static Map<?, ?> rule(String name, Object... description) {
        Map<Object, Object> all = map(description);
        all.put("rule-name", name);
        return map("rule-name", name, "rule-description", all);
    }

    private static Map<?, ?> sql(String name, String expression) {
        return rule(name, "sql-filter", map("expression", expression), "sql-rule-action", null);
    }

    private List<Node> rules(Object top, Object skip) {
        Node rules = management
                .call("com.microsoft:enumerate-rules", map("top", top, "skip", skip), 200)
                .get("rules");
        assertThat(rules.isList()).as(rules.toString()).isTrue();
        List<Node> descriptions = new ArrayList<>();
        for (Node entry : rules.items()) {
            assertThat(entry.isMap()).as(entry.toString()).isTrue();
            descriptions.add(entry.get("rule-description"));
        }
        return descriptions;
    }

    /** Checks that a node is a described list with this number of fields and a full ulong descriptor. */
    private static void assertDescribed(Node node, long code, int fields) {
        assertThat(node.isDescribed()).as(node.toString()).isTrue();
        assertThat(node.descriptor().code()).as("a numeric descriptor").isEqualTo(0x80);
        assertThat(node.descriptorCode()).as(node.toString()).isEqualTo(code);
        assertThat(node.described().code()).as("no list0: %s", node).isIn(0xc0, 0xd0);
        assertThat(node.size()).as(node.toString()).isEqualTo(fields);
    }

    private static void assertError(RawMessage answer, int status, String condition) {
        assertThat(answer.applicationProperty("statusCode").number())
                .as(answer.toString())
                .isEqualTo(status);
        Node error = answer.applicationProperty("errorCondition");
        assertThat(error.isSymbol()).as(answer.toString()).isTrue();
        assertThat(error.text()).isEqualTo(condition);
        assertThat(answer.applicationProperty("statusDescription").text()).contains("TrackingId:");
        assertThat(answer.value().isMap()).isTrue();
    }

    private RawMessage add(Object body) {
        return management.send(map("operation", "com.microsoft:add-rule"), body);
    }

    private void assertAdded(Map<?, ?> rule) {
        Node body = management.call("com.microsoft:add-rule", rule, 200);
        assertThat(body.isMap()).isTrue();
        assertThat(body.items()).isEmpty();
    }

    @Test
    @DisplayName(
            "Wire 62, RULE-1: a new subscription lists $Default: a true filter, an empty action, a time of creation")
    void defaultRule() {
        List<Node> rules = rules(100, 0);
        assertThat(rules).hasSize(1);
        assertDescribed(rules.get(0), 0x13700000004L, 4);
        assertDescribed(rules.get(0).at(0), 0x1370000007L, 0);
        assertDescribed(rules.get(0).at(1), 0x13700000005L, 0);
        assertThat(rules.get(0).at(2).text()).isEqualTo("$Default");
        assertThat(rules.get(0).at(3).isTimestamp()).isTrue();
        assertThat(rules.get(0).at(3).number()).isEqualTo(broker.now().toEpochMilli());
    }

    @Test
    @DisplayName(
            "Wire 62, RULE-2: add, remove, duplicate and missing return 200, 200, 409 and 404, with names in any case")
    void addAndRemove() {
        assertAdded(sql("Red", "color = 'red'"));
        assertError(add(sql("rED", "1=1")), 409, "com.microsoft:entity-already-exists");
        assertThat(management
                        .call("com.microsoft:remove-rule", map("rule-name", "RED"), 200)
                        .items())
                .isEmpty();
        assertError(management.call("com.microsoft:remove-rule", map("rule-name", "Red")), 404, "amqp:not-found");
        management.call("com.microsoft:remove-rule", map("rule-name", "$Default"), 200);
        assertThat(management
                        .call("com.microsoft:enumerate-rules", map("top", 100, "skip", 0), 204)
                        .isMap())
                .isTrue();
    }

    @Test
    @DisplayName("Wire 6.9: every kind of filter and action is returned with its own descriptor, in full length")
    void everyKind() {
        assertAdded(sql("a-true", "1=1"));
        assertAdded(sql("b-false", "1=0"));
        assertAdded(rule(
                "c-sql", "sql-filter", map("expression", "a = 1"), "sql-rule-action", map("expression", "SET b = 2")));
        assertAdded(rule(
                "d-correlation",
                "correlation-filter",
                map(
                        "correlation-id",
                        "c",
                        "message-id",
                        null,
                        "to",
                        "t",
                        "reply-to",
                        null,
                        "label",
                        "l",
                        "session-id",
                        null,
                        "reply-to-session-id",
                        "rs",
                        "content-type",
                        null,
                        "properties",
                        map())));
        List<Node> rules = rules(2_147_483_647, 0);
        assertThat(rules.stream().map(rule -> rule.at(2).text()))
                .containsExactly("$Default", "a-true", "b-false", "c-sql", "d-correlation");
        assertDescribed(rules.get(1).at(0), 83_483_426_823L, 0);
        assertDescribed(rules.get(2).at(0), 83_483_426_824L, 0);
        assertDescribed(rules.get(3).at(0), 83_483_426_822L, 2);
        assertThat(rules.get(3).at(0).at(0).text()).isEqualTo("a = 1");
        assertThat(rules.get(3).at(0).at(1).isInt()).isTrue();
        assertThat(rules.get(3).at(0).at(1).number()).isEqualTo(20);
        assertDescribed(rules.get(3).at(1), 1_335_734_829_062L, 2);
        assertThat(rules.get(3).at(1).at(0).text()).isEqualTo("SET b = 2");
        Node correlation = rules.get(4).at(0);
        assertDescribed(correlation, 83_483_426_825L, 9);
        assertThat(correlation.described().items().subList(0, 8).stream().map(Node::value))
                .containsExactly("c", null, "t", null, "l", null, "rs", null);
        assertThat(correlation.at(8).isMap()).isTrue();
        assertDescribed(rules.get(4).at(1), 1_335_734_829_061L, 0);
    }

    @Test
    @DisplayName("FILTER-27, MSG-6: properties of a correlation filter are returned with type and value")
    void typedProperties() {
        UUID guid = UUID.randomUUID();
        Map<Object, Object> properties = map(
                "bool",
                true,
                "byte",
                (byte) -7,
                "ubyte",
                Wire.ubyte(200),
                "short",
                (short) -300,
                "int",
                70_000,
                "uint",
                Wire.uint(3_000_000_000L),
                "long",
                Long.MIN_VALUE,
                "ulong",
                Wire.ulong(-1),
                "float",
                1.25f,
                "double",
                -2.5,
                "char",
                'ä',
                "uuid",
                guid,
                "time",
                Instant.ofEpochMilli(1_700_000_000_123L),
                "binary",
                new byte[] {1, 2},
                "text",
                "x",
                "span",
                new Wire.Described(Wire.sym("com.microsoft:timespan"), 36_000_000_000L));
        assertAdded(rule("typed", "correlation-filter", map("properties", properties)));
        Node listed = rules(1, 1).get(0).at(0).at(8);
        Node sent = Node.of(Wire.encode(properties));
        for (String name : sent.map().keySet()) {
            assertThat(listed.get(name).toString())
                    .as(name)
                    .isEqualTo(sent.get(name).toString());
        }
        assertThat(listed.get("ubyte").code()).isEqualTo(0x50);
        assertThat(listed.get("uint").code()).isEqualTo(0x70);
        assertThat(listed.get("float").code()).isEqualTo(0x72);
        assertThat(listed.get("char").code()).isEqualTo(0x73);
        assertThat(listed.get("time").isTimestamp()).isTrue();
        assertThat(listed.get("span").descriptor().text()).isEqualTo("com.microsoft:timespan");
    }

    @Test
    @DisplayName("Wire 62, 66: pages of 100 until a short one; integers of any type")
    void pages() {
        for (int i = 0; i < 249; i++) {
            topics.addRule(subscription, Topics.sql("rule-%03d".formatted(i), "a = " + i, null));
        }
        List<String> names = new ArrayList<>();
        List<Node> page;
        do {
            page = rules(100, names.size());
            page.forEach(rule -> names.add(rule.at(2).text()));
        } while (page.size() == 100);
        assertThat(names).hasSize(250).doesNotHaveDuplicates().startsWith("$Default", "rule-000");
        assertThat(rules(Wire.ulong(10), 245L)).hasSize(5);
        assertThat(rules(2_147_483_647, Wire.ubyte(0))).hasSize(250);
        management.call("com.microsoft:enumerate-rules", map("top", 100, "skip", 250), 204);
    }

    @Test
    @DisplayName("FILTER-2, FILTER-22, RULE-8: an error in a text is reported immediately, with its position")
    void badExpressions() {
        RawMessage answer = add(sql("bad", "a = = 1"));
        assertError(answer, 400, "com.microsoft:argument-error");
        assertThat(answer.applicationProperty("statusDescription").text()).contains("5");
        assertError(add(sql("bad", "a = @x")), 400, "com.microsoft:argument-error");
        assertError(add(sql("bad", "")), 400, "com.microsoft:argument-error");
        assertError(add(sql("bad", "a = '" + "x".repeat(1_024) + "'")), 400, "com.microsoft:argument-error");
        assertError(
                add(rule(
                        "bad",
                        "sql-filter",
                        map("expression", "1=1"),
                        "sql-rule-action",
                        map("expression", "SET sys.SequenceNumber = 1"))),
                400,
                "com.microsoft:argument-error");
        assertError(add(rule("bad", "correlation-filter", map())), 400, "com.microsoft:argument-error");
        assertAdded(rule("good", "sql-filter", map("expression", "a = @x", "parameters", map("@x", 1))));
        assertThat(rules(100, 0)).hasSize(2);
    }

    @Test
    @DisplayName("Hostile rules are rejected with their names, and the node still responds")
    void hostileRules() {
        Map<?, ?> filter = map("expression", "1=1");
        for (Object body : new Object[] {
            null,
            "text",
            list(1, 2),
            map(),
            map("rule-name", "r"),
            map("rule-description", map("sql-filter", filter)),
            map("rule-name", 1, "rule-description", map("sql-filter", filter)),
            map("rule-name", "r", "rule-description", list()),
            rule("", "sql-filter", filter),
            rule("x".repeat(51), "sql-filter", filter),
            rule("a/b", "sql-filter", filter),
            rule("r"),
            rule("r", "sql-filter", filter, "correlation-filter", map("to", "t")),
            rule("r", "sql-filter", map("expression", list())),
            rule("r", "correlation-filter", map("to", 1)),
            rule("r", "correlation-filter", map("properties", map("a", null))),
            rule("r", "correlation-filter", map("properties", map("a", list(1)))),
            rule("r", "correlation-filter", map("properties", map("", 1)))
        }) {
            assertError(add(body), 400, "com.microsoft:argument-error");
        }
        Map<Object, Object> huge = map();
        for (int i = 0; i < 60_000; i++) {
            huge.put("p" + i, i);
        }
        assertError(add(rule("r", "correlation-filter", map("properties", huge))), 400, "com.microsoft:argument-error");
        assertError(
                add(rule("r", "correlation-filter", map("properties", map("a", "x".repeat(500_000))))),
                400,
                "com.microsoft:argument-error");
        assertError(
                management.call("com.microsoft:enumerate-rules", map("top", 0, "skip", 0)),
                400,
                "com.microsoft:argument-out-of-range");
        assertError(
                management.call("com.microsoft:enumerate-rules", map("top", 1, "skip", -1)),
                400,
                "com.microsoft:argument-out-of-range");
        assertError(
                management.call("com.microsoft:remove-rule", map("rule-name", 5)), 400, "com.microsoft:argument-error");
        assertThat(rules(100, 0)).hasSize(1);
    }

    @Test
    @DisplayName("RULE-11: a change of rules applies to messages accepted afterwards")
    void rulesActAfterwards() {
        send(topic, "before");
        management.call("com.microsoft:remove-rule", map("rule-name", "$Default"), 200);
        send(topic, "between");
        assertAdded(rule("label", "correlation-filter", map("message-id", "after")));
        send(topic, "after");
        send(topic, "afterwards");
        assertThat(session.receiver(subscription.path()).drain(10).stream()
                        .map(delivery -> delivery.message().dataText()))
                .containsExactly("before", "after");
    }

    @Test
    @DisplayName("A queue, a topic and a dead-letter queue have no rules")
    void noRulesElsewhere() {
        for (String node : List.of(broker.queue(), topic, subscription.deadLetterPath())) {
            RawRequests other = RawRequests.open(session, node + "/$management");
            assertError(other.call("com.microsoft:enumerate-rules", map("top", 1, "skip", 0)), 400, "amqp:not-allowed");
            assertError(other.call("com.microsoft:add-rule", sql("r", "1=1")), 400, "amqp:not-allowed");
            assertError(other.call("com.microsoft:remove-rule", map("rule-name", "r")), 400, "amqp:not-allowed");
        }
    }

    @Test
    @DisplayName(
            "Wire 84: links for the rules of a subscription that is deleted are detached, and new ones are refused")
    void deletedSubscription() {
        broker.delete(subscription.path());
        assertThat(management.receiver().awaitDetachCondition()).isEqualTo("amqp:link:detach-forced");
        assertThat(management.sender().awaitDetachCondition()).isEqualTo("amqp:link:detach-forced");
        assertThat(session.trySender(subscription.path() + "/$management").awaitDetachCondition())
                .isEqualTo("amqp:not-found");
    }
}
