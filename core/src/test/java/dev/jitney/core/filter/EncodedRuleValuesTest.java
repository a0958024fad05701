package dev.jitney.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.AmqpWriter;
import dev.jitney.codec.Codes;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.core.filter.value.EncodedRuleValues;
import dev.jitney.core.filter.value.Value;
import dev.jitney.core.filter.value.ValueDecoder;
import dev.jitney.core.namespace.FilterRules;
import dev.jitney.model.Limits;
import dev.jitney.model.TierProfile;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.RuleValue.Type;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The conversion of rule values between text and AMQP (wire reference 6.9). */
final class EncodedRuleValuesTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = true, textBlock = """
            STRING         | text
            STRING         | ''
            BOOLEAN        | true
            BOOLEAN        | false
            BYTE           | -128
            SHORT          | 32767
            INT            | -2147483648
            LONG           | 9223372036854775807
            UNSIGNED_BYTE  | 255
            UNSIGNED_SHORT | 65535
            UNSIGNED_INT   | 4294967295
            UNSIGNED_LONG  | 18446744073709551615
            FLOAT          | 1.5
            FLOAT          | -INF
            DOUBLE         | 1.0E-5
            DOUBLE         | INF
            DOUBLE         | NaN
            DECIMAL        | 123456789.000001
            DECIMAL        | -5
            DECIMAL        | 0
            DATE_TIME      | 2026-11-21T18:00:00Z
            DATE_TIME      | 9999-12-31T23:59:59.999Z
            DURATION       | PT0S
            DURATION       | P1DT2H3M4.0000001S
            DURATION       | -PT0.5S
            DURATION       | P10675199DT2H48M5.4775807S
            GUID           | 00112233-4455-6677-8899-aabbccddeeff
            CHAR           | x
            ANY_URI        | http://localhost/a?b=c
            BASE64_BINARY  | AQID
            """)
    @DisplayName("FILTER-27: every type comes back unchanged, and is valid in a rule")
    void roundTrip(Type type, String text) throws MessageFormatException {
        RuleValue value = new RuleValue(type, text);
        byte[] encoded = EncodedRuleValues.encode(value).encoding();
        AmqpReader in = new AmqpReader(encoded, 0, encoded.length);
        assertThat(EncodedRuleValues.read(in)).isEqualTo(value);
        assertThat(in.hasRemaining()).isFalse();
        assertAccepted(value);
    }

    private static void assertAccepted(RuleValue value) {
        RuleDescription rule = new RuleDescription(
                "r",
                new CorrelationRuleFilter(null, null, null, null, null, null, null, null, Map.of("p", value)),
                null);
        assertThat(FilterRules.refuse(rule, Limits.of(TierProfile.STANDARD)))
                .as(value.toString())
                .isNull();
    }

    @Test
    @DisplayName("Instants, time spans and numbers of any size become texts with the same meaning")
    void randomNumbers() throws MessageFormatException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            long bits = i < 2 ? (i == 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : random.nextLong() >> random.nextInt(64);
            assertSame(seed, out -> timeSpan(out, bits));
            assertSame(seed, out -> out.writeTimestamp(bits));
            assertSame(seed, out -> out.writeLong(bits));
            assertSame(seed, out -> out.writeULong(bits));
            assertSame(seed, out -> out.writeDouble(Double.longBitsToDouble(bits)));
        }
    }

    /** Asserts that a value stays the same after it is read, encoded and read again. */
    private static void assertSame(long seed, Consumer<AmqpWriter> written) throws MessageFormatException {
        RuleValue first = read(written);
        assertThat(first).as("seed %d", seed).isNotNull();
        byte[] again = EncodedRuleValues.encode(first).encoding();
        Value before = ValueDecoder.read(reader(written));
        Value after = ValueDecoder.read(new AmqpReader(again, 0, again.length));
        boolean whole = before.kind() != Value.Kind.DATE_TIME; // a timestamp cannot express the last tick
        if (whole && !Double.isNaN(before.kind() == Value.Kind.DOUBLE ? before.asDouble() : 0)) {
            assertThat(after).as("seed %d: %s", seed, first).isEqualTo(before);
        }
        assertThat(read(out -> out.writeRaw(again, 0, again.length)).type())
                .as("seed %d: %s", seed, first)
                .isEqualTo(first.type());
    }

    @ParameterizedTest
    @ValueSource(ints = {Codes.NULL, Codes.LIST0})
    @DisplayName("Null and compound values are not valid in a rule")
    void refusesOthers(int code) throws MessageFormatException {
        AmqpReader in = reader(out -> {
            out.writeByte(code);
            out.writeBoolean(true);
        });
        assertThat(EncodedRuleValues.read(in)).isNull();
        assertThat(EncodedRuleValues.read(in))
                .as("the reader is after the value")
                .isEqualTo(new RuleValue(Type.BOOLEAN, "true"));
    }

    @Test
    @DisplayName("Dates with offset and other described values are not valid in a rule, at any nesting depth")
    void refusesOtherDescribedValues() throws MessageFormatException {
        assertThat(read(out -> {
                    out.writeByte(Codes.DESCRIBED);
                    out.writeSymbol("com.microsoft:datetime-offset");
                    out.writeLong(5);
                }))
                .isNull();
        assertThat(read(out -> {
                    for (int i = 0; i < 60; i++) {
                        out.writeByte(Codes.DESCRIBED);
                        out.writeSymbol("com.microsoft:uri");
                    }
                    out.writeString("x");
                }))
                .isNull();
    }

    private static void timeSpan(AmqpWriter out, long ticks) {
        out.writeByte(Codes.DESCRIBED);
        out.writeSymbol("com.microsoft:timespan");
        out.writeLong(ticks);
    }

    private static AmqpReader reader(Consumer<AmqpWriter> written) {
        AmqpWriter out = new AmqpWriter(64);
        written.accept(out);
        byte[] encoded = out.toByteArray();
        return new AmqpReader(encoded, 0, encoded.length);
    }

    private static RuleValue read(Consumer<AmqpWriter> written) throws MessageFormatException {
        return EncodedRuleValues.read(reader(written));
    }
}
