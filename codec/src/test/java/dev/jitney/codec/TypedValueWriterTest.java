package dev.jitney.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.model.MessageContent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.qpid.protonj2.types.messaging.Section;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Values with their types, back in their AMQP encoding")
final class TypedValueWriterTest {
    private static final String TICKS_MIN = "80 00 00 00 00 00 00 00";
    private static final String TICKS_MAX = "7f ff ff ff ff ff ff ff";

    private static byte[] described(String descriptor, String ticks) {
        AmqpWriter out = new AmqpWriter(64);
        out.writeByte(Codes.DESCRIBED);
        out.writeSymbol(descriptor);
        out.writeByte(Codes.LONG);
        byte[] raw = Wire.hex(ticks);
        out.writeRaw(raw, 0, raw.length);
        return out.toByteArray();
    }

    /** One or more values of every type, in the form that the writer chooses among several. */
    static List<byte[]> encodings() {
        return List.of(
                Wire.hex("40"), // null
                Wire.hex("41"),
                Wire.hex("42"),
                Wire.hex("50 ff"), // ubyte
                Wire.hex("51 80"), // byte
                Wire.hex("60 ffff"), // ushort
                Wire.hex("61 8000"), // short
                Wire.hex("61 7fff"),
                Wire.hex("43"), // uint
                Wire.hex("52 c8"),
                Wire.hex("70 ffffffff"),
                Wire.hex("71 80000000"), // int
                Wire.hex("71 7fffffff"),
                Wire.hex("44"), // ulong
                Wire.hex("53 c8"),
                Wire.hex("80 ffffffffffffffff"),
                Wire.hex("81 8000000000000000"), // long
                Wire.hex("81 7fffffffffffffff"),
                Wire.hex("72 3dcccccd"), // float 0.1
                Wire.hex("72 7f7fffff"), // the largest
                Wire.hex("72 00000001"), // the smallest
                Wire.hex("72 00000000"),
                Wire.hex("72 80000000"), // negative zero
                Wire.hex("72 7fc00000"), // NaN
                Wire.hex("72 ff800000"), // negative infinity
                Wire.hex("82 3fb999999999999a"), // double 0.1
                Wire.hex("82 7fefffffffffffff"),
                Wire.hex("82 0000000000000001"),
                Wire.hex("82 8000000000000000"),
                Wire.hex("82 7ff8000000000000"),
                Wire.hex("82 7ff0000000000000"),
                Wire.hex("73 0001f600"), // char
                Wire.hex("74 a0000001"), // decimals
                Wire.hex("74 00000000"),
                Wire.hex("84 0000000000000001"),
                Wire.hex("84 ffffffffffffffff"),
                Wire.hex("94 00000000000000000000000000000000"),
                Wire.hex("94 ffffffffffffffffffffffffffffffff"),
                Wire.hex("83 8000000000000000"), // timestamp
                Wire.hex("83 7fffffffffffffff"),
                Wire.hex("83 0000018bcfe56801"),
                Wire.hex("98 0102030405060708090a0b0c0d0e0f10"), // uuid
                Wire.hex("a0 02 00ff"), // binary
                Wire.hex("a0 00"),
                Wire.hex("a1 02 c3bc"), // string
                Wire.hex("a1 00"),
                Wire.hex("a3 03 00 7f 61"), // symbol
                described(Described.TIME_SPAN, TICKS_MIN),
                described(Described.TIME_SPAN, TICKS_MAX),
                described(Described.TIME_SPAN, "ff ff ff ff ff ff ff ff"),
                described(Described.DATE_TIME_OFFSET, TICKS_MIN),
                described(Described.DATE_TIME_OFFSET, TICKS_MAX),
                described(Described.DATE_TIME_OFFSET, "00 00 00 00 00 00 00 01"),
                Wire.concat(Wire.hex("00 a3 11"), Described.URI.getBytes(), Wire.hex("a1 01 61")),
                Wire.hex("00 53 70 71 00000005"), // described values
                Wire.hex("00 a3 01 78 40"),
                Wire.hex("d0 00000004 00000000"), // list
                Wire.hex("d1 00000004 00000000"), // map
                Wire.hex("d1 0000000c 00000004 71 00000001 40 41 42"));
    }

    private static Object read(byte[] encoding) throws MessageFormatException {
        AmqpReader in = Wire.reader(encoding);
        Object value = TypedValueReader.read(in);
        assertThat(in.hasRemaining()).isFalse();
        return value;
    }

    private static byte[] write(Object value) throws MessageFormatException {
        return TypedValueWriter.encode(value).encoding();
    }

    @ParameterizedTest
    @MethodSource("encodings")
    @DisplayName("AMQP 1.6: each type that the reader shows is written with its type and value")
    void writesEveryType(byte[] encoding) throws Exception {
        assertThat(write(read(encoding))).isEqualTo(encoding);
    }

    @Test
    @DisplayName("AMQP 1.6: lists and maps have elements of all types, also as keys")
    void writesNestedValues() throws Exception {
        AmqpWriter out = new AmqpWriter(1_000);
        int list = out.beginList(2 * encodings().size());
        for (byte[] encoding : encodings()) {
            out.writeRaw(encoding, 0, encoding.length);
            int map = out.beginMap(1);
            out.writeRaw(encoding, 0, encoding.length);
            int inner = out.beginList(1);
            out.writeRaw(encoding, 0, encoding.length);
            out.endCompound(inner);
            out.endCompound(map);
        }
        out.endCompound(list);

        assertThat(write(read(out.toByteArray()))).isEqualTo(out.toByteArray());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "56 01",
                "54 ff",
                "55 ff",
                "53 00",
                "70 00000001",
                "80 0000000000000001",
                "b1 00000001 61",
                "45",
                "c0 03 01 54 05",
                "c1 03 02 41 42",
                "e0 04 02 50 01 02", // arrays
                "f0 0000000d 00000001 83 0000000000000009",
            })
    @DisplayName("AMQP 1.6: other forms of a value and arrays are written as an equal value, arrays as lists")
    void writesOtherForms(String hex) throws Exception {
        Object shown = read(Wire.hex(hex));
        assertThat(read(write(shown))).as("an int or a long").hasToString(shown.toString());
    }

    @Test
    @DisplayName("random values of senders are shown and written without a change")
    void writesRandomValues() throws Exception {
        long seed = Long.getLong("jitney.seed", System.nanoTime());
        RandomMessages messages = new RandomMessages(new Random(seed));
        for (int round = 0; round < 2_000; round++) {
            MessageContent content = new IncomingMessageDecoder(() -> "fresh")
                    .decode(Wire.reader(Wire.encode(messages.next().toArray(new Section<?>[0]))), 0)
                    .get(0)
                    .content();
            ContentReader reader = ContentReader.typed(content);
            for (Object value : reader.body().values()) {
                assertThat(read(write(value))).as("-Djitney.seed=" + seed).isEqualTo(value);
            }
            for (Object value : reader.applicationProperties(Map.of()).values()) {
                assertThat(read(write(value))).as("-Djitney.seed=" + seed).isEqualTo(value);
            }
        }
    }

    private static Map<String, Object> typed(Object type, Object value) {
        Map<String, Object> typed = new LinkedHashMap<>();
        typed.put("type", type);
        typed.put("value", value);
        return typed;
    }

    private static Object[] refusal(Object value, String expected) {
        return new Object[] {value, expected};
    }

    static List<Object[]> refusals() {
        Map<String, Object> surplus = typed("int", 5);
        surplus.put("unit", "s");
        return List.of(
                refusal(5, "an object that names a type"),
                refusal(
                        List.of(),
                        "an object that names a type, such as {\"type\": \"int\", \"value\": 5}, but got an array."),
                refusal(typed("integer", 5), "one of the types [byte, short, "),
                refusal(typed(null, 5), "but got null."),
                refusal(Map.of("value", 5), "one of the types"),
                refusal(Map.of("type", "int"), "the members [type, value] in a value of type int"),
                refusal(surplus, "the members [type, value] in a value of type int"),
                refusal(typed("described", null), "the members [descriptor, type, value] in a value of type described"),
                refusal(typed("byte", 128), "a whole number from -128 to 127 in a value of type byte, but got 128."),
                refusal(typed("byte", -129), "from -128 to 127"),
                refusal(typed("short", 32_768), "from -32768 to 32767 in a value of type short"),
                refusal(typed("ushort", -1), "from 0 to 65535 in a value of type ushort"),
                refusal(typed("ubyte", 256), "from 0 to 255 in a value of type ubyte"),
                refusal(typed("int", 1L << 31), "from -2147483648 to 2147483647 in a value of type int"),
                refusal(typed("int", "5"), "in a value of type int, but got '5'."),
                refusal(typed("int", new BigDecimal("5.0")), "a whole number"),
                refusal(typed("int", true), "but got true."),
                refusal(typed("int", null), "but got null."),
                refusal(typed("uint", 1L << 32), "from 0 to 4294967295"),
                refusal(typed("long", "9223372036854775808"), "a whole number from -9223372036854775808"),
                refusal(typed("long", "05"), "a whole number"),
                refusal(typed("long", "+5"), "a whole number"),
                refusal(typed("long", "5 "), "a whole number"),
                refusal(typed("ulong", BigInteger.TWO.pow(64)), "from 0 to 18446744073709551615"),
                refusal(typed("ulong", "-1"), "from 0 to 18446744073709551615"),
                refusal(typed("float", new BigDecimal("3.5e38")), "in the range of this type in a value of type float"),
                refusal(typed("float", new BigDecimal("1e-60")), "in the range of this type"),
                refusal(typed("double", new BigDecimal("1e999999999")), "in the range of this type"),
                refusal(typed("double", "1.5"), "a number, 'NaN', 'Infinity' or '-Infinity' in a value of type double"),
                refusal(typed("char", ""), "text of one Unicode character"),
                refusal(typed("char", "ab"), "text of one Unicode character"),
                refusal(typed("char", "\ud800"), "text of one Unicode character"),
                refusal(typed("symbol", "ü"), "only ASCII characters in a value of type symbol"),
                refusal(typed("symbol", 5), "text in a value of type symbol, but got 5."),
                refusal(typed("uri", "\udc00"), "text of valid characters"),
                refusal("\ud800", "text of valid characters"),
                refusal(typed("uuid", "1-2-3-4-5"), "a UUID such as"),
                refusal(typed("binary", "A"), "base64 in a value of type binary"),
                refusal(typed("binary", "A-_="), "base64"),
                refusal(typed("decimal32", "123456789"), "1 to 8 hexadecimal digits in a value of type decimal32"),
                refusal(typed("decimal64", ""), "1 to 16 hexadecimal digits"),
                refusal(typed("decimal128", "-1"), "1 to 32 hexadecimal digits"),
                refusal(typed("timestamp", "yesterday"), "an instant of ISO 8601"),
                refusal(typed("timestamp", "2026-01-31"), "an instant of ISO 8601"),
                refusal(typed("timestamp", "2026-01-31T12:00:00.0001Z"), "in whole milliseconds"),
                refusal(typed("timestamp", "+400000000-01-01T00:00:00Z"), "a time in the range of this type"),
                refusal(typed("datetime-offset", "+40000-01-01T00:00:00Z"), "a time in the range of this type"),
                refusal(typed("datetime-offset", "2026-01-31T12:00:00.00000001Z"), "in units of 100 nanoseconds"),
                refusal(typed("duration", "1s"), "a duration of ISO 8601"),
                refusal(typed("duration", "PT0.00000001S"), "in units of 100 nanoseconds"),
                refusal(typed("duration", "PT99999999999999S"), "a time in the range of this type"),
                refusal(typed("list", "a"), "an array in a value of type list"),
                refusal(typed("map", Map.of()), "an array of pairs in a value of type map, but got an object."),
                refusal(typed("map", List.of(List.of("a"))), "an array of pairs such as"),
                refusal(
                        typed("map", List.of(List.of("a", true), List.of("a", false))),
                        "each key once in a value of type map, but got 'a'."));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    @DisplayName(
            "unknown types, other members, numbers out of range and other forms are refused with the type and the expected value")
    void refuses(Object value, String expected) {
        assertThatThrownBy(() -> write(value))
                .isInstanceOf(MessageFormatException.class)
                .hasMessageStartingWith("Expected ")
                .hasMessageContaining(expected);
    }

    private static Object nested(String type, int levels) {
        Object value = null;
        for (int i = 0; i < levels; i++) {
            value = switch (type) {
                case "list" -> typed("list", Collections.singletonList(value));
                case "map" -> typed("map", List.of(Arrays.asList(true, value)));
                default -> {
                    Map<String, Object> described = typed("described", value);
                    described.put("descriptor", "d");
                    yield described;
                }
            };
        }
        return value;
    }

    @ParameterizedTest
    @ValueSource(strings = {"list", "map", "described"})
    @DisplayName("values are nested as deep as a client can nest them, and not deeper")
    void limitsTheDepth(String type) throws Exception {
        Object deepest = nested(type, AmqpReader.MAX_DEPTH);
        byte[] encoding = write(deepest);
        Wire.reader(encoding).skipValue();
        assertThat(read(encoding)).isEqualTo(deepest);
        assertThatThrownBy(() -> write(nested(type, AmqpReader.MAX_DEPTH + 1)))
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("64 levels");
    }

    @Test
    @DisplayName("one value has a limited number of parts")
    void limitsTheCount() throws Exception {
        List<Object> most = Collections.nCopies(TypedValueWriter.VALUES_MAX, null);
        assertThat(TypedValueWriter.encodeList(most).encoding()).hasSize(9 + most.size());
        assertThatThrownBy(() -> write(typed("list", most)))
                .isInstanceOf(MessageFormatException.class)
                .hasMessage("Expected at most 100000 values, but there are more.");
    }

    @Test
    @DisplayName("a long is also a JSON number, and a float also a whole number")
    void acceptsNumbers() throws Exception {
        assertThat(read(write(typed("long", 5)))).isEqualTo(typed("long", "5"));
        assertThat(read(write(typed("ulong", BigInteger.TEN)))).isEqualTo(typed("ulong", "10"));
        assertThat(read(write(typed("float", 5)))).isEqualTo(typed("float", new BigDecimal("5.0")));
        assertThat(read(write(typed("double", 5L)))).isEqualTo(typed("double", 5.0));
        assertThat(read(write(typed("timestamp", "2026-01-31T12:00:00+01:00"))))
                .isEqualTo(typed("timestamp", "2026-01-31T11:00:00Z"));
    }
}
