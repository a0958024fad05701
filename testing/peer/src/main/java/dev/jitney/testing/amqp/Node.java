package dev.jitney.testing.amqp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One AMQP value of a frame: its format code, its content, and for compound values its parts.
 *
 * @param code format code, {@code 0x00} for a described value; elements of an array have the code of the array
 * @param value Java value of a primitive: Boolean, Long for every integer, Float, Double, Character, UUID, String,
 *     byte[] for binary and decimals; null for null and for compound values
 * @param items elements of a list or an array, alternating keys and values of a map, or the one described value
 * @param descriptor descriptor of a described value, otherwise null
 */
public record Node(
        int code,
        @Nullable Object value,
        List<Node> items,
        @Nullable Node descriptor) {

    /** Reads one value at the buffer's position and moves the position past the value. */
    public static Node read(ByteBuffer in) {
        int code = in.get() & 0xff;
        if (code == 0x00) {
            Node descriptor = read(in);
            return new Node(0x00, null, List.of(read(in)), descriptor);
        }
        return read(code, in);
    }

    /** Reads the only value in the bytes. */
    public static Node of(byte[] octets) {
        ByteBuffer in = ByteBuffer.wrap(octets);
        Node node = read(in);
        if (in.hasRemaining()) {
            throw new IllegalArgumentException("Expected one value, but " + in.remaining() + " bytes follow it.");
        }
        return node;
    }

    private static Node read(int code, ByteBuffer in) {
        return switch (code) {
            case 0x40 -> primitive(code, null);
            case 0x41 -> primitive(code, true);
            case 0x42 -> primitive(code, false);
            case 0x43, 0x44 -> primitive(code, 0L);
            case 0x45 -> compound(code, List.of());
            case 0x50, 0x52, 0x53 -> primitive(code, (long) (in.get() & 0xff));
            case 0x51, 0x54, 0x55 -> primitive(code, (long) in.get());
            case 0x56 -> primitive(code, in.get() != 0);
            case 0x60 -> primitive(code, (long) (in.getShort() & 0xffff));
            case 0x61 -> primitive(code, (long) in.getShort());
            case 0x70 -> primitive(code, in.getInt() & 0xffffffffL);
            case 0x71 -> primitive(code, (long) in.getInt());
            case 0x72 -> primitive(code, in.getFloat());
            case 0x73 -> primitive(code, (char) in.getInt());
            case 0x74 -> primitive(code, octets(in, 4));
            case 0x80, 0x81, 0x83 -> primitive(code, in.getLong());
            case 0x82 -> primitive(code, in.getDouble());
            case 0x84 -> primitive(code, octets(in, 8));
            case 0x94 -> primitive(code, octets(in, 16));
            case 0x98 -> primitive(code, new UUID(in.getLong(), in.getLong()));
            case 0xa0 -> primitive(code, octets(in, in.get() & 0xff));
            case 0xb0 -> primitive(code, octets(in, in.getInt()));
            case 0xa1, 0xa3 -> primitive(code, new String(octets(in, in.get() & 0xff), StandardCharsets.UTF_8));
            case 0xb1, 0xb3 -> primitive(code, new String(octets(in, in.getInt()), StandardCharsets.UTF_8));
            case 0xc0, 0xc1 -> compound(code, many(part(in, in.get() & 0xff), 1));
            case 0xd0, 0xd1 -> compound(code, many(part(in, in.getInt()), 4));
            case 0xe0 -> compound(code, array(part(in, in.get() & 0xff), 1));
            case 0xf0 -> compound(code, array(part(in, in.getInt()), 4));
            default ->
                throw new IllegalArgumentException(
                        "Expected an AMQP format code, but got 0x" + Integer.toHexString(code) + ".");
        };
    }

    private static Node primitive(int code, @Nullable Object value) {
        return new Node(code, value, List.of(), null);
    }

    private static Node compound(int code, List<Node> items) {
        return new Node(code, null, items, null);
    }

    private static byte[] octets(ByteBuffer in, int length) {
        byte[] octets = new byte[length];
        in.get(octets);
        return octets;
    }

    private static ByteBuffer part(ByteBuffer in, int length) {
        return ByteBuffer.wrap(octets(in, length));
    }

    private static int count(ByteBuffer in, int width) {
        return width == 1 ? in.get() & 0xff : in.getInt();
    }

    private static List<Node> many(ByteBuffer in, int width) {
        int count = count(in, width);
        List<Node> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            items.add(read(in));
        }
        if (in.hasRemaining()) {
            throw new IllegalArgumentException("Expected " + count + " elements to fill the compound value, but "
                    + in.remaining() + " bytes are left.");
        }
        return items;
    }

    private static List<Node> array(ByteBuffer in, int width) {
        int count = count(in, width);
        int code = in.get() & 0xff;
        Node descriptor = null;
        if (code == 0x00) {
            descriptor = read(in);
            code = in.get() & 0xff;
        }
        List<Node> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Node item = read(code, in);
            items.add(descriptor == null ? item : new Node(0x00, null, List.of(item), descriptor));
        }
        return items;
    }

    public boolean isNull() {
        return code == 0x40;
    }

    public boolean isDescribed() {
        return code == 0x00;
    }

    public boolean isList() {
        return code == 0x45 || code == 0xc0 || code == 0xd0;
    }

    public boolean isMap() {
        return code == 0xc1 || code == 0xd1;
    }

    public boolean isArray() {
        return code == 0xe0 || code == 0xf0;
    }

    public boolean isSymbol() {
        return code == 0xa3 || code == 0xb3;
    }

    public boolean isString() {
        return code == 0xa1 || code == 0xb1;
    }

    /** Returns whether the value is a signed 32-bit integer, in either encoding. */
    public boolean isInt() {
        return code == 0x71 || code == 0x54;
    }

    /** Returns whether the value is a signed 64-bit integer, in either encoding. */
    public boolean isLong() {
        return code == 0x81 || code == 0x55;
    }

    public boolean isUuid() {
        return code == 0x98;
    }

    public boolean isTimestamp() {
        return code == 0x83;
    }

    public boolean isBinary() {
        return code == 0xa0 || code == 0xb0;
    }

    /** Returns the numeric descriptor of a described value. */
    public long descriptorCode() {
        if (descriptor == null) {
            throw new AssertionError("Expected a described value, but got " + this);
        }
        return descriptor.number();
    }

    /** Returns the value after the descriptor. */
    public Node described() {
        if (!isDescribed()) {
            throw new AssertionError("Expected a described value, but got " + this);
        }
        return items.get(0);
    }

    /** Returns the number of encoded elements of a list or a described list. */
    public int size() {
        return isDescribed() ? described().size() : items.size();
    }

    /** Returns an element of a list, a described list or an array. A missing element reads as null. */
    public Node at(int index) {
        if (isDescribed()) {
            return described().at(index);
        }
        return index < items.size() ? items.get(index) : primitive(0x40, null);
    }

    /** Returns the value of a string or symbol key in a map, or an AMQP null. */
    public Node get(String key) {
        if (isDescribed()) {
            return described().get(key);
        }
        for (int i = 0; isMap() && i + 1 < items.size(); i += 2) {
            if (key.equals(items.get(i).value)) {
                return items.get(i + 1);
            }
        }
        return primitive(0x40, null);
    }

    /** Returns a map with its keys as strings. */
    public Map<String, Node> map() {
        Map<String, Node> map = new LinkedHashMap<>();
        Node node = isDescribed() ? described() : this;
        for (int i = 0; node.isMap() && i + 1 < node.items.size(); i += 2) {
            map.put(node.items.get(i).text(), node.items.get(i + 1));
        }
        return map;
    }

    public String text() {
        if (value instanceof String text) {
            return text;
        }
        throw new AssertionError("Expected a string or symbol, but got " + this);
    }

    public long number() {
        if (value instanceof Long number) {
            return number;
        }
        throw new AssertionError("Expected an integer, but got " + this);
    }

    public boolean bool() {
        if (value instanceof Boolean truth) {
            return truth;
        }
        throw new AssertionError("Expected a boolean, but got " + this);
    }

    public byte[] bytes() {
        if (value instanceof byte[] bytes) {
            return bytes;
        }
        throw new AssertionError("Expected binary, but got " + this);
    }

    public UUID uuid() {
        if (value instanceof UUID uuid) {
            return uuid;
        }
        throw new AssertionError("Expected a uuid, but got " + this);
    }

    @Override
    public String toString() {
        if (descriptor != null) {
            return "@" + descriptor + described();
        }
        if (isList() || isArray()) {
            return (isArray() ? "array" : "") + items;
        }
        if (isMap()) {
            StringBuilder text = new StringBuilder("{");
            for (int i = 0; i + 1 < items.size(); i += 2) {
                text.append(i == 0 ? "" : ", ").append(items.get(i)).append('=').append(items.get(i + 1));
            }
            return text.append('}').toString();
        }
        if (value instanceof byte[] bytes) {
            String hex = HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, 32));
            return "b\"" + hex + (bytes.length > 32 ? "…(" + bytes.length + ")" : "") + "\"";
        }
        return isSymbol() ? ":" + value : isString() ? "\"" + value + "\"" : String.valueOf(value);
    }
}
