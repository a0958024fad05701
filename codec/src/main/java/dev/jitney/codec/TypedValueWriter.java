package dev.jitney.codec;

import dev.jitney.model.ClientText;
import dev.jitney.model.EncodedValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A writer of values whose AMQP types are written next to them, the inverse of {@link ContentReader#typed}: text, booleans and null are
 * themselves, everything else is a map such as {@code {"type": "int", "value": 5}}.
 *
 * <table>
 * <caption>types and their values</caption>
 * <tr><th>type</th><th>value</th></tr>
 * <tr><td>byte, short, int, ubyte, ushort, uint</td><td>a whole number</td></tr>
 * <tr><td>long, ulong</td><td>a whole number, also as text</td></tr>
 * <tr><td>float, double</td><td>a number, or the text NaN, Infinity or -Infinity</td></tr>
 * <tr><td>decimal32, decimal64, decimal128</td><td>the bits as hexadecimal digits</td></tr>
 * <tr><td>char</td><td>text of one character</td></tr>
 * <tr><td>symbol, uri</td><td>text, for a symbol in ASCII</td></tr>
 * <tr><td>binary</td><td>base64</td></tr>
 * <tr><td>uuid</td><td>its text of 36 characters</td></tr>
 * <tr><td>timestamp, datetime-offset, duration</td><td>text of ISO 8601, in milliseconds or, for the last two, in units of 100
 * nanoseconds</td></tr>
 * <tr><td>list</td><td>a list of values</td></tr>
 * <tr><td>map</td><td>a list of pairs, which are lists of a key and a value</td></tr>
 * <tr><td>described</td><td>the described value; the map has the member {@code descriptor} too</td></tr>
 * </table>
 *
 * <p>A value that the reader shows is written with the same type and the same value. The exceptions are arrays, which the reader shows as
 * lists, and characters that the reader has replaced because they are invalid.
 *
 * <p>Numbers are {@link Integer}, {@link Long}, {@link Double}, {@link BigInteger} or {@link BigDecimal}, as a parser of JSON creates
 * them. Everything else is refused: unknown types and members, numbers out of range, and text in another form. Nesting is limited to
 * {@value AmqpReader#MAX_DEPTH} levels, and one value has at most {@value #VALUES_MAX} parts.
 */
public final class TypedValueWriter {
    /** The maximum number of values inside one value, keys included. */
    public static final int VALUES_MAX = 100_000;

    private static final String TYPE = "type";
    private static final String VALUE = "value";
    private static final String DESCRIPTOR = "descriptor";
    private static final String DESCRIBED = "described";
    private static final List<String> TYPES = List.of(
            "byte",
            "short",
            "int",
            "long",
            "ubyte",
            "ushort",
            "uint",
            "ulong",
            "float",
            "double",
            "decimal32",
            "decimal64",
            "decimal128",
            "char",
            "symbol",
            "uri",
            "binary",
            "uuid",
            "timestamp",
            "datetime-offset",
            "duration",
            "list",
            "map",
            DESCRIBED);

    private static final Pattern WHOLE = Pattern.compile("-?(?:0|[1-9]\\d{0,19})");
    private static final Pattern UUID_TEXT = Pattern.compile("\\p{XDigit}{8}-(?:\\p{XDigit}{4}-){3}\\p{XDigit}{12}");
    private static final BigInteger LONG_MIN = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);
    private static final BigInteger ULONG_MAX = BigInteger.TWO.pow(Long.SIZE).subtract(BigInteger.ONE);
    private static final int HEX = 16;
    private static final int BITS_PER_DIGIT = 4;

    private final AmqpWriter out = new AmqpWriter(64);
    private int values;

    private TypedValueWriter() {}

    /**
     * Returns the encoding of a value.
     *
     * @throws MessageFormatException if the value is refused; the text names its type and the expected value
     */
    public static EncodedValue encode(@Nullable Object value) throws MessageFormatException {
        TypedValueWriter writer = new TypedValueWriter();
        writer.write(value, AmqpReader.MAX_DEPTH);
        return new EncodedValue(writer.out.toByteArray());
    }

    /**
     * Returns the encoding of a list.
     *
     * @param elements as for {@link #encode}
     * @throws MessageFormatException if an element is refused
     */
    public static EncodedValue encodeList(List<? extends @Nullable Object> elements) throws MessageFormatException {
        TypedValueWriter writer = new TypedValueWriter();
        writer.writeList(elements, AmqpReader.MAX_DEPTH);
        return new EncodedValue(writer.out.toByteArray());
    }

    private void write(@Nullable Object value, int depth) throws MessageFormatException {
        if (++values > VALUES_MAX) {
            throw MessageFormatException.argument("Expected at most " + VALUES_MAX + " values, but there are more.");
        }
        if (value == null) {
            out.writeNull();
        } else if (value instanceof Boolean truth) {
            out.writeBoolean(truth);
        } else if (value instanceof String text) {
            out.writeString(whole(text));
        } else if (value instanceof Map<?, ?> typed) {
            writeTyped(typed, depth);
        } else {
            throw MessageFormatException.argument(
                    "Expected text, a boolean, null, or an object that names a type, such as"
                            + " {\"type\": \"int\", \"value\": 5}, but got " + shown(value) + ".");
        }
    }

    private void writeTyped(Map<?, ?> typed, int depth) throws MessageFormatException {
        if (!(typed.get(TYPE) instanceof String type) || !TYPES.contains(type)) {
            throw MessageFormatException.argument(
                    "Expected one of the types " + TYPES + ", but got " + shown(typed.get(TYPE)) + ".");
        }
        Set<String> members = type.equals(DESCRIBED) ? Set.of(TYPE, DESCRIPTOR, VALUE) : Set.of(TYPE, VALUE);
        if (!typed.keySet().equals(members)) {
            throw MessageFormatException.argument("Expected the members "
                    + members.stream().sorted().toList() + " in a value of type " + type + ", but got others.");
        }
        Object value = typed.get(VALUE);
        switch (type) {
            case DESCRIBED -> {
                AmqpReader.checkDepth(depth);
                out.writeByte(Codes.DESCRIBED);
                write(typed.get(DESCRIPTOR), depth - 1);
                write(value, depth - 1);
            }
            case "list" -> {
                if (!(value instanceof List<?> elements)) {
                    throw refused(type, "an array", value);
                }
                writeList(elements, depth);
            }
            case "map" -> {
                if (!(value instanceof List<?> pairs)) {
                    throw refused(type, "an array of pairs", value);
                }
                writeMap(pairs, depth);
            }
            case "float", "double" -> writeFloating(type, value);
            default -> {
                if (!writeWhole(type, value)) {
                    writeText(type, value);
                }
            }
        }
    }

    private void writeList(List<?> elements, int depth) throws MessageFormatException {
        AmqpReader.checkDepth(depth);
        int mark = out.beginList(elements.size());
        for (Object element : elements) {
            write(element, depth - 1);
        }
        out.endCompound(mark);
    }

    private void writeMap(List<?> pairs, int depth) throws MessageFormatException {
        AmqpReader.checkDepth(depth);
        Set<EncodedValue> keys = new HashSet<>();
        int mark = out.beginMap(pairs.size());
        for (Object entry : pairs) {
            if (!(entry instanceof List<?> pair) || pair.size() != 2) {
                throw refused("map", "an array of pairs such as [\"key\", \"value\"]", entry);
            }
            int from = out.size();
            write(pair.get(0), depth - 1);
            if (!keys.add(new EncodedValue(out.copy(from)))) {
                throw refused("map", "each key once", pair.get(0));
            }
            write(pair.get(1), depth - 1);
        }
        out.endCompound(mark);
    }

    /** Writes a whole number; returns false if the type is another one. */
    private boolean writeWhole(String type, @Nullable Object value) throws MessageFormatException {
        switch (type) {
            case "byte" -> {
                long number = within(type, value, Byte.MIN_VALUE, Byte.MAX_VALUE);
                out.writeByte(Codes.BYTE);
                out.writeByte((int) number);
            }
            case "short" -> {
                long number = within(type, value, Short.MIN_VALUE, Short.MAX_VALUE);
                out.writeByte(Codes.SHORT);
                out.writeByte((int) number >> Byte.SIZE);
                out.writeByte((int) number);
            }
            case "int" -> out.writeInt((int) within(type, value, Integer.MIN_VALUE, Integer.MAX_VALUE));
            case "ubyte" -> out.writeUByte((int) within(type, value, 0, 0xff));
            case "ushort" -> out.writeUShort((int) within(type, value, 0, 0xffff));
            case "uint" -> out.writeUInt(within(type, value, 0, 0xffff_ffffL));
            case "long" -> out.writeLong(within(type, value, LONG_MIN, LONG_MAX, true));
            case "ulong" -> out.writeULong(within(type, value, BigInteger.ZERO, ULONG_MAX, true));
            default -> {
                return false;
            }
        }
        return true;
    }

    private static long within(String type, @Nullable Object value, long min, long max) throws MessageFormatException {
        return within(type, value, BigInteger.valueOf(min), BigInteger.valueOf(max), false);
    }

    private static long within(String type, @Nullable Object value, BigInteger min, BigInteger max, boolean alsoText)
            throws MessageFormatException {
        BigInteger number = null;
        if (value instanceof Integer || value instanceof Long) {
            number = BigInteger.valueOf(((Number) value).longValue());
        } else if (value instanceof BigInteger large) {
            number = large;
        } else if (alsoText
                && value instanceof String text
                && WHOLE.matcher(text).matches()) {
            number = new BigInteger(text);
        }
        if (number == null || number.compareTo(min) < 0 || number.compareTo(max) > 0) {
            throw refused(type, "a whole number from " + min + " to " + max, value);
        }
        return number.longValue();
    }

    private void writeFloating(String type, @Nullable Object value) throws MessageFormatException {
        boolean single = type.equals("float");
        double number;
        if (value instanceof String text) {
            number = switch (text) {
                case "NaN" -> Double.NaN;
                case "Infinity" -> Double.POSITIVE_INFINITY;
                case "-Infinity" -> Double.NEGATIVE_INFINITY;
                default -> throw refused(type, "a number, 'NaN', 'Infinity' or '-Infinity'", value);
            };
        } else if (value instanceof Number exact) {
            number = single ? exact.floatValue() : exact.doubleValue();
            if (!Double.isFinite(number) || number == 0 && !isZero(exact)) {
                throw refused(type, "a number in the range of this type", value);
            }
        } else {
            throw refused(type, "a number, 'NaN', 'Infinity' or '-Infinity'", value);
        }
        if (single) {
            out.writeByte(Codes.FLOAT);
            out.writeRawInt(Float.floatToIntBits((float) number));
        } else {
            out.writeDouble(number);
        }
    }

    private static boolean isZero(Number number) {
        return number instanceof BigDecimal decimal ? decimal.signum() == 0 : number.doubleValue() == 0;
    }

    private void writeText(String type, @Nullable Object value) throws MessageFormatException {
        if (!(value instanceof String text)) {
            throw refused(type, "text", value);
        }
        switch (type) {
            case "symbol" -> {
                if (!text.chars().allMatch(character -> character < 0x80)) {
                    throw refused(type, "only ASCII characters", text);
                }
                out.writeSymbol(text);
            }
            case "uri" -> {
                out.writeByte(Codes.DESCRIBED);
                out.writeSymbol(Described.URI);
                out.writeString(whole(text));
            }
            case "char" -> {
                if (text.isEmpty() || text.codePointCount(0, text.length()) != 1 || !isWhole(text)) {
                    throw refused(type, "text of one Unicode character", text);
                }
                out.writeByte(Codes.CHAR);
                out.writeRawInt(text.codePointAt(0));
            }
            case "uuid" -> {
                if (!UUID_TEXT.matcher(text).matches()) {
                    throw refused(type, "a UUID such as 01234567-89ab-cdef-0123-456789abcdef", text);
                }
                out.writeUuid(UUID.fromString(text));
            }
            case "binary" -> {
                try {
                    out.writeBinary(Base64.getDecoder().decode(text));
                } catch (IllegalArgumentException notBase64) {
                    throw refused(type, "base64", text);
                }
            }
            case "decimal32" -> writeBits(type, text, Codes.DECIMAL32, Integer.BYTES);
            case "decimal64" -> writeBits(type, text, Codes.DECIMAL64, Long.BYTES);
            case "decimal128" -> writeBits(type, text, Codes.DECIMAL128, 2 * Long.BYTES);
            default -> writeTime(type, text);
        }
    }

    private void writeBits(String type, String text, int code, int size) throws MessageFormatException {
        int digits = size * Byte.SIZE / BITS_PER_DIGIT;
        if (!text.matches("\\p{XDigit}{1," + digits + "}")) {
            throw refused(type, "1 to " + digits + " hexadecimal digits", text);
        }
        byte[] bits = new BigInteger(text, HEX).toByteArray(); // may be shorter, or have a zero for the sign
        byte[] all = new byte[size];
        int length = Math.min(bits.length, size);
        System.arraycopy(bits, bits.length - length, all, size - length, length);
        out.writeByte(code);
        out.writeRaw(all, 0, size);
    }

    private void writeTime(String type, String text) throws MessageFormatException {
        try {
            switch (type) {
                case "timestamp" -> {
                    Instant instant = OffsetDateTime.parse(text).toInstant();
                    if (instant.getNano() % 1_000_000 != 0) {
                        throw refused(type, "an instant in whole milliseconds", text);
                    }
                    out.writeTimestamp(instant.toEpochMilli());
                }
                case "datetime-offset" -> {
                    Instant instant = OffsetDateTime.parse(text).toInstant();
                    BigInteger ticks = ticks(type, text, instant.getEpochSecond(), instant.getNano())
                            .add(BigInteger.valueOf(TypedValueReader.EPOCH_TICKS));
                    writeTicks(Described.DATE_TIME_OFFSET, ticks);
                }
                default -> {
                    Duration duration = Duration.parse(text);
                    writeTicks(Described.TIME_SPAN, ticks(type, text, duration.getSeconds(), duration.getNano()));
                }
            }
        } catch (DateTimeException malformed) {
            throw refused(
                    type,
                    type.equals("duration")
                            ? "a duration of ISO 8601 such as PT1.5S"
                            : "an instant of ISO 8601 such as 2026-01-31T12:00:00Z",
                    text);
        } catch (ArithmeticException tooLarge) {
            throw refused(type, "a time in the range of this type", text);
        }
    }

    private static BigInteger ticks(String type, String text, long seconds, int nanos) throws MessageFormatException {
        if (nanos % TypedValueReader.NANOS_PER_TICK != 0) {
            throw refused(type, "a time in units of 100 nanoseconds", text);
        }
        return BigInteger.valueOf(seconds)
                .multiply(BigInteger.valueOf(TypedValueReader.TICKS_PER_SECOND))
                .add(BigInteger.valueOf(nanos / TypedValueReader.NANOS_PER_TICK));
    }

    private void writeTicks(String descriptor, BigInteger ticks) {
        long exact = ticks.longValueExact();
        out.writeByte(Codes.DESCRIBED);
        out.writeSymbol(descriptor);
        out.writeLong(exact);
    }

    /** Returns the text, which must be possible in UTF-8. */
    private static String whole(String text) throws MessageFormatException {
        if (!isWhole(text)) {
            throw MessageFormatException.argument(
                    "Expected text of valid characters, but it has half of a surrogate pair.");
        }
        return text;
    }

    private static boolean isWhole(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private static MessageFormatException refused(String type, String expected, @Nullable Object value) {
        return MessageFormatException.argument(
                "Expected " + expected + " in a value of type " + type + ", but got " + shown(value) + ".");
    }

    private static String shown(@Nullable Object value) {
        if (value instanceof String text) {
            return "'" + ClientText.abbreviate(text) + "'";
        } else if (value instanceof Map<?, ?>) {
            return "an object";
        } else if (value instanceof List<?>) {
            return "an array";
        }
        return ClientText.abbreviate(String.valueOf(value));
    }
}
