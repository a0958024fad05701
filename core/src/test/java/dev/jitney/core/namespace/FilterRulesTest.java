package dev.jitney.core.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Limits;
import dev.jitney.model.Rejection;
import dev.jitney.model.TierProfile;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.FalseRuleFilter;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleFilter.TrueRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.SqlRuleAction;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("HTTP 2.7, 5.2: valid and invalid rules")
class FilterRulesTest {
    private static final Limits LIMITS = Limits.of(TierProfile.STANDARD);

    private static @Nullable Rejection refusal(RuleFilter filter) {
        return FilterRules.refuse(new RuleDescription("r", filter, null), LIMITS);
    }

    private static CorrelationRuleFilter correlation(Map<String, RuleValue> properties) {
        return new CorrelationRuleFilter(null, null, null, null, null, null, null, null, properties);
    }

    private static CorrelationRuleFilter label(String label) {
        return new CorrelationRuleFilter(null, null, null, null, label, null, null, null, Map.of());
    }

    @Test
    @DisplayName("FILTER-23, HTTP checklist 51: an SQL text has 1 to 1,024 characters, in filters and actions")
    void expressionLength() {
        for (String fits : new String[] {"1=1", "x".repeat(1_024)}) {
            assertThat(refusal(new SqlRuleFilter(fits, Map.of()))).isNull();
        }
        for (String fits : new String[] {"SET a=1", "REMOVE " + "x".repeat(1_017)}) {
            assertThat(action(fits)).isNull();
        }
        for (String bad : new String[] {"", "  ", "x".repeat(1_025)}) {
            for (Rejection refusal : new Rejection[] {refusal(new SqlRuleFilter(bad, Map.of())), action(bad)}) {
                assertThat(refusal).isNotNull();
                assertThat(refusal.code()).isEqualTo(ErrorCode.ARGUMENT);
                assertThat(refusal.description()).contains("SqlExpression", "1024 characters");
            }
        }
    }

    @Test
    @DisplayName("HTTP checklist 51: an error in an SQL text is reported with its position when the rule is created")
    void syntax() {
        for (Rejection refusal :
                new Rejection[] {refusal(new SqlRuleFilter("a = 1 AND", Map.of())), action("SET a = 1 AND")}) {
            assertThat(refusal).isNotNull();
            assertThat(refusal.code()).isEqualTo(ErrorCode.ARGUMENT);
            assertThat(refusal.description()).contains("line 1, column");
        }
    }

    private static @Nullable Rejection action(String expression) {
        return FilterRules.refuse(
                new RuleDescription("r", TrueRuleFilter.INSTANCE, new SqlRuleAction(expression, Map.of())), LIMITS);
    }

    @Test
    @DisplayName("HTTP 2.7: a correlation filter has at least one condition; true and false filters need none")
    void conditions() {
        assertThat(refusal(TrueRuleFilter.INSTANCE)).isNull();
        assertThat(refusal(new FalseRuleFilter())).isNull();
        assertThat(refusal(label("l"))).isNull();
        assertThat(refusal(correlation(Map.of("n", RuleValue.ofString("1"))))).isNull();
        assertThat(refusal(correlation(Map.of()))).isNotNull();
    }

    @Test
    @DisplayName("QUOTA-6: the values of a rule are limited like the properties of a message")
    void bounds() {
        assertThat(refusal(label("l".repeat(32 * 1_024)))).isNull();
        assertThat(refusal(label("l".repeat(32 * 1_024 + 1)))).isNotNull();
        assertThat(refusal(correlation(Map.of("n", RuleValue.ofString("x".repeat(64 * 1_024))))))
                .isNotNull();
        assertThat(refusal(correlation(Map.of("", RuleValue.ofString("x"))))).isNotNull();
        Map<String, RuleValue> many = new LinkedHashMap<>();
        for (int i = 0; i < 1_024; i++) {
            many.put("n" + i, RuleValue.ofString("1"));
        }
        assertThat(refusal(correlation(many))).isNull();
        many.put("one more", RuleValue.ofString("1"));
        assertThat(refusal(correlation(many))).isNotNull();
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "STRING,anything at all",
                "BOOLEAN,true",
                "BOOLEAN,False",
                "BOOLEAN,1",
                "BYTE,-128",
                "SHORT,32767",
                "INT,-2147483648",
                "INT,+5",
                "INT,\" 5 \"",
                "LONG,9223372036854775807",
                "UNSIGNED_BYTE,255",
                "UNSIGNED_SHORT,65535",
                "UNSIGNED_INT,4294967295",
                "UNSIGNED_LONG,18446744073709551615",
                "FLOAT,1.5e10",
                "DOUBLE,-INF",
                "DOUBLE,7",
                "DOUBLE,.5",
                "DOUBLE,NaN",
                "DECIMAL,79228162514264337593543950335",
                "DATE_TIME,2026-11-20T10:00:00Z",
                "DATE_TIME,2026-11-20T10:00:00.1234567+01:00",
                "DATE_TIME,2026-11-20T10:00:00",
                "DURATION,P1DT2H",
                "GUID,6a0e6ed4-4d3c-4c88-9a0f-8f2f4d1c3a55",
                "CHAR,x",
                "CHAR,65535",
                "ANY_URI,https://a.example/b?c",
                "BASE64_BINARY,AAEC",
            })
    @DisplayName("HTTP checklist 49: values whose text is valid for their type")
    void valuesThatFit(RuleValue.Type type, String text) {
        assertThat(refusal(correlation(Map.of("n", new RuleValue(type, text))))).isNull();
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "BOOLEAN,yes",
                "BOOLEAN,\"\"",
                "BYTE,128",
                "SHORT,-32769",
                "INT,abc",
                "INT,2147483648",
                "INT,1.0",
                "INT,\"\"",
                "INT,1 2",
                "LONG,9223372036854775808",
                "UNSIGNED_BYTE,-1",
                "UNSIGNED_INT,4294967296",
                "UNSIGNED_LONG,18446744073709551616",
                "FLOAT,1f",
                "DOUBLE,0x1p3",
                "DOUBLE,Infinity",
                "DOUBLE,1e999999",
                "DECIMAL,1e5",
                "DATE_TIME,2026-11-20",
                "DATE_TIME,2026-13-20T10:00:00Z",
                "DATE_TIME,2026-11-20T10:00:00+01:00[Europe/Berlin]",
                "DURATION,1 day",
                "DURATION,P1W",
                "GUID,6a0e6ed4",
                "CHAR,xy",
                "CHAR,65536",
                "ANY_URI,a b",
                "BASE64_BINARY,A",
            })
    @DisplayName("HTTP 2.7: a value whose text is invalid for its type is refused, with name, type and text")
    void valuesThatDoNotFit(RuleValue.Type type, String text) {
        RuleValue value = new RuleValue(type, text);
        for (RuleFilter filter :
                new RuleFilter[] {correlation(Map.of("key", value)), new SqlRuleFilter("a = key", Map.of("key", value))
                }) {
            Rejection refusal = refusal(filter);
            assertThat(refusal).isNotNull();
            assertThat(refusal.code()).isEqualTo(ErrorCode.ARGUMENT);
            assertThat(refusal.description()).contains("'key'", type.xsdName(), "'" + text + "'");
        }
    }

    @Test
    @DisplayName("HTTP 2.7: a long text does not fill the answer, nor does a long number take long to refuse")
    void hostileValues() {
        Rejection refusal = refusal(correlation(Map.of("n", new RuleValue(RuleValue.Type.INT, "9".repeat(60_000)))));
        assertThat(refusal).isNotNull();
        assertThat(refusal.description()).hasSizeLessThan(400);
    }
}
