package dev.jitney.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.RuleValue.Type;
import java.math.BigDecimal;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedByte;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.UnsignedShort;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** FILTER-26, 27: matches of correlation filters. */
final class CorrelationFilterTest {

    static CompiledFilter filter(@Nullable String label, Map<String, RuleValue> properties) {
        return FilterLanguage.compileFilter(
                        new CorrelationRuleFilter(null, null, null, null, label, null, null, null, properties))
                .get();
    }

    @Test
    @DisplayName("FILTER-26: all conditions must be true")
    void allConditionsHaveToHold() {
        CompiledFilter both = filter("l", Map.of("color", RuleValue.ofString("red")));

        assertThat(both.evaluate(Messages.with(Map.of("Color", "red"), p -> p.setSubject("l")))
                        .isTrue())
                .isTrue();
        assertThat(both.evaluate(Messages.with(Map.of("color", "red"))).isFalse())
                .isTrue();
        assertThat(both.evaluate(Messages.with(Map.of("color", "Red"), p -> p.setSubject("l")))
                        .isFalse())
                .isTrue();
        assertThat(both.evaluate(Messages.with(Map.of(), p -> p.setSubject("l")))
                        .isFalse())
                .isTrue();
    }

    @Test
    @DisplayName("FILTER-26: each of the eight system properties can be a condition")
    void comparesAllSystemProperties() {
        CompiledFilter all = FilterLanguage.compileFilter(
                        new CorrelationRuleFilter("c", "m", "t", "r", "l", "s", "rs", "ct", Map.of()))
                .get();
        Evaluation message = Messages.with(Map.of(), p -> {
            p.setCorrelationId("c");
            p.setMessageId("m");
            p.setTo("t");
            p.setReplyTo("r");
            p.setSubject("l");
            p.setGroupId("s");
            p.setReplyToGroupId("rs");
            p.setContentType("ct");
        });

        assertThat(all.evaluate(message).isTrue()).isTrue();
        assertThat(all.evaluate(Messages.with(Map.of())).isFalse()).isTrue();
    }

    /** Values that are equal to themselves and to no other, except integers. */
    private static final Object[][] VALUES = {
        {Type.STRING, "1", "1"},
        {Type.CHAR, "49", '1'},
        {Type.ANY_URI, "1", Messages.uri("1")},
        {Type.BOOLEAN, "true", true},
        {Type.BYTE, "1", (byte) 1},
        {Type.SHORT, "1", (short) 1},
        {Type.INT, "1", 1},
        {Type.LONG, "1", 1L},
        {Type.UNSIGNED_BYTE, "1", UnsignedByte.valueOf((byte) 1)},
        {Type.UNSIGNED_SHORT, "1", UnsignedShort.valueOf((short) 1)},
        {Type.UNSIGNED_INT, "1", UnsignedInteger.valueOf(1)},
        {Type.UNSIGNED_LONG, "1", UnsignedLong.valueOf(1)},
        {Type.FLOAT, "1", 1f},
        {Type.DOUBLE, "1.0", 1.0},
        {Type.DECIMAL, "1.00", Decimal128s.encode(BigDecimal.ONE)},
        {Type.DATE_TIME, "2023-11-14T22:13:20Z", new Date(Messages.ENQUEUED_MS)},
        {Type.DURATION, "PT1S", Messages.timeSpan(10_000_000)},
        {Type.GUID, "00000000-0000-0000-0000-000000000001", new UUID(0, 1)},
        {Type.BASE64_BINARY, "AQ==", new Binary(new byte[] {1})},
    };

    @Test
    @DisplayName("FILTER-27: values are equal only with equal type, and integers are equal by value")
    void typeMatrix() {
        for (Object[] wanted : VALUES) {
            CompiledFilter filter = filter(null, Map.of("p", new RuleValue((Type) wanted[0], (String) wanted[1])));
            for (Object[] given : VALUES) {
                boolean whole = isWhole((Type) wanted[0]) && isWhole((Type) given[0]);
                Map<String, Object> properties = new LinkedHashMap<>();
                properties.put("p", given[2]);
                assertThat(filter.evaluate(Messages.with(properties)).isTrue())
                        .as("%s filter, %s property", wanted[0], given[0])
                        .isEqualTo(whole || wanted == given);
            }
            Map<String, @Nullable Object> nothing = new LinkedHashMap<>();
            nothing.put("p", null);
            assertThat(filter.evaluate(Messages.with(nothing)).isFalse()).isTrue();
        }
    }

    private static boolean isWhole(Type type) {
        return type.compareTo(Type.BYTE) >= 0 && type.compareTo(Type.UNSIGNED_LONG) <= 0;
    }

    @Test
    @DisplayName("FILTER-27: a ulong beyond the range of a long is not a negative number; symbols are strings")
    void edges() {
        RuleValue large = new RuleValue(Type.UNSIGNED_LONG, "18446744073709551615");

        assertThat(filter(null, Map.of("p", large))
                        .evaluate(Messages.with(Map.of("p", -1L)))
                        .isTrue())
                .isFalse();
        assertThat(filter(null, Map.of("p", large))
                        .evaluate(Messages.with(Map.of("p", UnsignedLong.valueOf(-1L))))
                        .isTrue())
                .isTrue();
        assertThat(filter(null, Map.of("p", RuleValue.ofString("x")))
                        .evaluate(Messages.with(Map.of("p", Symbol.valueOf("x"))))
                        .isTrue())
                .isTrue();
    }
}
