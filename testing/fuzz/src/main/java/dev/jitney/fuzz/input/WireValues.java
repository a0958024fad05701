package dev.jitney.fuzz.input;

import dev.jitney.testing.amqp.Wire;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The encoder of AMQP values in their widest forms, even where a codec would choose another. Java values stand for AMQP
 * values as in {@link Wire}, but a Long is a uint and a Byte a ubyte.
 */
final class WireValues {
    private static final int STRING = 0xb1;
    private static final int SYMBOL = 0xb3;

    private WireValues() {}

    static byte[] encode(@Nullable Object value) {
        return Wire.encode(wide(value));
    }

    static void write(ByteArrayOutputStream out, @Nullable Object value) {
        out.writeBytes(encode(value));
    }

    private static @Nullable Object wide(@Nullable Object value) {
        if (value instanceof Byte octet) {
            return Wire.ubyte(octet);
        } else if (value instanceof Long number) {
            return Wire.uint(number);
        } else if (value instanceof String text) {
            return variable(STRING, text.getBytes(StandardCharsets.UTF_8));
        } else if (value instanceof Wire.Sym symbol) {
            return variable(SYMBOL, symbol.text().getBytes(StandardCharsets.ISO_8859_1));
        } else if (value instanceof Wire.Described described) {
            return new Wire.Described(described.descriptor(), wide(described.value()));
        } else if (value instanceof List<?> list) {
            List<@Nullable Object> wide = new ArrayList<>();
            list.forEach(element -> wide.add(wide(element)));
            return wide;
        } else if (value instanceof Map<?, ?> map) {
            Map<@Nullable Object, @Nullable Object> wide = new LinkedHashMap<>();
            map.forEach((key, element) -> wide.put(wide(key), wide(element)));
            return wide;
        }
        return value;
    }

    private static Wire.Octets variable(int code, byte[] octets) {
        ByteBuffer out = ByteBuffer.allocate(1 + Integer.BYTES + octets.length);
        return new Wire.Octets(
                out.put((byte) code).putInt(octets.length).put(octets).array());
    }

    /** Returns a random value of a random type. */
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
            case 8 -> Wire.sym("amqp:accepted:list");
            case 9 -> new byte[random.nextInt(20)];
            case 10 -> new UUID(random.nextLong(), random.nextLong());
            case 11 -> new Wire.Octets(new byte[] {(byte) 0x83, -1, -1, -1, -1, 0, 0, 0, 0}); // a timestamp long ago
            case 12 -> new Wire.Octets(new byte[] {(byte) 0x80, 0x7f, -1, -1, -1, -1, -1, -1, -1}); // a large ulong
            case 13 -> Arrays.asList(any(random, depth - 1), any(random, depth - 1));
            case 14 -> Map.of("key", Arrays.asList(any(random, depth - 1)));
            case 15 -> Wire.section(0x10 + random.nextInt(0x70), Arrays.asList(any(random, depth - 1)));
            default -> new Wire.Octets(new byte[] {(byte) 0xe0, 2, 3, 0x41}); // an array of three trues
        };
    }
}
