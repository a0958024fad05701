package dev.jitney.gateway.amqp.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.codec.Wire;
import dev.jitney.gateway.amqp.message.ErrorText;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.rule.Rule;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.FalseRuleFilter;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleFilter.TrueRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.RuleValue.Type;
import dev.jitney.model.rule.SqlRuleAction;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.InMemoryBroker;
import dev.jitney.runtime.RecordingEntity;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.Decimal128;
import org.apache.qpid.protonj2.types.DescribedType;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnknownDescribedType;
import org.apache.qpid.protonj2.types.UnsignedByte;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.UnsignedShort;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules over {@code $management}, without a connection (checklist 62). */
class RuleOperationsTest {
    private static final UUID GUID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

    private final InMemoryBroker.InMemoryNamespace namespace = new InMemoryBroker().first;
    private final RecordingEntity subscription = new RecordingEntity()
            .describedAs(SubscriptionDescription.of("news", "all").build());
    private final Queue<Runnable> executor = new ArrayDeque<>();
    private final List<Map<String, Object>> properties = new ArrayList<>();
    private final List<Map<String, Object>> bodies = new ArrayList<>();
    private final List<Set<AccessRight>> asked = new ArrayList<>();
    private String path = "news/Subscriptions/all/$management";
    private Rejection denial;

    @BeforeEach
    void add() {
        namespace.entities.put(EntityAddress.keyOf(subscription.path()), subscription);
    }

    @Test
    @DisplayName("A rule is created with filter, action and name, and answered on the connection's executor"
            + " (checklist 62, RULE-2)")
    void addsRules() {
        namespace.ruleAnswer = new CompletableFuture<>();
        start("add-rule", rule("red", Map.of("sql-filter", sql("color = 'red'"), "sql-rule-action", sql("SET a = 1"))));
        assertThat(namespace.ruleChanges)
                .containsExactly(new RuleDescription(
                        "red", new SqlRuleFilter("color = 'red'", Map.of()), new SqlRuleAction("SET a = 1", Map.of())));
        namespace.ruleAnswer.complete(subscription);
        assertThat(properties).as("no answer on the shard's thread").isEmpty();
        executor.remove().run();
        assertThat(lastProperties()).containsEntry("statusCode", 200).doesNotContainKey("errorCondition");
        assertThat(lastBody()).isEmpty();
    }

    @Test
    @DisplayName("True and false filters arrive as sql-filter with 1=1 and 1=0; an action may be null (wire 6.9)")
    void readsTrueAndFalse() {
        Map<String, Object> description = new HashMap<>();
        description.put("sql-filter", sql("1=1"));
        description.put("sql-rule-action", null);
        description.put("rule-name", "YES");
        ask("add-rule", rule("yes", description));
        ask("add-rule", rule("no", Map.of("sql-filter", sql("1=0"))));
        ask("add-rule", rule("sql", Map.of("sql-filter", sql("1 = 1"))));
        assertThat(namespace.ruleChanges)
                .containsExactly(
                        new RuleDescription("yes", TrueRuleFilter.INSTANCE, null),
                        new RuleDescription("no", new FalseRuleFilter(), null),
                        new RuleDescription("sql", new SqlRuleFilter("1 = 1", Map.of()), null));
    }

    @Test
    @DisplayName("Parameters of expressions keep their types (FILTER-22)")
    void readsParameters() {
        ask(
                "add-rule",
                rule(
                        "p",
                        Map.of(
                                "sql-filter",
                                Map.of("expression", "a = @a", "parameters", Map.of("@a", 7L)),
                                "sql-rule-action",
                                Map.of("expression", "SET a = @b", "parameters", Map.of(Symbol.valueOf("@b"), "x")))));
        assertThat(namespace.ruleChanges)
                .containsExactly(new RuleDescription(
                        "p",
                        new SqlRuleFilter("a = @a", Map.of("@a", new RuleValue(Type.LONG, "7"))),
                        new SqlRuleAction("SET a = @b", Map.of("@b", RuleValue.ofString("x")))));
    }

    @Test
    @DisplayName("A correlation filter is read with all its strings, nulls and typed properties (FILTER-26)")
    void readsCorrelationFilters() {
        Map<String, Object> filter = new HashMap<>();
        filter.put("correlation-id", "c");
        filter.put("message-id", null);
        filter.put("to", "t");
        filter.put("reply-to", "r");
        filter.put("label", "l");
        filter.put("session-id", "s");
        filter.put("reply-to-session-id", "rs");
        filter.put("content-type", "ct");
        filter.put("properties", Map.of("n", 1));
        ask("add-rule", rule("c", Map.of("correlation-filter", filter)));
        assertThat(namespace.ruleChanges)
                .containsExactly(new RuleDescription(
                        "c",
                        new CorrelationRuleFilter(
                                "c", null, "t", "r", "l", "s", "rs", "ct", Map.of("n", new RuleValue(Type.INT, "1"))),
                        null));
    }

    @Test
    @DisplayName("A property of a correlation filter without a value is accepted, and is no condition (wire 6.9)")
    void takesNullPropertiesOfCorrelationFilters() {
        Map<String, Object> properties = new HashMap<>();
        properties.put("none", null);
        properties.put("n", 1);
        ask("add-rule", rule("c", Map.of("correlation-filter", Map.of("properties", properties))));
        assertThat(namespace.ruleChanges)
                .containsExactly(new RuleDescription(
                        "c",
                        new CorrelationRuleFilter(
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                Map.of("n", new RuleValue(Type.INT, "1"))),
                        null));
    }

    private static Map<String, Object> typedValues() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("string", "text");
        values.put("boolean", true);
        values.put("byte", (byte) -1);
        values.put("ubyte", UnsignedByte.valueOf((byte) 200));
        values.put("short", (short) -300);
        values.put("ushort", UnsignedShort.valueOf(60_000));
        values.put("int", -70_000);
        values.put("uint", UnsignedInteger.valueOf(3_000_000_000L));
        values.put("long", Long.MIN_VALUE);
        values.put("ulong", UnsignedLong.valueOf(-1L));
        values.put("float", 1.5f);
        values.put("double", Double.NEGATIVE_INFINITY);
        values.put("nan", Double.NaN);
        values.put("decimal", new Decimal128(Wire.hex("303e0000000000000000000000000019"))); // 2.5
        values.put("char", 'x');
        values.put("uuid", GUID);
        values.put("timestamp", new Date(1_700_000_000_123L));
        values.put("uri", new UnknownDescribedType(Symbol.valueOf("com.microsoft:uri"), "http://a/b"));
        values.put("timespan", new UnknownDescribedType(Symbol.valueOf("com.microsoft:timespan"), -937_840_000_001L));
        values.put("binary", new Binary(new byte[] {1, 2, 3}));
        return values;
    }

    @Test
    @DisplayName("Values of properties keep their types in requests and answers (FILTER-27, MSG-6)")
    void keepsTypes() {
        ask("add-rule", rule("typed", Map.of("correlation-filter", Map.of("properties", typedValues()))));
        RuleDescription created = (RuleDescription) namespace.ruleChanges.get(0);
        Map<String, RuleValue> values = ((CorrelationRuleFilter) created.filter()).properties();
        assertThat(values)
                .containsEntry("ulong", new RuleValue(Type.UNSIGNED_LONG, "18446744073709551615"))
                .containsEntry("double", new RuleValue(Type.DOUBLE, "-INF"))
                .containsEntry("nan", new RuleValue(Type.DOUBLE, "NaN"))
                .containsEntry("decimal", new RuleValue(Type.DECIMAL, "2.5"))
                .containsEntry("uuid", new RuleValue(Type.GUID, GUID.toString()))
                .containsEntry("timestamp", new RuleValue(Type.DATE_TIME, "2023-11-14T22:13:20.123Z"))
                .containsEntry("timespan", new RuleValue(Type.DURATION, "-P1DT2H3M4.0000001S"))
                .containsEntry("binary", new RuleValue(Type.BASE64_BINARY, "AQID"));

        subscription.withRules(List.of(new Rule(created, 1)));
        ask("enumerate-rules", page(100, 0));
        List<?> filter = (List<?>) field(lastRules().get(0), 0).getDescribed();
        assertThat(filter).hasSize(9);
        Map<?, ?> properties = (Map<?, ?>) filter.get(8);
        typedValues()
                .forEach((name, value) -> assertThat(Wire.encodeValue(properties.get(name)))
                        .as(name)
                        .isEqualTo(Wire.encodeValue(value instanceof Date date ? date.getTime() : value)));
    }

    @Test
    @DisplayName("Rules are returned as a list of maps with described lists of full length and numeric"
            + " descriptors (checklist 62)")
    void listsRules() {
        subscription.withRules(List.of(
                stored("$Default", TrueRuleFilter.INSTANCE, null),
                stored(
                        "correlated",
                        new CorrelationRuleFilter("c", null, null, null, null, null, null, null, Map.of()),
                        null),
                stored("never", new FalseRuleFilter(), null),
                stored("sql", new SqlRuleFilter("a = 1", Map.of()), new SqlRuleAction("SET b = 1", Map.of()))));
        ask("enumerate-rules", page(2_147_483_647, 0));
        assertThat(lastProperties()).containsEntry("statusCode", 200);
        List<DescribedType> rules = lastRules();
        assertThat(rules).allSatisfy(rule -> {
            assertThat(rule.getDescriptor()).isEqualTo(UnsignedLong.valueOf(1_335_734_829_060L));
            assertThat((List<?>) rule.getDescribed()).hasSize(4);
            assertThat(((List<?>) rule.getDescribed()).get(3)).isEqualTo(5_000L);
        });
        assertThat(rules.stream().map(rule -> (Object) ((List<?>) rule.getDescribed()).get(2)))
                .containsExactly("$Default", "correlated", "never", "sql");
        assertThat(rules.stream().map(rule -> field(rule, 0).getDescriptor()))
                .containsExactly(
                        UnsignedLong.valueOf(83_483_426_823L),
                        UnsignedLong.valueOf(83_483_426_825L),
                        UnsignedLong.valueOf(83_483_426_824L),
                        UnsignedLong.valueOf(83_483_426_822L));
        assertThat(rules.stream().map(rule -> field(rule, 1).getDescriptor()))
                .containsExactly(
                        UnsignedLong.valueOf(1_335_734_829_061L),
                        UnsignedLong.valueOf(1_335_734_829_061L),
                        UnsignedLong.valueOf(1_335_734_829_061L),
                        UnsignedLong.valueOf(1_335_734_829_062L));
        assertThat(field(rules.get(0), 0).getDescribed()).isEqualTo(List.of());
        assertThat(field(rules.get(0), 1).getDescribed()).isEqualTo(List.of());
        List<Object> correlation = new ArrayList<>(Collections.nCopies(9, null));
        correlation.set(0, "c");
        correlation.set(8, Map.of());
        assertThat(field(rules.get(1), 0).getDescribed()).isEqualTo(correlation);
        assertThat(field(rules.get(3), 0).getDescribed()).isEqualTo(List.of("a = 1", 20));
        assertThat(field(rules.get(3), 1).getDescribed()).isEqualTo(List.of("SET b = 1", 20));
    }

    @ParameterizedTest
    @CsvSource({"100, 0, 100", "100, 200, 50", "2147483647, 0, 250", "1, 249, 1", "5, 9223372036854775807, 0"})
    @DisplayName("Top and skip select a page, and an empty page answers 204 (checklist 62)")
    void pages(int top, long skip, int expected) {
        subscription.withRules(IntStream.range(0, 250)
                .mapToObj(i -> stored("rule" + i, TrueRuleFilter.INSTANCE, null))
                .toList());
        ask("enumerate-rules", page(top, skip));
        assertThat(lastProperties()).containsEntry("statusCode", expected == 0 ? 204 : 200);
        assertThat(expected == 0 ? List.of() : lastRules()).hasSize(expected);
        assertThat(lastBody().keySet()).isEqualTo(expected == 0 ? Set.of() : Set.of("rules"));
    }

    @Test
    @DisplayName("A subscription without rules lists none, with 204 (RULE-3)")
    void listsNone() {
        ask("enumerate-rules", page(100, 0));
        assertThat(lastProperties()).containsEntry("statusCode", 204);
        assertThat(lastBody()).isEmpty();
    }

    @Test
    @DisplayName("A request for more rules than fit an answer is refused, never truncated")
    void refusesAnswersTooLarge() {
        String expression = "a = '" + "x".repeat(1_000) + "'";
        subscription.withRules(IntStream.range(0, 13_000)
                .mapToObj(i -> stored("rule" + i, new SqlRuleFilter(expression, Map.of()), null))
                .toList());
        ask("enumerate-rules", page(2_147_483_647, 0));
        assertRefused(ErrorCode.MESSAGE_SIZE_EXCEEDED, "top");
        ask("enumerate-rules", page(1_000, 0));
        assertThat(lastRules()).hasSize(1_000);
    }

    @Test
    @DisplayName("Remove takes the name; a duplicate rule answers 409 and a missing one 404 (checklist 62, RULE-2)")
    void removesRules() {
        ask("remove-rule", Map.of("rule-name", "$Default"));
        assertThat(namespace.ruleChanges).containsExactly("$Default");
        assertThat(lastProperties()).containsEntry("statusCode", 200);
        namespace.ruleAnswer = failed(new Rejection(ErrorCode.ENTITY_NOT_FOUND, "No rule 'x'."));
        ask("remove-rule", Map.of("rule-name", "x"));
        assertRefused(ErrorCode.ENTITY_NOT_FOUND, "could not be found");
        assertThat(lastProperties()).containsEntry("statusCode", 404);
        namespace.ruleAnswer = failed(Rejection.of(ErrorCode.ENTITY_EXISTS));
        ask("add-rule", rule("x", Map.of("sql-filter", sql("1=1"))));
        assertRefused(ErrorCode.ENTITY_EXISTS, "exists");
        assertThat(lastProperties()).containsEntry("statusCode", 409);
        assertThat((String) lastProperties().get("statusDescription")).contains("SystemTracker:ns:Topic:news|all,");
    }

    @Test
    @DisplayName("An internal error is answered once (wire 6.1)")
    void answersBugs() {
        namespace.ruleAnswer = CompletableFuture.failedFuture(new IllegalStateException("broken on purpose"));
        ask("remove-rule", Map.of("rule-name", "x"));
        assertRefused(ErrorCode.INTERNAL, "");
        assertThat(properties).hasSize(1);
    }

    @Test
    @DisplayName("Rule operations require Manage or Listen, checked before any argument is read (RULE-14)")
    void asksForRights() {
        denial = new Rejection(ErrorCode.UNAUTHORIZED, "Neither Manage nor Listen.");
        for (String operation : List.of("add-rule", "remove-rule", "enumerate-rules")) {
            ask(operation, Map.of());
            assertRefused(ErrorCode.UNAUTHORIZED, "Neither");
        }
        assertThat(asked).hasSize(3).containsOnly(Set.of(AccessRight.MANAGE, AccessRight.LISTEN));
        assertThat(namespace.ruleChanges).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"add-rule", "remove-rule", "enumerate-rules"})
    @DisplayName("A dead-letter queue has no rules (DLQ-2)")
    void refusesSubQueues(String operation) {
        path = "news/Subscriptions/all/$DeadLetterQueue/$management";
        ask(operation, Map.of());
        assertRefused(ErrorCode.INVALID_OPERATION, "dead-letter");
    }

    @Test
    @DisplayName("Rules of a deleted subscription are not found (IDLE-13)")
    void missesDeletedSubscriptions() {
        namespace.entities.clear();
        ask("enumerate-rules", page(100, 0));
        assertRefused(ErrorCode.ENTITY_NOT_FOUND, "could not be found");
    }

    @Test
    @DisplayName("Missing, surplus or invalid arguments are argument errors that name them (FILTER-2)")
    void refusesWrongArguments() {
        Map<String, Object> sql = sql("1=1");
        assertBad(Map.of("rule-name", "r"), "'rule-description'");
        assertBad(Map.of("rule-description", Map.of("sql-filter", sql)), "'rule-name'");
        assertBad(Map.of("rule-name", 7, "rule-description", Map.of("sql-filter", sql)), "a string");
        assertBad(Map.of("rule-name", "r", "rule-description", "sql-filter"), "a map in argument 'rule-description'");
        assertBad(rule("r", Map.of()), "none");
        assertBad(rule("r", Map.of("sql-filter", sql, "correlation-filter", Map.of("to", "t"))), "both");
        assertBad(rule("r", Map.of("sql-filter", "1=1")), "'rule-description.sql-filter'");
        assertBad(rule("r", Map.of("sql-filter", Map.of())), "'rule-description.sql-filter.expression'");
        assertBad(rule("r", Map.of("sql-filter", Map.of("expression", 1))), "a string");
        assertBad(rule("r", Map.of("sql-filter", sql, "sql-rule-action", "SET")), "'rule-description.sql-rule-action'");
        assertBad(rule("r", Map.of("sql-filter", sql, "sql-rule-action", Map.of())), "sql-rule-action.expression");
        assertBad(rule("r", Map.of("sql-filter", sql, "rule-name", "other")), "'r' and 'other'");
        assertBad(
                rule("r", Map.of("correlation-filter", Map.of("label", 1))),
                "'rule-description.correlation-filter.label'");
        assertBad(rule("r", Map.of("correlation-filter", Map.of("properties", List.of()))), "a map");
        assertBad(
                rule("r", Map.of("sql-filter", Map.of("expression", "a=@b", "parameters", "b"))),
                "'rule-description.sql-filter.parameters'");
        for (Object value : new Object[] {
            List.of(1),
            Map.of("a", 1),
            new int[] {1},
            new UnknownDescribedType(Symbol.valueOf("com.microsoft:datetime-offset"), 1L),
            new UnknownDescribedType(UnsignedLong.valueOf(5), "x")
        }) {
            Map<String, Object> values = new HashMap<>();
            values.put("bad", value);
            assertBad(rule("r", Map.of("correlation-filter", Map.of("properties", values))), "'bad'");
        }
        Map<String, Object> many = new HashMap<>();
        IntStream.range(0, 1_025).forEach(i -> many.put("p" + i, i));
        assertBad(rule("r", Map.of("correlation-filter", Map.of("properties", many))), "at most 1024");
        assertThat(namespace.ruleChanges).isEmpty();
    }

    private void assertBad(Map<String, Object> arguments, String words) {
        ask("add-rule", arguments);
        assertRefused(ErrorCode.ARGUMENT, words);
        assertThat(lastProperties()).containsEntry("statusCode", 400);
    }

    @Test
    @DisplayName("Top and skip may have any integer type; other types and values out of range are refused"
            + " (checklist 66)")
    void refusesWrongPages() {
        subscription.withRules(List.of(stored("r", TrueRuleFilter.INSTANCE, null)));
        ask("enumerate-rules", Map.of("top", UnsignedLong.valueOf(5), "skip", UnsignedByte.valueOf((byte) 0)));
        assertThat(lastRules()).hasSize(1);
        ask("enumerate-rules", page(0, 0));
        assertRefused(ErrorCode.OUT_OF_RANGE, "'top'");
        ask("enumerate-rules", page(1, -1));
        assertRefused(ErrorCode.OUT_OF_RANGE, "'skip'");
        ask("enumerate-rules", Map.of("top", "1", "skip", 0));
        assertRefused(ErrorCode.ARGUMENT, "'top'");
        ask("enumerate-rules", Map.of("top", 1));
        assertRefused(ErrorCode.ARGUMENT, "'skip'");
    }

    @Test
    @DisplayName("Hostile bytes in a rule are answered once, and never as a failure of the server")
    void survivesMutatedRequests() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] valid = Wire.bytes(request(
                "add-rule", rule("typed", Map.of("correlation-filter", Map.of("properties", typedValues())))));
        for (int i = 0; i < 20_000; i++) {
            byte[] mutated = valid.clone();
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                mutated[random.nextInt(mutated.length)] = (byte) random.nextInt();
            }
            properties.clear();
            bodies.clear();
            handle(Wire.buffer(mutated));
            assertThat(properties).as("seed %d, round %d", seed, i).hasSize(1);
            assertThat((Integer) properties.get(0).get("statusCode"))
                    .as("seed %d, round %d", seed, i)
                    .isIn(200, 400, 501);
        }
    }

    private static Rule stored(String name, RuleFilter filter, SqlRuleAction action) {
        return new Rule(new RuleDescription(name, filter, action), 5_000);
    }

    private static Map<String, Object> sql(String expression) {
        return Map.of("expression", expression);
    }

    private static Map<String, Object> rule(String name, Map<String, Object> description) {
        return Map.of("rule-name", name, "rule-description", description);
    }

    private static Map<String, Object> page(int top, long skip) {
        return Map.of("top", top, "skip", skip);
    }

    private static <T> CompletableFuture<T> failed(Rejection rejection) {
        return CompletableFuture.failedFuture(new BrokerException(rejection));
    }

    private static ProtonBuffer request(String operation, Map<String, Object> arguments) {
        return Wire.encode(
                new Properties(),
                new ApplicationProperties(Map.of("operation", "com.microsoft:" + operation)),
                new AmqpValue<>(arguments));
    }

    private void ask(String operation, Map<String, Object> arguments) {
        handle(request(operation, arguments));
    }

    private void handle(ProtonBuffer request) {
        start(request);
        while (!executor.isEmpty()) {
            executor.remove().run();
        }
    }

    private void start(String operation, Map<String, Object> arguments) {
        start(request(operation, arguments));
    }

    @SuppressWarnings("unchecked")
    private void start(ProtonBuffer request) {
        ManagementNode node = new ManagementNode(
                namespace,
                subscription,
                EntityAddress.parse(path),
                rights -> {
                    asked.add(rights);
                    return denial;
                },
                HeldSessions.NONE,
                NamedLinks.NONE,
                executor::add,
                new ErrorText("ns", () -> 100_000),
                16L << 20);
        node.handle(request, (id, replyTo, encoded) -> {
            properties.add(Wire.section(encoded, ApplicationProperties.class).getValue());
            bodies.add(
                    (Map<String, Object>) Wire.section(encoded, AmqpValue.class).getValue());
        });
    }

    private Map<String, Object> lastProperties() {
        return properties.get(properties.size() - 1);
    }

    private Map<String, Object> lastBody() {
        return bodies.get(bodies.size() - 1);
    }

    /** Returns the described values of the last answer, each alone in a map. */
    private List<DescribedType> lastRules() {
        return ((List<?>) lastBody().get("rules"))
                .stream()
                        .map(entry -> {
                            Map<?, ?> map = (Map<?, ?>) entry;
                            assertThat(map.keySet()).isEqualTo(Set.of("rule-description"));
                            return (DescribedType) map.get("rule-description");
                        })
                        .toList();
    }

    private static DescribedType field(DescribedType rule, int index) {
        return (DescribedType) ((List<?>) rule.getDescribed()).get(index);
    }

    private void assertRefused(ErrorCode code, String words) {
        assertThat(lastProperties())
                .containsEntry("statusCode", code.httpStatus())
                .containsEntry("errorCondition", Symbol.valueOf(code.amqpCondition()));
        assertThat((String) lastProperties().get("statusDescription"))
                .contains(words)
                .contains("TrackingId:");
        assertThat(lastBody()).isEmpty();
    }
}
