package dev.jitney.cli.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Decimal128;
import org.apache.qpid.proton.amqp.Decimal32;
import org.apache.qpid.proton.amqp.Decimal64;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TypedValuesTest {

    static Stream<Object> values() {
        return Stream.of(
                "",
                "text \u0000 \uD83D\uDE8C",
                true,
                false,
                Byte.MIN_VALUE,
                Short.MAX_VALUE,
                Integer.MIN_VALUE,
                Long.MAX_VALUE,
                UnsignedByte.valueOf((byte) 0xff),
                UnsignedShort.valueOf((short) 0xffff),
                UnsignedInteger.valueOf(0xffff_ffffL),
                UnsignedLong.valueOf(new BigInteger("18446744073709551615")),
                1.5f,
                Float.MIN_VALUE,
                Float.NaN,
                0.1,
                Double.MAX_VALUE,
                Double.NEGATIVE_INFINITY,
                'x',
                new Decimal32(0x1234_5678),
                new Decimal64(-1L),
                new Decimal128(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}),
                Date.from(Instant.parse("2026-11-21T12:00:00.123Z")),
                OffsetDateTime.parse("2026-11-21T12:00:00+02:00"),
                Duration.parse("PT-1.5S"),
                UUID.fromString("6a0e6ed4-4d3c-4c88-9a0f-8f2f4d1c3a55"),
                URI.create("https://example.org/a?b"),
                Symbol.valueOf("amqp:symbol"),
                new Binary(new byte[] {0, -1, 127}),
                List.of("a", 1, List.of(2L)),
                Map.of("key", 1, 2L, "value"));
    }

    @ParameterizedTest
    @DisplayName("Every AMQP type keeps its value through a line of JSON")
    @MethodSource("values")
    void roundTrip(Object value) {
        String line = Json.line(Map.of("v", TypedValues.toJson(value)));
        Object back = TypedValues.fromJson(Json.object(line).get("v"));
        assertThat(back).isInstanceOf(value.getClass() == Binary.class ? Binary.class : Object.class);
        assertThat(back).as(line).isEqualTo(value);
        if (!(value instanceof List) && !(value instanceof Map)) {
            assertThat(back).hasSameClassAs(value);
        }
    }

    @Test
    @DisplayName("Null, described types and arrays keep their values too")
    void others() {
        assertThat(TypedValues.fromJson(TypedValues.toJson(null))).isNull();
        DescribedType described = new DescribedType() {
            @Override
            public Object getDescriptor() {
                return Symbol.valueOf("com.example:point");
            }

            @Override
            public Object getDescribed() {
                return List.of(1, 2);
            }
        };
        DescribedType back = (DescribedType) TypedValues.fromJson(TypedValues.toJson(described));
        assertThat(back.getDescriptor()).isEqualTo(Symbol.valueOf("com.example:point"));
        assertThat(back.getDescribed()).isEqualTo(List.of(1, 2));
        assertThat(TypedValues.fromJson(TypedValues.toJson(new String[] {"a", "b"})))
                .isEqualTo(List.of("a", "b"));
        assertThat(TypedValues.fromJson(TypedValues.toJson(Arrays.asList("a", null))))
                .isEqualTo(Arrays.asList("a", null));
    }

    @ParameterizedTest
    @DisplayName("Plain numbers in a hand-written file are int, long or double")
    @CsvSource({"5,java.lang.Integer", "5000000000,java.lang.Long", "5.5,java.lang.Double"})
    void plainNumbers(String number, Class<?> type) {
        assertThat(TypedValues.fromJson(Json.object("{\"v\":" + number + "}").get("v")))
                .isInstanceOf(type);
    }

    @ParameterizedTest
    @DisplayName("Values that do not fit their type are refused with a clear message")
    @CsvSource({
        "int,5000000000",
        "int,five",
        "ubyte,256",
        "ubyte,-1",
        "uint,4294967296",
        "ulong,-1",
        "boolean,yes",
        "char,ab",
        "uuid,x",
        "timestamp,tomorrow",
        "duration,P",
        "binary,!!",
        "symbol,ä"
    })
    void refused(String type, String text) {
        assertThatThrownBy(() -> TypedValues.parse(type, text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Expected a value of type " + type + ", but got '" + text + "'.");
    }

    @Test
    @DisplayName("An unknown type is refused with the known ones; nesting is limited")
    void bounds() {
        assertThatThrownBy(() -> TypedValues.parse("integer", "1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("string, boolean, byte")
                .hasMessageContaining("'integer'");
        Object deep = "x";
        for (int i = 0; i < 40; i++) {
            deep = Map.of("type", "list", "value", List.of(deep));
        }
        Object bomb = deep;
        assertThatThrownBy(() -> TypedValues.fromJson(bomb)).hasMessageContaining("nested at most");
        assertThatThrownBy(() -> Json.object("{\"a\":".repeat(5_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Expected JSON");
        assertThatThrownBy(() -> Json.object("{\"a\":1} {\"b\":2}")).hasMessageContaining("more text follows");
        assertThatThrownBy(() -> Json.object("[1]")).hasMessageContaining("one JSON object");
        assertThatThrownBy(() -> Json.object("{\"a\":1,\"a\":2}")).hasMessageContaining("Duplicate");
    }
}
