package dev.jitney.runtime.rows;

import dev.jitney.model.EncodedValue;
import dev.jitney.runtime.store.StoreException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads row values. Values that do not match the format are reported as corrupt and never used. */
final class RowInput {
    private static final char REPLACEMENT = '\ufffd';
    private static final int LAST_SHIFT = 63;

    private final ByteBuffer buffer;
    private final String what;
    private final int version;

    /** Starts after the version byte, which must be the version this program writes. */
    RowInput(byte[] value, int version, String what) throws StoreException {
        this(value, version, version, what);
    }

    /** Starts after the version byte, which must be a version this program supports. */
    RowInput(byte[] value, int oldest, int newest, String what) throws StoreException {
        this.buffer = ByteBuffer.wrap(value);
        this.what = what;
        this.version = u8();
        if (version < oldest || version > newest) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected version " + (oldest == newest ? "" : oldest + " to ") + newest + " of a " + what
                            + " row, but got version " + version + ".");
        }
    }

    /** Returns the version of the row. */
    int version() {
        return version;
    }

    /** Reads a value written by {@link RowOutput#optional}. */
    @Nullable
    Long optional() throws StoreException {
        long value = i64();
        if (value < -1) {
            throw corrupt("the number " + value);
        }
        return value < 0 ? null : value;
    }

    /** Reads a value written by {@link RowOutput#number}. */
    long number() throws StoreException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int octet = u8();
            value |= (octet & 0x7fL) << shift;
            if (octet < 0x80) {
                if (octet == 0 && shift > 0 || octet > 1 && shift == LAST_SHIFT) {
                    throw corrupt("a number that is not in its shortest form");
                }
                return value;
            }
        }
        throw corrupt("a number of more than ten bytes");
    }

    int u8() throws StoreException {
        return need(1).get() & 0xff;
    }

    int i32() throws StoreException {
        return need(4).getInt();
    }

    long i64() throws StoreException {
        return need(8).getLong();
    }

    boolean bool() throws StoreException {
        int octet = u8();
        if (octet > 1) {
            throw corrupt("a Boolean with value " + octet);
        }
        return octet == 1;
    }

    /** Reads a byte of flags, all of which must be known. */
    int flags(int known) throws StoreException {
        int flags = u8();
        if ((flags & ~known) != 0) {
            throw corrupt("unknown flags in " + flags);
        }
        return flags;
    }

    /** Reads the number of parts that follow. */
    int count() throws StoreException {
        int count = i32();
        if (count < 0) {
            throw corrupt(count + " parts");
        }
        return count;
    }

    /** Checks that the row ends here. */
    void end() throws StoreException {
        if (buffer.hasRemaining()) {
            throw corrupt(buffer.remaining() + " extra bytes at the end");
        }
    }

    @Nullable
    String textOrNull() throws StoreException {
        int length = i32();
        return length == -1 ? null : decoded(raw(length));
    }

    /** Decodes text strictly. Invalid UTF-8 is reported, because it would be written back differently. */
    private String decoded(byte[] octets) throws StoreException {
        String text = new String(octets, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0 && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), octets)) {
            throw corrupt("text that is not valid UTF-8");
        }
        return text;
    }

    String text() throws StoreException {
        String text = textOrNull();
        if (text == null) {
            throw corrupt("a missing text");
        }
        return text;
    }

    byte[] block() throws StoreException {
        return raw(i32());
    }

    byte[] rest() throws StoreException {
        return raw(buffer.remaining());
    }

    Map<String, EncodedValue> properties() throws StoreException {
        int count = count();
        if (count == 0) {
            return Map.of();
        }
        Map<String, EncodedValue> out = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            String name = text();
            if (out.put(name, new EncodedValue(block())) != null) {
                throw corrupt("a duplicate property");
            }
        }
        return out;
    }

    StoreException corrupt(String found) {
        return new StoreException(
                StoreException.Reason.CORRUPT, "Expected a valid " + what + " row, but found " + found + ".");
    }

    private byte[] raw(int length) throws StoreException {
        byte[] out = new byte[length < 0 || length > buffer.remaining() ? fail(length) : length];
        buffer.get(out);
        return out;
    }

    private int fail(int length) throws StoreException {
        throw corrupt("a part of " + length + " bytes with only " + buffer.remaining() + " bytes left");
    }

    private ByteBuffer need(int size) throws StoreException {
        if (buffer.remaining() < size) {
            throw corrupt("its end after " + buffer.position() + " bytes (" + new BufferUnderflowException() + ")");
        }
        return buffer;
    }
}
