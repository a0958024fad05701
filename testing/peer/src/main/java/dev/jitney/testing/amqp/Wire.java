package dev.jitney.testing.amqp;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The encoder of AMQP values. Java values stand for types as follows, and every other type has a record here: Boolean,
 * Byte, Short, Integer (int), Long (long), Float, Double, Character, UUID, Instant (timestamp), byte[] (binary),
 * String, List, Map.
 */
public final class Wire {

    private Wire() {}

    /** A symbol. */
    public record Sym(String text) {}

    /** An unsigned integer of 8, 16, 32 or 64 bits in its full-width encoding. */
    public record Unsigned(int bits, long number) {}

    /** A described value. */
    public record Described(Object descriptor, @Nullable Object value) {}

    /** An array of fixed-width or variable-width elements, all of one format code. */
    public record ArrayOf(int code, List<?> elements) {}

    /** Bytes that are written unchanged, valid or not. */
    public record Octets(byte[] octets) {}

    public static Sym sym(String text) {
        return new Sym(text);
    }

    public static Unsigned ubyte(int number) {
        return new Unsigned(8, number);
    }

    public static Unsigned uint(long number) {
        return new Unsigned(32, number);
    }

    public static Unsigned ulong(long number) {
        return new Unsigned(64, number);
    }

    public static Octets octets(int... octets) {
        byte[] bytes = new byte[octets.length];
        for (int i = 0; i < octets.length; i++) {
            bytes[i] = (byte) octets[i];
        }
        return new Octets(bytes);
    }

    public static List<@Nullable Object> list(@Nullable Object... items) {
        return Arrays.asList(items);
    }

    /** Returns a map from alternating keys and values. */
    public static Map<Object, @Nullable Object> map(@Nullable Object... keysAndValues) {
        Map<Object, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put(java.util.Objects.requireNonNull(keysAndValues[i]), keysAndValues[i + 1]);
        }
        return map;
    }

    /** Returns an array of uuids, the encoding of lock tokens. */
    public static ArrayOf uuids(UUID... tokens) {
        return new ArrayOf(0x98, List.of(tokens));
    }

    /** Returns an array of longs, the encoding of sequence numbers. */
    public static ArrayOf longs(long... numbers) {
        List<Long> elements = new ArrayList<>();
        for (long number : numbers) {
            elements.add(number);
        }
        return new ArrayOf(0x81, elements);
    }

    /** Returns a composite type with a one-byte numeric descriptor. */
    public static Described composite(int code, @Nullable Object... fields) {
        return new Described(new Octets(new byte[] {0x53, (byte) code}), list(fields));
    }

    /** Returns a section of a message. */
    public static Described section(int code, @Nullable Object value) {
        return new Described(new Octets(new byte[] {0x53, (byte) code}), value);
    }

    /** Returns the encoded values, one after the other. */
    public static byte[] encode(@Nullable Object... values) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            for (Object value : values) {
                write(out, value);
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, @Nullable Object value) throws IOException {
        if (value == null) {
            out.writeByte(0x40);
        } else if (value instanceof Octets raw) {
            out.write(raw.octets);
        } else if (value instanceof Described described) {
            out.writeByte(0x00);
            write(out, described.descriptor);
            write(out, described.value);
        } else if (value instanceof List<?> list) {
            out.writeByte(0xd0);
            compound(out, list.size(), encode(list.toArray()));
        } else if (value instanceof Map<?, ?> map) {
            List<@Nullable Object> flat = new ArrayList<>();
            map.forEach((k, v) -> {
                flat.add(k);
                flat.add(v);
            });
            out.writeByte(0xd1);
            compound(out, flat.size(), encode(flat.toArray()));
        } else if (value instanceof ArrayOf array) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            body.write(array.code);
            DataOutputStream elements = new DataOutputStream(body);
            for (Object element : array.elements) {
                content(elements, array.code, element);
            }
            out.writeByte(0xf0);
            compound(out, array.elements.size(), body.toByteArray());
        } else {
            int code = codeOf(value);
            out.writeByte(code);
            content(out, code, value);
        }
    }

    private static void compound(DataOutputStream out, int count, byte[] content) throws IOException {
        out.writeInt(content.length + 4);
        out.writeInt(count);
        out.write(content);
    }

    private static int codeOf(Object value) {
        if (value instanceof Boolean truth) {
            return truth ? 0x41 : 0x42;
        } else if (value instanceof Unsigned unsigned) {
            return switch (unsigned.bits) {
                case 8 -> 0x50;
                case 16 -> 0x60;
                case 32 -> 0x70;
                default -> 0x80;
            };
        } else if (value instanceof Byte) {
            return 0x51;
        } else if (value instanceof Short) {
            return 0x61;
        } else if (value instanceof Integer) {
            return 0x71;
        } else if (value instanceof Long) {
            return 0x81;
        } else if (value instanceof Float) {
            return 0x72;
        } else if (value instanceof Double) {
            return 0x82;
        } else if (value instanceof Character) {
            return 0x73;
        } else if (value instanceof Instant) {
            return 0x83;
        } else if (value instanceof UUID) {
            return 0x98;
        } else if (value instanceof byte[]) {
            return 0xb0;
        } else if (value instanceof String text) {
            return text.length() < 64 ? 0xa1 : 0xb1;
        } else if (value instanceof Sym) {
            return 0xa3;
        }
        throw new IllegalArgumentException("Expected a value with an AMQP type, but got " + value.getClass());
    }

    private static void content(DataOutputStream out, int code, Object value) throws IOException {
        switch (code) {
            case 0x41, 0x42 -> {}
            case 0x50 -> out.writeByte((int) ((Unsigned) value).number);
            case 0x60 -> out.writeShort((int) ((Unsigned) value).number);
            case 0x70 -> out.writeInt((int) ((Unsigned) value).number);
            case 0x80 -> out.writeLong(((Unsigned) value).number);
            case 0x51 -> out.writeByte((Byte) value);
            case 0x61 -> out.writeShort((Short) value);
            case 0x71 -> out.writeInt((Integer) value);
            case 0x81 -> out.writeLong((Long) value);
            case 0x72 -> out.writeFloat((Float) value);
            case 0x82 -> out.writeDouble((Double) value);
            case 0x73 -> out.writeInt((Character) value);
            case 0x83 -> out.writeLong(((Instant) value).toEpochMilli());
            case 0x98 -> {
                out.writeLong(((UUID) value).getMostSignificantBits());
                out.writeLong(((UUID) value).getLeastSignificantBits());
            }
            case 0xb0 -> {
                out.writeInt(((byte[]) value).length);
                out.write((byte[]) value);
            }
            case 0xa1, 0xa3 -> {
                byte[] text = textOf(value).getBytes(StandardCharsets.UTF_8);
                out.writeByte(text.length);
                out.write(text);
            }
            case 0xb1 -> {
                byte[] text = textOf(value).getBytes(StandardCharsets.UTF_8);
                out.writeInt(text.length);
                out.write(text);
            }
            default ->
                throw new IllegalArgumentException(
                        "Expected a format code that arrays support, but got 0x" + Integer.toHexString(code) + ".");
        }
    }

    private static String textOf(Object value) {
        return value instanceof Sym symbol ? symbol.text : (String) value;
    }
}
