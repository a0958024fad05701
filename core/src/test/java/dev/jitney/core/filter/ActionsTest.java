package dev.jitney.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.core.filter.property.PropertyChange;
import dev.jitney.core.filter.property.PropertyChange.RemoveUserProperty;
import dev.jitney.core.filter.property.PropertyChange.SetForcePersistence;
import dev.jitney.core.filter.property.PropertyChange.SetScheduledEnqueueTime;
import dev.jitney.core.filter.property.PropertyChange.SetText;
import dev.jitney.core.filter.property.PropertyChange.SetTimeToLive;
import dev.jitney.core.filter.property.PropertyChange.SetUserProperty;
import dev.jitney.core.filter.property.PropertyName;
import dev.jitney.core.filter.property.SystemProperty;
import dev.jitney.core.filter.value.Value;
import dev.jitney.core.filter.value.ValueDecoder;
import dev.jitney.core.filter.value.ValueEncoder;
import dev.jitney.core.filter.value.ValueTexts;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.SqlRuleAction;
import java.math.BigDecimal;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The effects of actions on copies (RULE-6 to 10). */
final class ActionsTest {

    private static List<PropertyChange> changes(String action, Map<String, ?> properties) {
        CompiledAction.Outcome outcome = Filters.action(action).apply(Messages.with(properties));
        assertThat(outcome.error()).isNull();
        return outcome.changes();
    }

    private static SetUserProperty set(String name, Object value) {
        return new SetUserProperty(name, new EncodedValue(Messages.encode(value).array()));
    }

    private static EncodedValue encodedLong(long value) {
        return ValueEncoder.encode(Value.ofLong(value));
    }

    @Test
    @DisplayName("RULE-7: SET creates a property with the type of its value")
    void createsProperties() {
        assertThat(changes("SET a = 'x' SET b = 1; SET c = TRUE; SET d = 1.5; SET e = NULL; SET f = m;", Map.of()))
                .containsExactly(
                        new SetUserProperty("a", EncodedValue.ofString("x")),
                        new SetUserProperty("b", encodedLong(1)),
                        set("c", true),
                        set("d", 1.5),
                        new SetUserProperty("e", ValueEncoder.encode(Value.NULL)),
                        new SetUserProperty("f", ValueEncoder.encode(Value.NULL)));
    }

    @Test
    @DisplayName("RULE-7: an existing property keeps its spelling and type")
    void keepsSpellingAndType() {
        assertThat(changes("SET COLOR = 1", Map.of("Color", "red")))
                .containsExactly(new SetUserProperty("Color", EncodedValue.ofString("1")));
        assertThat(changes("SET a = '42'", Map.of("A", 7)))
                .containsExactly(new SetUserProperty("A", ValueEncoder.encode(Value.ofInt(42))));
        assertThat(changes("SET a = NULL; SET a = 'x'", Map.of("a", 7)))
                .containsExactly(new SetUserProperty("a", EncodedValue.ofString("x")));
        assertThat(changes("REMOVE a; SET a = 'x'", Map.of("a", 7)))
                .containsExactly(new SetUserProperty("a", EncodedValue.ofString("x")));
    }

    @Test
    @DisplayName("RULE-10: statements run in order and see the changes of earlier ones")
    void runsInOrder() {
        assertThat(changes("SET a=1; SET b=a+1; SET c=b*10", Map.of()))
                .containsExactly(
                        new SetUserProperty("a", encodedLong(1)),
                        new SetUserProperty("b", encodedLong(2)),
                        new SetUserProperty("c", encodedLong(20)));
        assertThat(changes("SET a='x' SET A=a+'y' SET [a]=a+'z'", Map.of()))
                .containsExactly(new SetUserProperty("a", EncodedValue.ofString("xyz")));
    }

    @Test
    @DisplayName("RULE-9: REMOVE deletes a property and ignores a missing one")
    void removes() {
        assertThat(changes("REMOVE A; REMOVE b; SET c = 1; REMOVE c", Map.of("a", 1)))
                .containsExactly(new RemoveUserProperty("a"));
    }

    @Test
    @DisplayName("RULE-10, FILTER-24: an error leaves no changes and contains the kind of exception")
    void anErrorDiscardsTheCopy() {
        CompiledAction.Outcome outcome =
                Filters.action("SET a = 1; SET b = 1/zero").apply(Messages.with(Map.of("zero", 0)));

        assertThat(outcome.changes()).isEmpty();
        assertThat(outcome.error())
                .isEqualTo(new EvaluationError(
                        "RuleActionException", "Expected a divisor other than zero, but '/' got 0."));
    }

    @Test
    @DisplayName("RULE-6: two actions on the same message both see the original")
    void leavesTheMessageAlone() {
        Evaluation message = Messages.with(Map.of("a", 1));
        CompiledAction action = Filters.action("SET a = a + 1");

        List<PropertyChange> first = action.apply(message).changes();

        assertThat(action.apply(message).changes())
                .isEqualTo(first)
                .containsExactly(new SetUserProperty("a", ValueEncoder.encode(Value.ofInt(2))));
    }

    @Test
    @DisplayName("RULE-8: settable system properties are set, in their own types")
    void setsSystemProperties() {
        assertThat(changes(
                        "SET sys.Label = 5; SET sys.To = NULL; SET sys.TimeToLive = '00:01:00';"
                                + " SET sys.ScheduledEnqueueTimeUtc = '2023-11-14T22:13:20Z'; SET sys.ForcePersistence = 'false';"
                                + " SET sys.SessionId = sys.Label + '!'; SET copy = sys.TimeToLive",
                        Map.of()))
                .containsExactlyInAnyOrder(
                        new SetText(SystemProperty.LABEL, "5"),
                        new SetText(SystemProperty.TO, null),
                        new SetText(SystemProperty.SESSION_ID, "5!"),
                        new SetTimeToLive(60_000),
                        new SetScheduledEnqueueTime(Messages.ENQUEUED_MS),
                        new SetForcePersistence(false),
                        new SetUserProperty(
                                "copy", ValueEncoder.encode(Value.ofTicks(Value.Kind.TIME_SPAN, 600_000_000))));
        assertThat(changes("SET sys.TimeToLive = NULL SET sys.ScheduledEnqueueTimeUtc = NULL", Map.of()))
                .containsExactlyInAnyOrder(new SetTimeToLive(Messages.never()), new SetScheduledEnqueueTime(0));
    }

    @ParameterizedTest(name = "RULE-8: sys.{0} can be set")
    @ValueSource(
            strings = {
                "ContentType",
                "CorrelationId",
                "Label",
                "MessageId",
                "PartitionKey",
                "ReplyTo",
                "ReplyToSessionId",
                "ScheduledEnqueueTimeUtc",
                "SessionId",
                "TimeToLive",
                "To",
                "ViaPartitionKey",
                "ForcePersistence"
            })
    void maySet(String property) {
        assertThat(Filters.action("SET sys." + property + " = 'x'")).isNotNull();
        assertThat(Filters.actionRefusal("REMOVE sys." + property)).contains("a user property after REMOVE");
    }

    @ParameterizedTest(name = "RULE-8: sys.{0} cannot be set")
    @ValueSource(
            strings = {
                "DeliveryCount",
                "EnqueuedSequenceNumber",
                "EnqueuedTimeUtc",
                "ExpiresAtUtc",
                "SequenceNumber",
                "Size",
                "Nope"
            })
    void mayNotSet(String property) {
        assertThat(Filters.actionRefusal("SET sys." + property + " = 1")).contains("line 1, column");
    }

    @ParameterizedTest(name = "RULE-8: {0} fails on the message")
    @ValueSource(
            strings = {
                "SET sys.TimeToLive = 5", "SET sys.TimeToLive = '-00:00:01'", "SET sys.TimeToLive = '00:00:00'",
                "SET sys.MessageId = NULL", "SET sys.ScheduledEnqueueTimeUtc = 'soon'",
                        "SET sys.ForcePersistence = 'yes'"
            })
    void systemPropertiesHaveTheirTypes(String action) {
        assertThat(Filters.action(action).apply(Messages.with(Map.of())).error())
                .isNotNull();
    }

    @ParameterizedTest(name = "RULE-7: {0} set to {1} becomes {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "-", textBlock = """
            string  | 1.50                                   | 1.5
            string  | 1E20                                   | 1E+20
            string  | TRUE                                   | True
            string  | guid                                   | 00000000-0000-0000-0000-000000000001
            string  | span                                   | 1.02:03:04.5000000
            string  | time                                   | 2023-11-14T22:13:20Z
            string  | decimal                                | 12.50
            string  | uri                                    | http://a
            string  | binary                                 | -
            int     | ' 42 '                                 | 42
            int     | '4.5'                                  | -
            int     | 2.5                                    | 2
            int     | 3.5                                    | 4
            int     | 2147483648                             | -
            int     | TRUE                                   | 1
            int     | 'x'                                    | -
            int     | guid                                   | -
            uint    | -1                                     | -
            ulong   | '18446744073709551615'                 | 18446744073709551615
            ulong   | '18446744073709551616'                 | -
            double  | '1e3'                                  | 1000
            double  | '0x10'                                 | -
            float   | 0.1                                    | 0.1
            bool    | 0                                      | False
            bool    | 'TRUE'                                 | True
            bool    | 'yes'                                  | -
            guid    | '00000000-0000-0000-0000-00000000000A' | 00000000-0000-0000-0000-00000000000a
            guid    | 'no'                                   | -
            span    | 'P1DT2H'                               | 1.02:00:00
            span    | '1.02:00:00.0000001'                   | 1.02:00:00.0000001
            span    | 5                                      | -
            time    | '2026-11-21T15:00:00+01:00'            | 2026-11-21T14:00:00Z
            time    | '2026-13-21T15:00:00Z'                 | -
            offset  | time                                   | 2023-11-14T22:13:20Z
            decimal | '1.25'                                 | 1.25
            decimal | 2                                      | 2
            uri     | 'http://b'                             | http://b
            char    | 'ab'                                   | -
            char    | 'b'                                    | b
            binary  | 'x'                                    | -
            """)
    void converts(String target, String value, String expected) throws MessageFormatException {
        CompiledAction.Outcome outcome =
                Filters.action("SET " + target + " = " + value).apply(Messages.with(allTypes()));

        if (expected == null) {
            assertThat(outcome.error()).isNotNull();
            return;
        }
        assertThat(outcome.error()).isNull();
        SetUserProperty change = (SetUserProperty) outcome.changes().get(0);
        byte[] encoding = change.value().encoding();
        Value stored = ValueDecoder.read(new AmqpReader(encoding, 0, encoding.length));
        assertThat(stored.kind())
                .isEqualTo(Messages.with(allTypes())
                        .message()
                        .user(new PropertyName(target))
                        .kind());
        assertThat(ValueTexts.format(stored)).isEqualTo(expected);
    }

    private static Map<String, Object> allTypes() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("string", "");
        properties.put("int", 1);
        properties.put("uint", UnsignedInteger.valueOf(1));
        properties.put("ulong", UnsignedLong.valueOf(1));
        properties.put("double", 1.0);
        properties.put("float", 1f);
        properties.put("bool", true);
        properties.put("guid", new UUID(0, 1));
        properties.put("span", Messages.timeSpan(937_845_000_000L));
        properties.put("time", new Date(Messages.ENQUEUED_MS));
        properties.put("offset", Messages.dateTimeOffset(0));
        properties.put("decimal", Decimal128s.encode(new BigDecimal("12.50")));
        properties.put("uri", Messages.uri("http://a"));
        properties.put("char", 'a');
        properties.put("binary", new Binary(new byte[] {1}));
        return properties;
    }

    @Test
    @DisplayName("RULE-7: a copied property keeps its type, for every type")
    void copiesEveryType() {
        allTypes()
                .forEach((name, value) -> assertThat(changes("SET copy = [" + name + "]", allTypes()))
                        .as(name)
                        .singleElement()
                        .satisfies(change -> {
                            Value original = Messages.with(allTypes()).message().user(new PropertyName(name));
                            assertThat(change).isEqualTo(new SetUserProperty("copy", ValueEncoder.encode(original)));
                        }));
    }

    @Test
    @DisplayName("FILTER-21, 22: actions also have functions and parameters")
    void functionsAndParameters() {
        SqlRuleAction action = new SqlRuleAction(
                "SET id = newid(); SET t = @t; SET x = p('a b')",
                Map.of("@t", new RuleValue(RuleValue.Type.DURATION, "PT1S")));

        assertThat(FilterLanguage.compileAction(action)
                        .get()
                        .apply(Messages.with(Map.of("a b", "c")))
                        .changes())
                .containsExactly(
                        set("id", new UUID(0x4000, 1)),
                        new SetUserProperty("t", ValueEncoder.encode(Value.ofTicks(Value.Kind.TIME_SPAN, 10_000_000))),
                        new SetUserProperty("x", EncodedValue.ofString("c")));
    }

    @Test
    @DisplayName("FILTER-23: 32 statements are accepted, one more is refused")
    void limitsStatements() {
        String many = IntStream.range(0, 32).mapToObj(i -> "SET a" + i + "=1").collect(Collectors.joining(";"));

        assertThat(changes(many, Map.of())).hasSize(32);
        assertThat(Filters.actionRefusal(many + " REMOVE b")).contains("at most 32 statements");
    }
}
