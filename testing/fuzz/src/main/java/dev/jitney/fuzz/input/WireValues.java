package dev.jitney.fuzz.input;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes AMQP values as they are told, also where a codec would know better. Java values stand for AMQP ones: Long is an
 * ulong or uint as it fits, Integer an int, and {@link Sym}, {@link Desc}, {@link Raw} for what Java does not have.
 */
final class WireValues {

    /** A symbol. */
    record Sym(String text) {}

    /** A described value. */
    record Desc(long code, @Nullable Object value) {}

    /** Octets as they are. */
    record Raw(byte[] octets) {}

    private WireValues() {}

    static byte[] encode(@Nullable Object value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write(out, value);
        return out.toByteArray();
    }

    static void write(ByteArrayOutputStream out, @Nullable Object value) {
        if (value == null) {
            out.write(0x40);
        } else if (value instanceof Boolean truth) {
            out.write(truth ? 0x41 : 0x42);
        } else if (value instanceof Byte octet) {
            out.write(0x50);
            out.write(octet);
        } else if (value instanceof Integer number) {
            octets(out, 0x71, ByteBuffer.allocate(4).putInt(number).array());
        } else if (value instanceof Long number) {
            octets(out, 0x70, ByteBuffer.allocate(4).putInt((int) (long) number).array());
        } else if (value instanceof String text) {
            variable(out, 0xb1, text.getBytes(StandardCharsets.UTF_8));
        } else if (value instanceof Sym symbol) {
            variable(out, 0xb3, symbol.text().getBytes(StandardCharsets.ISO_8859_1));
        } else if (value instanceof byte[] binary) {
            variable(out, 0xb0, binary);
        } else if (value instanceof UUID id) {
            octets(
                    out,
                    0x98,
                    ByteBuffer.allocate(16)
                            .putLong(id.getMostSignificantBits())
                            .putLong(id.getLeastSignificantBits())
                            .array());
        } else if (value instanceof Raw raw) {
            out.writeBytes(raw.octets());
        } else if (value instanceof Desc described) {
            octets(out, 0, new byte[] {0x53, (byte) described.code()});
            write(out, described.value());
        } else if (value instanceof List<?> list) {
            compound(out, 0xd0, list);
        } else if (value instanceof Map<?, ?> map) {
            compound(
                    out,
                    0xd1,
                    map.entrySet().stream()
                            .flatMap(entry -> Arrays.asList(entry.getKey(), entry.getValue()).stream())
                            .toList());
        } else {
            throw new IllegalArgumentException("Expected a value that has an encoding, but got " + value.getClass());
        }
    }

    private static void compound(ByteArrayOutputStream out, int code, List<?> elements) {
        ByteArrayOutputStream inner = new ByteArrayOutputStream();
        elements.forEach(element -> write(inner, element));
        ByteBuffer head = ByteBuffer.allocate(8).putInt(inner.size() + 4).putInt(elements.size());
        octets(out, code, head.array());
        out.writeBytes(inner.toByteArray());
    }

    private static void variable(ByteArrayOutputStream out, int code, byte[] octets) {
        octets(out, code, ByteBuffer.allocate(4).putInt(octets.length).array());
        out.writeBytes(octets);
    }

    private static void octets(ByteArrayOutputStream out, int code, byte[] octets) {
        out.write(code);
        out.writeBytes(octets);
    }

    /** Some value of some type. */
    static @Nullable Object any(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 13 : 17)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> (byte) random.nextInt();
            case 3 -> random.nextInt() >> random.nextInt(32);
            case 4 -> (long) random.nextInt(5);
            case 5 -> 0xffff_ffffL;
            case 6 -> "";
            case 7 -> "text";
            case 8 -> new Sym("amqp:accepted:list");
            case 9 -> new byte[random.nextInt(20)];
            case 10 -> new UUID(random.nextLong(), random.nextLong());
            case 11 -> new Raw(new byte[] {(byte) 0x83, -1, -1, -1, -1, 0, 0, 0, 0}); // a timestamp long ago
            case 12 -> new Raw(new byte[] {(byte) 0x80, 0x7f, -1, -1, -1, -1, -1, -1, -1}); // a large ulong
            case 13 -> Arrays.asList(any(random, depth - 1), any(random, depth - 1));
            case 14 -> Map.of("key", Arrays.asList(any(random, depth - 1)));
            case 15 -> new Desc(0x10 + random.nextInt(0x70), Arrays.asList(any(random, depth - 1)));
            default -> new Raw(new byte[] {(byte) 0xe0, 2, 3, 0x41}); // an array of three trues
        };
    }
}
