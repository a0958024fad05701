package dev.jitney.codec;

import dev.jitney.model.EncodedValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A writer of Java objects as AMQP values: null, Boolean, Integer, Long, Double, {@link Unsigned}, String, {@link Symbol},
 * UUID, {@link List} and {@link Map}. It writes {@link Instant} as timestamp, {@code byte[]} and {@link ByteBuffer} as
 * binary, and {@code long[]}, {@code Instant[]} and {@code String[]} as arrays of long, timestamp and string. It writes
 * the bytes of an {@link EncodedValue} unchanged.
 */
public final class ValueWriter {
    private ValueWriter() {}

    /**
     * Writes one value.
     *
     * @throws IllegalArgumentException if the class is not one of the above
     */
    public static void write(AmqpWriter out, @Nullable Object value) {
        if (value == null) {
            out.writeNull();
        } else if (value instanceof String text) {
            out.writeString(text);
        } else if (value instanceof Integer number) {
            out.writeInt(number);
        } else if (value instanceof Long number) {
            out.writeLong(number);
        } else if (value instanceof Map<?, ?> map) {
            writeMap(out, map);
        } else if (value instanceof List<?> list) {
            int mark = out.beginList(list.size());
            list.forEach(element -> write(out, element));
            out.endCompound(mark);
        } else if (value instanceof ByteBuffer binary) {
            out.writeBinary(binary);
        } else if (value instanceof byte[] binary) {
            out.writeBinary(binary);
        } else if (value instanceof long[] numbers) {
            int mark = out.beginArray(numbers.length, Codes.LONG);
            for (long number : numbers) {
                out.writeRawLong(number);
            }
            out.endCompound(mark);
        } else if (value instanceof Instant[] instants) {
            int mark = out.beginArray(instants.length, Codes.TIMESTAMP);
            for (Instant instant : instants) {
                out.writeRawLong(instant.toEpochMilli());
            }
            out.endCompound(mark);
        } else if (value instanceof String[] texts) {
            int mark = out.beginArray(texts.length, Codes.STR32);
            for (String text : texts) {
                byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
                out.writeRawInt(encoded.length);
                out.writeRaw(encoded, 0, encoded.length);
            }
            out.endCompound(mark);
        } else {
            writeSimple(out, value);
        }
    }

    private static void writeSimple(AmqpWriter out, Object value) {
        if (value instanceof Symbol symbol) {
            out.writeSymbol(symbol.name());
        } else if (value instanceof UUID uuid) {
            out.writeUuid(uuid);
        } else if (value instanceof Instant instant) {
            out.writeTimestamp(instant.toEpochMilli());
        } else if (value instanceof Boolean truth) {
            out.writeBoolean(truth);
        } else if (value instanceof Double number) {
            out.writeDouble(number);
        } else if (value instanceof Unsigned number) {
            number.write(out);
        } else if (value instanceof EncodedValue encoded) {
            out.writeRaw(encoded.encoding(), 0, encoded.encoding().length);
        } else {
            throw new IllegalArgumentException("Expected a value with an AMQP type, but got " + value.getClass() + ".");
        }
    }

    private static void writeMap(AmqpWriter out, Map<?, ?> map) {
        int mark = out.beginMap(map.size());
        map.forEach((key, value) -> {
            write(out, key);
            write(out, value);
        });
        out.endCompound(mark);
    }
}
