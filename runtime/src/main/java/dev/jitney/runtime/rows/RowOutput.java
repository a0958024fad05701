package dev.jitney.runtime.rows;

import dev.jitney.model.EncodedValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A growing byte array for row values. */
final class RowOutput {
    private ByteBuffer buffer;

    RowOutput(int expectedSize) {
        buffer = ByteBuffer.allocate(expectedSize);
    }

    RowOutput u8(int value) {
        room(1).put((byte) value);
        return this;
    }

    RowOutput i32(int value) {
        room(4).putInt(value);
        return this;
    }

    RowOutput i64(long value) {
        room(8).putLong(value);
        return this;
    }

    /**
     * Writes a number in as few bytes as possible: seven bits each, lowest first, with the top bit set in all but the
     * last.
     */
    RowOutput number(long value) {
        room(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            buffer.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        buffer.put((byte) rest);
        return this;
    }

    /** Writes a number from 0, or -1 for null. */
    RowOutput optional(@Nullable Long value) {
        return i64(value == null ? -1 : value);
    }

    RowOutput bool(boolean value) {
        return u8(value ? 1 : 0);
    }

    /** Writes the length as 4 bytes (-1 for null), then the text as UTF-8. */
    RowOutput text(@Nullable String value) {
        if (value == null) {
            return i32(-1);
        }
        return block(value.getBytes(StandardCharsets.UTF_8));
    }

    RowOutput block(byte[] value) {
        i32(value.length);
        return raw(value);
    }

    RowOutput raw(byte[] value) {
        room(value.length).put(value);
        return this;
    }

    RowOutput properties(Map<String, EncodedValue> properties) {
        i32(properties.size());
        properties.forEach((name, value) -> text(name).block(value.encoding()));
        return this;
    }

    byte[] toBytes() {
        if (buffer.position() == buffer.capacity()) {
            return buffer.array();
        }
        byte[] out = new byte[buffer.position()];
        buffer.flip().get(out);
        return out;
    }

    private ByteBuffer room(int size) {
        if (buffer.remaining() < size) {
            ByteBuffer larger = ByteBuffer.allocate(Math.max(buffer.capacity() * 2, buffer.position() + size));
            buffer.flip();
            larger.put(buffer);
            buffer = larger;
        }
        return buffer;
    }
}
