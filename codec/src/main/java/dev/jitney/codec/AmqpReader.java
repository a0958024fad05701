package dev.jitney.codec;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A reader of AMQP-encoded values in an array, safe for input from untrusted clients.
 *
 * <p>The reader checks every size and count against the remaining bytes before it uses it. Nesting is limited to
 * {@value #MAX_DEPTH} levels, and the work is linear in the number of bytes read. Invalid input always causes a
 * {@link MessageFormatException} and no other exception; after one, the reader must not be used.
 *
 * <p>Not thread-safe. The array is neither copied nor changed.
 */
public final class AmqpReader {
    /** The maximum nesting of lists, maps, arrays and descriptors. */
    public static final int MAX_DEPTH = 64;

    /** The maximum number of array elements that take no bytes, such as nulls: no size limits their count. */
    private static final int MAX_EMPTY_ELEMENTS = 65_536;

    private static final long NOT_ASCII = 0x8080_8080_8080_8080L;

    private final byte[] bytes;
    private final int limit;
    private int position;
    private int compoundEnd;
    private int valueFrom;
    private int emptyElementsLeft = Integer.MAX_VALUE;
    private int otherKeysLeft = Integer.MAX_VALUE;
    private int symbolsLeft = Integer.MAX_VALUE;

    /** Creates a reader of {@code bytes} from {@code from} (inclusive) to {@code to} (exclusive). */
    public AmqpReader(byte[] bytes, int from, int to) {
        if (from < 0 || to < from || to > bytes.length) {
            throw new IndexOutOfBoundsException(from + " to " + to + " of " + bytes.length);
        }
        this.bytes = bytes;
        this.position = from;
        this.limit = to;
    }

    /** Returns an independent reader of the same bytes at the same position. */
    public AmqpReader fork() {
        return new AmqpReader(bytes, position, limit);
    }

    /** Returns the array that this reader reads. Do not change it. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns the index of the next byte. */
    public int position() {
        return position;
    }

    /** Returns the index after the last byte. */
    public int limit() {
        return limit;
    }

    public boolean hasRemaining() {
        return position < limit;
    }

    /** Returns the next constructor code without reading it. */
    public int peekCode() throws MessageFormatException {
        if (position >= limit) {
            throw truncated(1);
        }
        return bytes[position] & 0xff;
    }

    public int readCode() throws MessageFormatException {
        int code = peekCode();
        position++;
        return code;
    }

    /** Skips a null, if there is one, and returns whether there was. */
    public boolean skipNull() throws MessageFormatException {
        if (peekCode() != Codes.NULL) {
            return false;
        }
        position++;
        return true;
    }

    /**
     * Limits values that cost a decoder of objects more than their bytes. The limits apply to all values together that
     * {@link #skipValue} skips from now on.
     *
     * @param emptyElementsMax elements of arrays that take no bytes, such as nulls: each becomes an object or a reference
     * @param otherKeysMax keys of maps that are neither strings nor symbols: many with the same hash take quadratic time,
     *     unless all are of one comparable class
     * @param symbolsMax symbols: decoders look them up in a cache that all connections share
     */
    public void limit(int emptyElementsMax, int otherKeysMax, int symbolsMax) {
        emptyElementsLeft = emptyElementsMax;
        otherKeysLeft = otherKeysMax;
        symbolsLeft = symbolsMax;
    }

    /** Skips one value of any type and checks its whole structure. */
    public void skipValue() throws MessageFormatException {
        skip(MAX_DEPTH);
    }

    private void skip(int depth) throws MessageFormatException {
        int code = readCode();
        if (code == Codes.DESCRIBED) {
            checkDepth(depth);
            skip(depth - 1);
            skip(depth - 1);
        } else {
            skipBody(code, depth);
        }
    }

    private void skipBody(int code, int depth) throws MessageFormatException {
        int shape = Codes.shape(code);
        if (shape >= 0) {
            advance(shape);
            return;
        }
        if ((code == Codes.SYM8 || code == Codes.SYM32) && --symbolsLeft < 0) {
            throw MessageFormatException.decodeError("Expected fewer symbols in a frame.");
        }
        switch (shape) {
            case Codes.VARIABLE8 -> advance(readUnsignedByte());
            case Codes.VARIABLE32 -> advance(readSize());
            case Codes.COMPOUND8, Codes.COMPOUND32 -> {
                checkDepth(depth);
                int count = enterCompound(shape == Codes.COMPOUND8);
                int end = compoundEnd;
                checkPairs(code, count);
                boolean isMap = code == Codes.MAP8 || code == Codes.MAP32;
                for (int i = 0; i < count; i++) {
                    if (isMap && (i & 1) == 0) {
                        checkKey();
                    }
                    skip(depth - 1);
                }
                checkEnd(end);
            }
            case Codes.ARRAY_8, Codes.ARRAY_32 -> {
                checkDepth(depth);
                skipArray(shape == Codes.ARRAY_8, depth - 1);
            }
            default -> throw unknownCode(code);
        }
    }

    private void skipArray(boolean small, int depth) throws MessageFormatException {
        int count = enterArray(small);
        int end = compoundEnd;
        if (count == 0 && position == end) {
            return; // some encoders omit the constructor of an empty array
        }
        int code = readCode();
        if (code == Codes.DESCRIBED) {
            skip(depth);
            code = readCode();
        }
        int width = Codes.shape(code);
        if (width >= 0) {
            checkElements(count, width, end);
            position = end;
            return;
        }
        if (width == Codes.INVALID || code == Codes.DESCRIBED) {
            throw unknownCode(code);
        }
        if (count > end - position) {
            throw MessageFormatException.decodeError(
                    "Expected " + count + " array elements, but only " + (end - position) + " bytes remain.");
        }
        for (int i = 0; i < count; i++) {
            skipBody(code, depth);
        }
        checkEnd(end);
    }

    private void checkKey() throws MessageFormatException {
        if (!Codes.isText(peekCode()) && --otherKeysLeft < 0) {
            throw MessageFormatException.decodeError(
                    "Expected strings or symbols as the keys of maps, but there are too many keys of other types.");
        }
    }

    private void checkElements(int count, int width, int end) throws MessageFormatException {
        if ((long) count * width != end - position || width == 0 && count > MAX_EMPTY_ELEMENTS) {
            throw MessageFormatException.decodeError("Expected " + count + " array elements of " + width
                    + " bytes, but the array has " + (end - position) + " bytes.");
        }
        if (width == 0) {
            if (count > emptyElementsLeft) {
                throw MessageFormatException.decodeError("Expected at most " + emptyElementsLeft
                        + " more array elements that take no bytes, but got " + count + ".");
            }
            emptyElementsLeft -= count;
        }
    }

    /**
     * Enters a list.
     *
     * @return the number of elements that follow; the list ends at {@link #compoundEnd()}
     */
    public int enterList() throws MessageFormatException {
        int code = readCode();
        switch (code) {
            case Codes.LIST0 -> {
                compoundEnd = position;
                return 0;
            }
            case Codes.LIST8, Codes.LIST32 -> {
                return enterCompound(code == Codes.LIST8);
            }
            default -> throw unexpected("a list", code);
        }
    }

    /**
     * Enters a map.
     *
     * @return the number of keys and values that follow, which is even; the map ends at {@link #compoundEnd()}
     */
    public int enterMap() throws MessageFormatException {
        int code = readCode();
        if (code != Codes.MAP8 && code != Codes.MAP32) {
            throw unexpected("a map", code);
        }
        int count = enterCompound(code == Codes.MAP8);
        checkPairs(code, count);
        return count;
    }

    /** Returns the end of the list, map or array that was entered last. */
    public int compoundEnd() {
        return compoundEnd;
    }

    /** Checks that the position is exactly {@code end}. */
    public void checkEnd(int end) throws MessageFormatException {
        if (position != end) {
            throw MessageFormatException.decodeError("Expected a list or map to end after " + (end - position)
                    + " more bytes, but its elements end elsewhere.");
        }
    }

    /** Reads size and count of a list or map and checks both against the remaining bytes. */
    int enterCompound(boolean small) throws MessageFormatException {
        int count = enterSized(small);
        if (count > compoundEnd - position) {
            throw MessageFormatException.decodeError(
                    "Expected " + count + " elements, but only " + (compoundEnd - position) + " bytes remain.");
        }
        return count;
    }

    int enterArray(boolean small) throws MessageFormatException {
        return enterSized(small);
    }

    private int enterSized(boolean small) throws MessageFormatException {
        int size = small ? readUnsignedByte() : readSize();
        if (size > limit - position) {
            throw truncated(size);
        }
        compoundEnd = position + size;
        if (size < (small ? 1 : 4)) {
            throw MessageFormatException.decodeError(
                    "Expected a count inside a list, map or array, but its size is " + size + ".");
        }
        return small ? readUnsignedByte() : readSize();
    }

    /**
     * Enters a string, binary or symbol with one of the two given codes. Its bytes are from {@link #valueFrom()} to
     * {@link #position()}.
     */
    void enterVariable(int code8, int code32, String expected) throws MessageFormatException {
        int code = readCode();
        int length;
        if (code == code8) {
            length = readUnsignedByte();
        } else if (code == code32) {
            length = readSize();
        } else {
            throw unexpected(expected, code);
        }
        valueFrom = position;
        advance(length);
    }

    /** Enters a value of fixed or variable width after its constructor code has been read; see {@link #valueFrom()}. */
    public void enterOctets(int code) throws MessageFormatException {
        int shape = Codes.shape(code);
        int length = switch (shape) {
            case Codes.VARIABLE8 -> readUnsignedByte();
            case Codes.VARIABLE32 -> readSize();
            default -> {
                if (shape < 0) {
                    throw unknownCode(code);
                }
                yield shape;
            }
        };
        valueFrom = position;
        advance(length);
    }

    /** Returns the start of the string, binary or symbol that was entered last. */
    public int valueFrom() {
        return valueFrom;
    }

    /** Enters a string and checks that it is UTF-8. */
    public void enterString() throws MessageFormatException {
        enterVariable(Codes.STR8, Codes.STR32, "a string");
        checkUtf8(valueFrom, position);
    }

    public void enterSymbol() throws MessageFormatException {
        enterVariable(Codes.SYM8, Codes.SYM32, "a symbol");
    }

    /** Enters the key of an annotation: a symbol, or a string, which some clients write instead (wire reference 4.1). */
    public void enterAnnotationKey() throws MessageFormatException {
        int code = peekCode();
        if (code == Codes.STR8 || code == Codes.STR32) {
            enterString();
        } else {
            enterSymbol();
        }
    }

    public void enterBinary() throws MessageFormatException {
        enterVariable(Codes.VBIN8, Codes.VBIN32, "a binary");
    }

    public String readString() throws MessageFormatException {
        enterString();
        return text();
    }

    /** Returns the value that was entered last as text. */
    public String text() {
        return new String(bytes, valueFrom, position - valueFrom, StandardCharsets.UTF_8);
    }

    /** Returns whether the value that was entered last has exactly these bytes. */
    public boolean isText(byte[] expected) {
        return Arrays.equals(bytes, valueFrom, position, expected, 0, expected.length);
    }

    public boolean readBoolean() throws MessageFormatException {
        int code = readCode();
        return switch (code) {
            case Codes.TRUE -> true;
            case Codes.FALSE -> false;
            case Codes.BOOLEAN -> readUnsignedByte() != 0;
            default -> throw unexpected("a boolean", code);
        };
    }

    public int readUByte() throws MessageFormatException {
        int code = readCode();
        if (code != Codes.UBYTE) {
            throw unexpected("a ubyte", code);
        }
        return readUnsignedByte();
    }

    public long readUInt() throws MessageFormatException {
        int code = readCode();
        return switch (code) {
            case Codes.UINT0 -> 0;
            case Codes.SMALL_UINT -> readUnsignedByte();
            case Codes.UINT -> rawInt() & 0xffff_ffffL;
            default -> throw unexpected("a uint", code);
        };
    }

    public long readULong() throws MessageFormatException {
        int code = readCode();
        return switch (code) {
            case Codes.ULONG0 -> 0;
            case Codes.SMALL_ULONG -> readUnsignedByte();
            case Codes.ULONG -> rawLong();
            default -> throw unexpected("a ulong", code);
        };
    }

    public long readTimestamp() throws MessageFormatException {
        int code = readCode();
        if (code != Codes.TIMESTAMP) {
            throw unexpected("a timestamp", code);
        }
        return rawLong();
    }

    /** Reads the next byte. */
    public int readUnsignedByte() throws MessageFormatException {
        if (position >= limit) {
            throw truncated(1);
        }
        return bytes[position++] & 0xff;
    }

    /** Reads the next two bytes without a constructor code. */
    public short rawShort() throws MessageFormatException {
        return (short) (readUnsignedByte() << 8 | readUnsignedByte());
    }

    /** Reads the next four bytes without a constructor code. */
    public int rawInt() throws MessageFormatException {
        int at = position;
        advance(Integer.BYTES);
        return Bytes.getInt(bytes, at);
    }

    /** Reads the next eight bytes without a constructor code. */
    public long rawLong() throws MessageFormatException {
        int at = position;
        advance(Long.BYTES);
        return Bytes.getLong(bytes, at);
    }

    private int readSize() throws MessageFormatException {
        int size = rawInt();
        if (size < 0) {
            throw truncated(size & 0xffff_ffffL);
        }
        return size;
    }

    void advance(int length) throws MessageFormatException {
        if (length > limit - position) {
            throw truncated(length);
        }
        position += length;
    }

    /** Checks UTF-8 text: eight bytes of ASCII at a time, and with a decoder if there are other characters. */
    void checkUtf8(int from, int to) throws MessageFormatException {
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            if ((Bytes.getLong(bytes, at) & NOT_ASCII) != 0) {
                checkUtf8Slowly(at, to);
                return;
            }
        }
        for (; at < to; at++) {
            if (bytes[at] < 0) {
                checkUtf8Slowly(at, to);
                return;
            }
        }
    }

    private void checkUtf8Slowly(int from, int to) throws MessageFormatException {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, to - from));
        } catch (CharacterCodingException malformed) {
            throw MessageFormatException.decodeError("Expected UTF-8 in a string, but got invalid bytes.");
        }
    }

    private static void checkPairs(int code, int count) throws MessageFormatException {
        if ((code == Codes.MAP8 || code == Codes.MAP32) && (count & 1) != 0) {
            throw MessageFormatException.decodeError(
                    "Expected keys and values in pairs, but a map has " + count + " elements.");
        }
    }

    static void checkDepth(int depth) throws MessageFormatException {
        if (depth <= 0) {
            throw MessageFormatException.decodeError(
                    "Expected at most " + MAX_DEPTH + " levels of nested values, but there are more.");
        }
    }

    private MessageFormatException truncated(long wanted) {
        return MessageFormatException.decodeError(
                "Expected " + wanted + " more bytes, but the data ends after " + (limit - position) + ".");
    }

    private static MessageFormatException unknownCode(int code) {
        return MessageFormatException.decodeError(
                String.format("Expected a constructor code of AMQP 1.0, but got 0x%02x.", code));
    }

    static MessageFormatException unexpected(String expected, int code) {
        return MessageFormatException.decodeError(
                String.format("Expected %s, but got a value with constructor code 0x%02x.", expected, code));
    }
}
