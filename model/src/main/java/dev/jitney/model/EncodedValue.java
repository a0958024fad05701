package dev.jitney.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One property value in its AMQP 1.0 encoding (part 1), kept as received so that every copy has the same type.
 *
 * <p>Immutable by convention: the array must not change after construction.
 */
public final class EncodedValue {
    private static final byte INT = 0x71;
    private static final int STR8 = 0xa1;
    private static final int STR32 = 0xb1;

    private final byte[] encoding;

    /** Wraps an encoding without copying it. */
    public EncodedValue(byte[] encoding) {
        this.encoding = encoding;
    }

    /** Returns the encoding of a string (part 1, 1.6.20). */
    public static EncodedValue ofString(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        byte[] out;
        if (utf8.length < 256) {
            out = new byte[utf8.length + 2];
            out[0] = (byte) STR8;
            out[1] = (byte) utf8.length;
            System.arraycopy(utf8, 0, out, 2, utf8.length);
        } else {
            out = new byte[utf8.length + 5];
            out[0] = (byte) STR32;
            out[1] = (byte) (utf8.length >>> 24);
            out[2] = (byte) (utf8.length >>> 16);
            out[3] = (byte) (utf8.length >>> 8);
            out[4] = (byte) utf8.length;
            System.arraycopy(utf8, 0, out, 5, utf8.length);
        }
        return new EncodedValue(out);
    }

    /** Returns the encoding of an int (part 1, 1.6.8). */
    public static EncodedValue ofInt(int value) {
        return new EncodedValue(
                new byte[] {INT, (byte) (value >>> 24), (byte) (value >>> 16), (byte) (value >>> 8), (byte) value});
    }

    /** Returns the encoding: constructor code and value. Do not change the array. */
    public byte[] encoding() {
        return encoding;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EncodedValue that && Arrays.equals(encoding, that.encoding);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encoding);
    }

    @Override
    public String toString() {
        return "EncodedValue[" + encoding.length + " bytes]";
    }
}
