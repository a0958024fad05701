package dev.jitney.cli.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
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
import org.jspecify.annotations.Nullable;

/**
 * Conversion between AMQP values and JSON without loss.
 *
 * <p>Text, booleans and null are plain JSON. Everything else is an object with two members, {@code {"type": "int",
 * "value": 5}}, whose type is the AMQP name. {@code duration}, {@code datetime-offset} and {@code uri} are additions of
 * Service Bus. A plain number is also accepted: it is an int if it fits, else a long, or a double.
 *
 * <p>64-bit integers, decimals and binary are JSON strings, since many JSON readers have only 53 bits.
 */
public final class TypedValues {
    private static final int DEPTH_MAX = 32;

    private TypedValues() {}

    /** Returns the JSON for a value from the SDK. */
    public static @Nullable Object toJson(@Nullable Object value) {
        return toJson(value, 0);
    }

    private static @Nullable Object toJson(@Nullable Object value, int depth) {
        if (value == null || value instanceof String || value instanceof Boolean) {
            return value;
        }
        if (depth > DEPTH_MAX) {
            throw new IllegalArgumentException("Expected values nested at most " + DEPTH_MAX + " deep.");
        }
        Object number = numberToJson(value);
        if (number != null) {
            return number;
        }
        if (value instanceof Character character) {
            return typed("char", character.toString());
        } else if (value instanceof Symbol symbol) {
            return typed("symbol", symbol.toString());
        } else if (value instanceof UUID uuid) {
            return typed("uuid", uuid.toString());
        } else if (value instanceof Date date) {
            return typed("timestamp", date.toInstant().toString());
        } else if (value instanceof Instant instant) {
            return typed("timestamp", instant.toString());
        } else if (value instanceof OffsetDateTime dateTime) {
            return typed("datetime-offset", dateTime.toString());
        } else if (value instanceof Duration duration) {
            return typed("duration", duration.toString());
        } else if (value instanceof URI uri) {
            return typed("uri", uri.toString());
        } else if (value instanceof Binary binary) {
            return typed("binary", base64(binary.asByteBuffer()));
        } else if (value instanceof byte[] bytes) {
            return typed("binary", Base64.getEncoder().encodeToString(bytes));
        } else if (value instanceof DescribedType described) {
            Map<String, @Nullable Object> json = new LinkedHashMap<>();
            json.put("type", "described");
            json.put("descriptor", toJson(described.getDescriptor(), depth + 1));
            json.put("value", toJson(described.getDescribed(), depth + 1));
            return json;
        }
        return collectionToJson(value, depth);
    }

    private static @Nullable Object numberToJson(Object value) {
        if (value instanceof Integer number) {
            return typed("int", number);
        } else if (value instanceof Long number) {
            return typed("long", number.toString());
        } else if (value instanceof Double number) {
            return typed("double", Double.isFinite(number) ? number : number.toString());
        } else if (value instanceof Float number) {
            return typed("float", Float.isFinite(number) ? new BigDecimal(number.toString()) : number.toString());
        } else if (value instanceof Byte number) {
            return typed("byte", number.intValue());
        } else if (value instanceof Short number) {
            return typed("short", number.intValue());
        } else if (value instanceof UnsignedByte number) {
            return typed("ubyte", number.intValue());
        } else if (value instanceof UnsignedShort number) {
            return typed("ushort", number.intValue());
        } else if (value instanceof UnsignedInteger number) {
            return typed("uint", number.longValue());
        } else if (value instanceof UnsignedLong number) {
            return typed("ulong", number.bigIntegerValue().toString());
        } else if (value instanceof Decimal32 number) {
            return typed("decimal32", Integer.toHexString(number.getBits()));
        } else if (value instanceof Decimal64 number) {
            return typed("decimal64", Long.toHexString(number.getBits()));
        } else if (value instanceof Decimal128 number) {
            return typed("decimal128", new BigInteger(1, number.asBytes()).toString(16));
        }
        return null;
    }

    private static Object collectionToJson(Object value, int depth) {
        if (value instanceof Map<?, ?> map) {
            List<@Nullable Object> entries = new ArrayList<>();
            map.forEach((key, element) -> {
                List<@Nullable Object> pair = new ArrayList<>();
                pair.add(toJson(key, depth + 1));
                pair.add(toJson(element, depth + 1));
                entries.add(pair);
            });
            return typed("map", entries);
        } else if (value instanceof Iterable<?> elements) {
            List<@Nullable Object> list = new ArrayList<>();
            elements.forEach(element -> list.add(toJson(element, depth + 1)));
            return typed("list", list);
        } else if (value instanceof Object[] array) {
            List<@Nullable Object> list = new ArrayList<>();
            for (Object element : array) {
                list.add(toJson(element, depth + 1));
            }
            return typed("list", list);
        }
        throw new IllegalArgumentException(
                "Expected a value of an AMQP type, but got " + value.getClass().getName() + ".");
    }

    private static Map<String, @Nullable Object> typed(String type, Object value) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("type", type);
        json.put("value", value);
        return json;
    }

    private static String base64(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return Base64.getEncoder().encodeToString(copy);
    }

    /**
     * Returns the value for such JSON.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    public static @Nullable Object fromJson(@Nullable Object json) {
        return fromJson(json, 0);
    }

    private static @Nullable Object fromJson(@Nullable Object json, int depth) {
        if (json == null || json instanceof String || json instanceof Boolean) {
            return json;
        }
        if (depth > DEPTH_MAX) {
            throw new IllegalArgumentException("Expected values nested at most " + DEPTH_MAX + " deep.");
        }
        if (json instanceof Long number) {
            int narrow = number.intValue();
            return narrow == number ? (Object) narrow : (Object) number;
        } else if (json instanceof BigDecimal number) {
            return number.doubleValue();
        } else if (json instanceof Map<?, ?> map && map.get("type") instanceof String type) {
            if (type.equals("described")) {
                return new Described(fromJson(map.get("descriptor"), depth + 1), fromJson(map.get("value"), depth + 1));
            } else if (type.equals("list") && map.get("value") instanceof List<?> list) {
                return list.stream()
                        .map(element -> fromJson(element, depth + 1))
                        .collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
            } else if (type.equals("map") && map.get("value") instanceof List<?> entries) {
                return mapFromJson(entries, depth);
            } else if (map.get("value") != null) {
                return parse(type, String.valueOf(map.get("value")));
            }
        }
        throw new IllegalArgumentException("Expected text, a number, a boolean, null or {\"type\": …, \"value\": …}.");
    }

    private static Map<@Nullable Object, @Nullable Object> mapFromJson(List<?> entries, int depth) {
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
        for (Object entry : entries) {
            if (!(entry instanceof List<?> pair) || pair.size() != 2) {
                throw new IllegalArgumentException("Expected the value of a map as a list of [key, value].");
            }
            map.put(fromJson(pair.get(0), depth + 1), fromJson(pair.get(1), depth + 1));
        }
        return map;
    }

    /** The type names that {@link #parse} accepts, for the help. */
    public static final String TYPES = "string, boolean, byte, short, int, long, ubyte, ushort, uint, ulong, float,"
            + " double, char, timestamp, datetime-offset, duration, uuid, uri, symbol, binary (base64)";

    /**
     * Parses a value of a named type from text.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    public static Object parse(String type, String text) {
        try {
            return parseNumberOrSimple(type, text);
        } catch (UnknownType e) {
            throw e;
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalArgumentException("Expected a value of type " + type + ", but got '" + text + "'.");
        }
    }

    private static Object parseNumberOrSimple(String type, String text) {
        return switch (type) {
            case "string" -> text;
            case "boolean" -> {
                if (!text.equals("true") && !text.equals("false")) {
                    throw new IllegalArgumentException(text);
                }
                yield Boolean.valueOf(text);
            }
            case "byte" -> Byte.valueOf(text);
            case "short" -> Short.valueOf(text);
            case "int" -> Integer.valueOf(text);
            case "long" -> Long.valueOf(text);
            case "ubyte" -> UnsignedByte.valueOf((byte) within(text, 0xff));
            case "ushort" -> UnsignedShort.valueOf((short) within(text, 0xffff));
            case "uint" -> UnsignedInteger.valueOf(within(text, 0xffff_ffffL));
            case "ulong" -> UnsignedLong.valueOf(text);
            case "float" -> Float.valueOf(text);
            case "double" -> Double.valueOf(text);
            default -> parseOther(type, text);
        };
    }

    private static Object parseOther(String type, String text) {
        return switch (type) {
            case "char" -> {
                if (text.length() != 1) {
                    throw new IllegalArgumentException(text);
                }
                yield text.charAt(0);
            }
            case "timestamp" -> Date.from(Instant.parse(text));
            case "datetime-offset" -> OffsetDateTime.parse(text);
            case "duration" ->
                text.startsWith("P") || text.startsWith("-") ? Duration.parse(text) : Durations.parse(text);
            case "uuid" -> UUID.fromString(text);
            case "uri" -> URI.create(text);
            case "symbol" -> {
                if (!StandardCharsets.US_ASCII.newEncoder().canEncode(text)) {
                    throw new IllegalArgumentException(text);
                }
                yield Symbol.valueOf(text);
            }
            case "binary" -> new Binary(Base64.getDecoder().decode(text));
            case "decimal32" -> new Decimal32(Integer.parseUnsignedInt(text, 16));
            case "decimal64" -> new Decimal64(Long.parseUnsignedLong(text, 16));
            case "decimal128" -> decimal128(text);
            default -> throw new UnknownType(type);
        };
    }

    private static Decimal128 decimal128(String hex) {
        byte[] bytes = new byte[16];
        BigInteger bits = new BigInteger(hex, 16);
        if (bits.signum() < 0 || bits.bitLength() > 8 * bytes.length) {
            throw new IllegalArgumentException(hex);
        }
        for (int i = bytes.length - 1; i >= 0; i--) {
            bytes[i] = bits.byteValue();
            bits = bits.shiftRight(8);
        }
        return new Decimal128(bytes);
    }

    private static long within(String text, long max) {
        long number = Long.parseLong(text);
        if (number < 0 || number > max) {
            throw new NumberFormatException(text);
        }
        return number;
    }

    /** A described type for which this SDK has no class. */
    private record Described(
            @Nullable Object descriptor, @Nullable Object described) implements DescribedType {
        @Override
        public @Nullable Object getDescriptor() {
            return descriptor;
        }

        @Override
        public @Nullable Object getDescribed() {
            return described;
        }
    }

    private static final class UnknownType extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        UnknownType(String type) {
            super("Expected one of the types " + TYPES + ", but got '" + type + "'.");
        }
    }
}
