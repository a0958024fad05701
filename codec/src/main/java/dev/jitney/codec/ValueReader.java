package dev.jitney.codec;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A reader of AMQP values as objects, for requests that are small enough to be read as a whole.
 *
 * <table>
 * <caption>mapping</caption>
 * <tr><th>AMQP</th><th>Java</th></tr>
 * <tr><td>null, boolean, string, uuid</td><td>null, Boolean, String, UUID</td></tr>
 * <tr><td>byte to long, ubyte to ulong</td><td>the {@link Number} of that type, {@link Unsigned} for the unsigned ones</td></tr>
 * <tr><td>float, double</td><td>Float, Double</td></tr>
 * <tr><td>char</td><td>String of one character</td></tr>
 * <tr><td>timestamp</td><td>Instant</td></tr>
 * <tr><td>binary, decimals</td><td>byte[]</td></tr>
 * <tr><td>symbol</td><td>String</td></tr>
 * <tr><td>list, array</td><td>List</td></tr>
 * <tr><td>map</td><td>Map</td></tr>
 * <tr><td>described value</td><td>the value alone</td></tr>
 * </table>
 */
public final class ValueReader {
    /**
     * The maximum number of array elements that take no bytes: no sensible request needs more, and each one costs memory.
     */
    private static final int MAX_EMPTY_ELEMENTS = 16;

    /**
     * The maximum number of keys of a map that are not text. A hash map needs quadratic time for many keys of different
     * classes with the same hash.
     */
    private static final int OTHER_KEYS_MAX = 256;

    private static final ValueReader STRICT = new ValueReader(true);
    private static final ValueReader LENIENT = new ValueReader(false);
    private static final String REPLACEMENT = "\ufffd";

    private final boolean strict;

    private ValueReader(boolean strict) {
        this.strict = strict;
    }

    /** Reads the next value. Memory use is proportional to its encoded size. */
    public static @Nullable Object read(AmqpReader in) throws MessageFormatException {
        return STRICT.value(in, AmqpReader.MAX_DEPTH);
    }

    /**
     * Reads the next value of content whose structure {@link AmqpReader#skipValue} has checked. That method does not
     * check everything, so this one accepts strings that are not UTF-8, invalid characters, keys of any type and number, and
     * arrays of empty elements. If a map has more than {@value #OTHER_KEYS_MAX} keys that are not text, the others are
     * replaced by their text.
     */
    static @Nullable Object readStored(AmqpReader in) throws MessageFormatException {
        return LENIENT.value(in, AmqpReader.MAX_DEPTH);
    }

    private @Nullable Object value(AmqpReader in, int depth) throws MessageFormatException {
        int code = in.readCode();
        if (code == Codes.DESCRIBED) {
            AmqpReader.checkDepth(depth);
            in.skipValue();
            return value(in, depth - 1);
        }
        return value(in, code, depth);
    }

    private @Nullable Object value(AmqpReader in, int code, int depth) throws MessageFormatException {
        return switch (code) {
            case Codes.NULL -> null;
            case Codes.TRUE -> true;
            case Codes.FALSE -> false;
            case Codes.BOOLEAN -> in.readUnsignedByte() != 0;
            case Codes.UBYTE -> Unsigned.ofByte(in.readUnsignedByte());
            case Codes.BYTE -> (byte) in.readUnsignedByte();
            case Codes.USHORT -> Unsigned.ofShort(in.rawShort());
            case Codes.SHORT -> in.rawShort();
            case Codes.UINT0 -> Unsigned.ofInt(0);
            case Codes.SMALL_UINT -> Unsigned.ofInt(in.readUnsignedByte());
            case Codes.UINT -> Unsigned.ofInt(in.rawInt());
            case Codes.SMALL_INT -> (int) (byte) in.readUnsignedByte();
            case Codes.INT -> in.rawInt();
            case Codes.ULONG0 -> Unsigned.ofLong(0);
            case Codes.SMALL_ULONG -> Unsigned.ofLong(in.readUnsignedByte());
            case Codes.ULONG -> Unsigned.ofLong(in.rawLong());
            case Codes.SMALL_LONG -> (long) (byte) in.readUnsignedByte();
            case Codes.LONG -> in.rawLong();
            case Codes.FLOAT -> Float.intBitsToFloat(in.rawInt());
            case Codes.DOUBLE -> Double.longBitsToDouble(in.rawLong());
            case Codes.CHAR -> character(in.rawInt());
            case Codes.TIMESTAMP -> Instant.ofEpochMilli(in.rawLong());
            case Codes.UUID -> new UUID(in.rawLong(), in.rawLong());
            case Codes.LIST0 -> List.of();
            case Codes.LIST8, Codes.LIST32 -> list(in, code == Codes.LIST8, depth);
            case Codes.MAP8, Codes.MAP32 -> map(in, code == Codes.MAP8, depth);
            case Codes.ARRAY8, Codes.ARRAY32 -> array(in, code == Codes.ARRAY8, depth);
            default -> octets(in, code);
        };
    }

    /** Reads strings, symbols, binaries and decimals. */
    private Object octets(AmqpReader in, int code) throws MessageFormatException {
        in.enterOctets(code);
        if (Codes.isText(code)) {
            if (strict) {
                in.checkUtf8(in.valueFrom(), in.position());
            }
            return in.text();
        }
        return Arrays.copyOfRange(in.bytes(), in.valueFrom(), in.position());
    }

    private String character(int codePoint) throws MessageFormatException {
        if (Character.isValidCodePoint(codePoint)) {
            return Character.toString(codePoint);
        }
        if (strict) {
            throw MessageFormatException.decodeError("Expected a Unicode character, but got an invalid code point.");
        }
        return REPLACEMENT;
    }

    private List<@Nullable Object> list(AmqpReader in, boolean small, int depth) throws MessageFormatException {
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

    private Map<@Nullable Object, @Nullable Object> map(AmqpReader in, boolean small, int depth)
            throws MessageFormatException {
        AmqpReader.checkDepth(depth);
        int count = in.enterCompound(small);
        int end = in.compoundEnd();
        if ((count & 1) != 0) {
            throw MessageFormatException.decodeError(
                    "Expected keys and values in pairs, but a map has " + count + " elements.");
        }
        Map<@Nullable Object, @Nullable Object> values = new LinkedHashMap<>();
        int others = 0;
        for (int i = 0; i < count; i += 2) {
            Object key = value(in, depth - 1);
            if (key instanceof Map || key instanceof List) {
                key = compoundKey(i);
            } else if (!(key instanceof String) && ++others > OTHER_KEYS_MAX) {
                key = textOfKey(key);
            }
            values.put(key, value(in, depth - 1));
        }
        in.checkEnd(end);
        return values;
    }

    /**
     * Returns a unique text with the position of the key, which stands for a key that is a list or map. Code that
     * compares or prints whole trees cannot handle such keys.
     */
    private Object compoundKey(int index) throws MessageFormatException {
        if (strict) {
            throw MessageFormatException.decodeError("Expected simple keys in a map, but got a list or map.");
        }
        return "key " + (index / 2 + 1);
    }

    private Object textOfKey(@Nullable Object key) throws MessageFormatException {
        if (strict) {
            throw MessageFormatException.decodeError(
                    "Expected at most " + OTHER_KEYS_MAX + " keys in a map that are not text, but got more.");
        }
        return String.valueOf(key);
    }

    private List<@Nullable Object> array(AmqpReader in, boolean small, int depth) throws MessageFormatException {
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
        int width = Codes.shape(code);
        if (width == 0 && !strict) {
            count = Math.min(count, MAX_EMPTY_ELEMENTS);
        }
        if (width == 0 ? count > MAX_EMPTY_ELEMENTS : count > end - in.position()) {
            throw MessageFormatException.decodeError(
                    "Expected " + count + " array elements, but only " + (end - in.position()) + " bytes remain.");
        }
        List<@Nullable Object> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(value(in, code, depth - 1));
        }
        in.checkEnd(end);
        return values;
    }

    /**
     * Returns the encodings of the values of a map that are maps themselves, by their string key. Returns an empty map if
     * the next value is not a map.
     */
    public static Map<String, byte[]> encodedMaps(AmqpReader in) throws MessageFormatException {
        Map<String, byte[]> maps = new LinkedHashMap<>();
        int code = in.peekCode();
        if (code != Codes.MAP8 && code != Codes.MAP32) {
            return maps;
        }
        int count = in.enterMap();
        for (int i = 0; i < count; i += 2) {
            int keyCode = in.peekCode();
            if (keyCode != Codes.STR8 && keyCode != Codes.STR32) {
                in.skipValue();
                in.skipValue();
                continue;
            }
            String key = in.readString();
            int valueFrom = in.position();
            int valueCode = in.peekCode();
            in.skipValue();
            if (valueCode == Codes.MAP8 || valueCode == Codes.MAP32) {
                maps.put(key, Arrays.copyOfRange(in.bytes(), valueFrom, in.position()));
            }
        }
        return maps;
    }
}
