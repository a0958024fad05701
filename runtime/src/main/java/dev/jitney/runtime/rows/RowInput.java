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

/** Reads row values; what does not fit the format is reported as corrupt, never served. */
final class RowInput {
    private static final char REPLACEMENT = '\ufffd';
    private static final int LAST_SHIFT = 63;

    private final ByteBuffer buffer;
    private final String what;
    private final int version;

    /** Starts behind the version, which has to be the one this program writes. */
    RowInput(byte[] value, int version, String what) throws StoreException {
        this(value, version, version, what);
    }

    /** Starts behind the version, which has to be one this program knows. */
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

    /** The version found. */
    int version() {
        return version;
    }

    /** What {@link RowOutput#optional} wrote. */
    @Nullable
    Long optional() throws StoreException {
        long value = i64();
        if (value < -1) {
            throw corrupt("the number " + value);
        }
        return value < 0 ? null : value;
    }

    /** What {@link RowOutput#number} wrote. */
    long number() throws StoreException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int octet = u8();
            value |= (octet & 0x7fL) << shift;
            if (octet < 0x80) {
                if (octet == 0 && shift > 0 || octet > 1 && shift == LAST_SHIFT) {
                    throw corrupt("a number in a form that is never written");
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
            throw corrupt("neither yes nor no but " + octet);
        }
        return octet == 1;
    }

    /** Bits, each of which has a meaning. */
    int flags(int known) throws StoreException {
        int flags = u8();
        if ((flags & ~known) != 0) {
            throw corrupt("unknown flags in " + flags);
        }
        return flags;
    }

    /** How many parts follow. */
    int count() throws StoreException {
        int count = i32();
        if (count < 0) {
            throw corrupt(count + " parts");
        }
        return count;
    }

    /** Says that the row ends here. */
    void end() throws StoreException {
        if (buffer.hasRemaining()) {
            throw corrupt(buffer.remaining() + " bytes behind its end");
        }
    }

    @Nullable
    String textOrNull() throws StoreException {
        int length = i32();
        return length == -1 ? null : decoded(raw(length));
    }

    /** Text whose octets are all there in it: what is no UTF-8 would come back as something else. */
    private String decoded(byte[] octets) throws StoreException {
        String text = new String(octets, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0 && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), octets)) {
            throw corrupt("a text that is no UTF-8");
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
                throw corrupt("a property twice");
            }
        }
        return out;
    }

    StoreException corrupt(String found) {
        return new StoreException(
                StoreException.Reason.CORRUPT, "Expected a whole " + what + " row, but found " + found + ".");
    }

    private byte[] raw(int length) throws StoreException {
        byte[] out = new byte[length < 0 || length > buffer.remaining() ? fail(length) : length];
        buffer.get(out);
        return out;
    }

    private int fail(int length) throws StoreException {
        throw corrupt("a part of " + length + " bytes where " + buffer.remaining() + " are left");
    }

    private ByteBuffer need(int size) throws StoreException {
        if (buffer.remaining() < size) {
            throw corrupt("its end after " + buffer.position() + " bytes (" + new BufferUnderflowException() + ")");
        }
        return buffer;
    }
}
