package dev.jitney.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A reader of AMQP values of stored messages for people and JSON, which keeps their types.
 *
 * <p>Text, booleans and null are themselves. Everything else is a map with two members, {@code {"type": "int", "value": 5}}, whose type
 * is the AMQP name. {@code duration}, {@code datetime-offset} and {@code uri} are additions of Service Bus. Longs, decimals and binaries
 * are text, because many readers of JSON have 53 bits only. The value of a map is a list of pairs. Arrays are shown as lists. Memory
 * use is proportional to the encoded size. {@link TypedValueWriter} is the inverse.
 */
final class TypedValueReader {
    /** The maximum number of array elements that take no bytes. */
    private static final int EMPTY_ELEMENTS_MAX = 16;

    private static final String VALUE = "value";
    static final long NANOS_PER_TICK = 100;
    static final long TICKS_PER_SECOND = 10_000_000;
    /** The time of the epoch in ticks since the year 1. */
    static final long EPOCH_TICKS = 621_355_968_000_000_000L;

    private TypedValueReader() {}

    /** Reads the next value, whose structure {@link AmqpReader#skipValue} has checked. */
    static @Nullable Object read(AmqpReader in) throws MessageFormatException {
        return value(in, AmqpReader.MAX_DEPTH);
    }

    private static @Nullable Object value(AmqpReader in, int depth) throws MessageFormatException {
        int code = in.readCode();
        if (code == Codes.DESCRIBED) {
            AmqpReader.checkDepth(depth);
            return described(in, depth);
        }
        return value(in, code, depth);
    }

    private static Object described(AmqpReader in, int depth) throws MessageFormatException {
        Object descriptor = value(in, depth - 1);
        String name = descriptor instanceof Map<?, ?> symbol && symbol.get(VALUE) instanceof String text ? text : "";
        Object value = value(in, depth - 1);
        if (name.equals(Described.URI) && value instanceof String) {
            return typed("uri", value);
        }
        if (value instanceof Map<?, ?> typed && "long".equals(typed.get("type"))) {
            long ticks = Long.parseLong(String.valueOf(typed.get(VALUE)));
            if (name.equals(Described.TIME_SPAN)) {
                return typed("duration", duration(ticks).toString());
            }
            if (name.equals(Described.DATE_TIME_OFFSET)) {
                return typed(
                        "datetime-offset",
                        Instant.EPOCH
                                .minus(duration(EPOCH_TICKS))
                                .plus(duration(ticks))
                                .toString());
            }
        }
        Map<String, @Nullable Object> other = new LinkedHashMap<>();
        other.put("type", "described");
        other.put("descriptor", descriptor);
        other.put(VALUE, value);
        return other;
    }

    private static Duration duration(long ticks) {
        return Duration.ofSeconds(
                Math.floorDiv(ticks, TICKS_PER_SECOND), Math.floorMod(ticks, TICKS_PER_SECOND) * NANOS_PER_TICK);
    }

    private static @Nullable Object value(AmqpReader in, int code, int depth) throws MessageFormatException {
        return switch (code) {
            case Codes.NULL -> null;
            case Codes.TRUE -> true;
            case Codes.FALSE -> false;
            case Codes.BOOLEAN -> in.readUnsignedByte() != 0;
            case Codes.UBYTE -> typed("ubyte", in.readUnsignedByte());
            case Codes.BYTE -> typed("byte", (int) (byte) in.readUnsignedByte());
            case Codes.USHORT -> typed("ushort", in.rawShort() & 0xffff);
            case Codes.SHORT -> typed("short", (int) in.rawShort());
            case Codes.UINT0 -> typed("uint", 0);
            case Codes.SMALL_UINT -> typed("uint", in.readUnsignedByte());
            case Codes.UINT -> typed("uint", in.rawInt() & 0xffff_ffffL);
            case Codes.SMALL_INT -> typed("int", (int) (byte) in.readUnsignedByte());
            case Codes.INT -> typed("int", in.rawInt());
            case Codes.ULONG0 -> typed("ulong", "0");
            case Codes.SMALL_ULONG -> typed("ulong", Integer.toString(in.readUnsignedByte()));
            case Codes.ULONG -> typed("ulong", Long.toUnsignedString(in.rawLong()));
            case Codes.SMALL_LONG -> typed("long", Integer.toString((byte) in.readUnsignedByte()));
            case Codes.LONG -> typed("long", Long.toString(in.rawLong()));
            case Codes.FLOAT -> floating(Float.intBitsToFloat(in.rawInt()));
            case Codes.DOUBLE -> floating(Double.longBitsToDouble(in.rawLong()));
            case Codes.CHAR -> character(in.rawInt());
            case Codes.DECIMAL32, Codes.DECIMAL64, Codes.DECIMAL128 -> decimal(in, code);
            case Codes.TIMESTAMP ->
                typed("timestamp", Instant.ofEpochMilli(in.rawLong()).toString());
            case Codes.UUID -> typed("uuid", new UUID(in.rawLong(), in.rawLong()).toString());
            case Codes.LIST0 -> typed("list", List.of());
            case Codes.LIST8, Codes.LIST32 -> typed("list", list(in, code == Codes.LIST8, depth));
            case Codes.MAP8, Codes.MAP32 -> typed("map", map(in, code == Codes.MAP8, depth));
            case Codes.ARRAY8, Codes.ARRAY32 -> typed("list", array(in, code == Codes.ARRAY8, depth));
            default -> octets(in, code);
        };
    }

    private static Map<String, @Nullable Object> typed(String type, Object value) {
        Map<String, @Nullable Object> typed = new LinkedHashMap<>();
        typed.put("type", type);
        typed.put(VALUE, value);
        return typed;
    }

    private static Object floating(float number) {
        if (number == 0) {
            return typed("float", (double) number); // a BigDecimal has no negative zero
        }
        return typed("float", Float.isFinite(number) ? new BigDecimal(Float.toString(number)) : Float.toString(number));
    }

    private static Object floating(double number) {
        return typed("double", Double.isFinite(number) ? (Object) number : Double.toString(number));
    }

    private static Object character(int codePoint) {
        return typed("char", Character.isValidCodePoint(codePoint) ? Character.toString(codePoint) : "\ufffd");
    }

    private static Object decimal(AmqpReader in, int code) throws MessageFormatException {
        in.enterOctets(code);
        byte[] bytes = Arrays.copyOfRange(in.bytes(), in.valueFrom(), in.position());
        return typed("decimal" + Byte.SIZE * bytes.length, new BigInteger(1, bytes).toString(16));
    }

    private static Object octets(AmqpReader in, int code) throws MessageFormatException {
        in.enterOctets(code);
        return switch (code) {
            case Codes.STR8, Codes.STR32 -> in.text();
            case Codes.SYM8, Codes.SYM32 -> typed("symbol", in.text());
            default ->
                typed(
                        "binary",
                        Base64.getEncoder()
                                .encodeToString(Arrays.copyOfRange(in.bytes(), in.valueFrom(), in.position())));
        };
    }

    private static List<@Nullable Object> list(AmqpReader in, boolean small, int depth) throws MessageFormatException {
        AmqpReader.checkDepth(depth);
        int count = in.enterCompound(small);
        int end = in.compoundEnd();
        List<@Nullable Object> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(value(in, depth - 1));
        }
        in.checkEnd(end);
        return values;
    }

    private static List<Object> map(AmqpReader in, boolean small, int depth) throws MessageFormatException {
        AmqpReader.checkDepth(depth);
        int count = in.enterCompound(small);
        int end = in.compoundEnd();
        List<Object> entries = new ArrayList<>(count / 2);
        for (int i = 0; i + 1 < count; i += 2) {
            List<@Nullable Object> pair = new ArrayList<>(2);
            pair.add(value(in, depth - 1));
            pair.add(value(in, depth - 1));
            entries.add(pair);
        }
        in.checkEnd(end);
        return entries;
    }

    private static List<@Nullable Object> array(AmqpReader in, boolean small, int depth) throws MessageFormatException {
        AmqpReader.checkDepth(depth);
        int count = in.enterArray(small);
        int end = in.compoundEnd();
        if (count == 0) {
            in.advance(end - in.position());
            return List.of();
        }
        int code = in.readCode();
        if (code == Codes.DESCRIBED) {
            in.skipValue();
            code = in.readCode();
        }
        int most = Codes.shape(code) == 0 ? EMPTY_ELEMENTS_MAX : end - in.position();
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < Math.min(count, most); i++) {
            values.add(value(in, code, depth - 1));
        }
        in.checkEnd(end);
        return values;
    }
}
