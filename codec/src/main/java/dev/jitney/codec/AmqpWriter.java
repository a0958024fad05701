package dev.jitney.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/**
 * A writer of AMQP-encoded values into an array, which grows as needed. A caller that knows the size in advance allocates only
 * one array. Not thread-safe.
 */
public final class AmqpWriter {
    private static final int MAX_SMALL = 255;

    private static final byte[] DEFAULT_HEADER = {
        Codes.DESCRIBED,
        Codes.SMALL_ULONG,
        Codes.HEADER,
        (byte) Codes.LIST8,
        7,
        5, // size, count
        Codes.FALSE,
        Codes.UBYTE,
        4,
        Codes.NULL,
        Codes.FALSE,
        Codes.UINT0 // durable ... delivery-count
    };

    private byte[] bytes;
    private int size;

    /** Creates an empty writer with room for that many bytes. */
    public AmqpWriter(int capacity) {
        this.bytes = new byte[capacity];
    }

    /** Returns the number of bytes written so far. */
    public int size() {
        return size;
    }

    /** Returns the written bytes without a copy. The writer must not be used afterwards. */
    public ByteBuffer toByteBuffer() {
        return ByteBuffer.wrap(bytes, 0, size);
    }

    /** Returns a copy of the written bytes. */
    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    /** Returns a copy of the written bytes from a position on. */
    byte[] copy(int from) {
        return Arrays.copyOfRange(bytes, from, size);
    }

    private int take(int length) {
        int at = size;
        if (length > bytes.length - at) {
            bytes = Arrays.copyOf(bytes, Math.max(at + length, 2 * bytes.length));
        }
        size = at + length;
        return at;
    }

    /** Writes one byte as it is. */
    public void writeByte(int octet) {
        int at = take(1);
        bytes[at] = (byte) octet;
    }

    /** Writes bytes as they are. */
    public void writeRaw(byte[] from, int offset, int length) {
        int at = take(length);
        System.arraycopy(from, offset, bytes, at, length);
    }

    /** Writes bytes as they are. The buffer must have an array and keeps its position. */
    public void writeRaw(ByteBuffer from) {
        writeRaw(from.array(), from.arrayOffset() + from.position(), from.remaining());
    }

    /** Writes bytes as they are, and returns their position, so that gaps in them can be filled. */
    int writeTemplate(byte[] template) {
        int at = take(template.length);
        System.arraycopy(template, 0, bytes, at, template.length);
        return at;
    }

    /** Fills a gap of eight bytes. */
    void putLong(int at, long value) {
        Bytes.putLong(bytes, at, value);
    }

    /** Fills a gap of one byte. */
    void putByte(int at, int octet) {
        bytes[at] = (byte) octet;
    }

    /** Writes four bytes as they are. */
    public void writeRawInt(int value) {
        int at = take(Integer.BYTES);
        Bytes.putInt(bytes, at, value);
    }

    /** Writes eight bytes as they are. */
    public void writeRawLong(long value) {
        int at = take(Long.BYTES);
        Bytes.putLong(bytes, at, value);
    }

    /** Writes the descriptor of a message section. */
    public void writeSection(int section) {
        int at = take(Sections.PREFIX_SIZE);
        bytes[at] = Codes.DESCRIBED;
        bytes[at + 1] = Codes.SMALL_ULONG;
        bytes[at + 2] = (byte) section;
    }

    /** Writes a header section with every field at its default, for messages that are not stored. */
    public void writeDefaultHeader() {
        writeTemplate(DEFAULT_HEADER);
    }

    public void writeNull() {
        writeByte(Codes.NULL);
    }

    public void writeBoolean(boolean value) {
        writeByte(value ? Codes.TRUE : Codes.FALSE);
    }

    public void writeUByte(int value) {
        writeByte(Codes.UBYTE);
        writeByte(value);
    }

    public void writeUShort(int value) {
        writeByte(Codes.USHORT);
        writeByte(value >>> 8);
        writeByte(value);
    }

    public void writeUInt(long value) {
        if (value == 0) {
            writeByte(Codes.UINT0);
        } else if (value <= MAX_SMALL) {
            writeByte(Codes.SMALL_UINT);
            writeByte((int) value);
        } else {
            writeByte(Codes.UINT);
            writeRawInt((int) value);
        }
    }

    static int sizeOfUInt(long value) {
        return value == 0 ? 1 : value <= MAX_SMALL ? 2 : 5;
    }

    public void writeULong(long value) {
        if (value == 0) {
            writeByte(Codes.ULONG0);
        } else if (value > 0 && value <= MAX_SMALL) {
            writeByte(Codes.SMALL_ULONG);
            writeByte((int) value);
        } else {
            writeByte(Codes.ULONG);
            writeRawLong(value);
        }
    }

    public void writeInt(int value) {
        writeByte(Codes.INT);
        writeRawInt(value);
    }

    public void writeLong(long value) {
        writeByte(Codes.LONG);
        writeRawLong(value);
    }

    public void writeDouble(double value) {
        writeByte(Codes.DOUBLE);
        writeRawLong(Double.doubleToLongBits(value));
    }

    public void writeTimestamp(long msSinceEpoch) {
        writeByte(Codes.TIMESTAMP);
        writeRawLong(msSinceEpoch);
    }

    public void writeUuid(UUID value) {
        writeByte(Codes.UUID);
        writeRawLong(value.getMostSignificantBits());
        writeRawLong(value.getLeastSignificantBits());
    }

    public void writeString(String text) {
        writeVariable(Codes.STR8, Codes.STR32, text.getBytes(StandardCharsets.UTF_8));
    }

    public void writeSymbol(String ascii) {
        writeVariable(Codes.SYM8, Codes.SYM32, ascii.getBytes(StandardCharsets.US_ASCII));
    }

    void writeSymbol(byte[] ascii) {
        writeVariable(Codes.SYM8, Codes.SYM32, ascii);
    }

    public void writeBinary(byte[] value) {
        writeVariable(Codes.VBIN8, Codes.VBIN32, value);
    }

    private void writeVariable(int code8, int code32, byte[] value) {
        writeVariableHead(code8, code32, value.length);
        writeRaw(value, 0, value.length);
    }

    private void writeVariableHead(int code8, int code32, int length) {
        if (length <= MAX_SMALL) {
            writeByte(code8);
            writeByte(length);
        } else {
            writeByte(code32);
            writeRawInt(length);
        }
    }

    /** Writes the remaining bytes of a buffer as a binary. The buffer keeps its position. */
    public void writeBinary(ByteBuffer value) {
        int length = value.remaining();
        writeVariableHead(Codes.VBIN8, Codes.VBIN32, length);
        int at = take(length);
        value.get(value.position(), bytes, at, length);
    }

    /** Writes the head of a list whose elements take {@code elementsSize} bytes. */
    void writeListHead(int elementsSize, int count) {
        writeCompoundHead(Codes.LIST8, Codes.LIST32, elementsSize, count);
    }

    /** Writes the head of a map whose keys and values, {@code count} in total, take {@code elementsSize} bytes. */
    void writeMapHead(int elementsSize, int count) {
        writeCompoundHead(Codes.MAP8, Codes.MAP32, elementsSize, count);
    }

    private void writeCompoundHead(int code8, int code32, int elementsSize, int count) {
        if (isSmallCompound(elementsSize, count)) {
            int at = take(3);
            bytes[at] = (byte) code8;
            bytes[at + 1] = (byte) (elementsSize + 1);
            bytes[at + 2] = (byte) count;
        } else {
            writeByte(code32);
            writeRawInt(elementsSize + Integer.BYTES);
            writeRawInt(count);
        }
    }

    private static boolean isSmallCompound(int elementsSize, int count) {
        return elementsSize < MAX_SMALL && count <= MAX_SMALL;
    }

    /** Returns the size of the output of {@link #writeListHead} and {@link #writeMapHead}. */
    static int sizeOfCompoundHead(int elementsSize, int count) {
        return isSmallCompound(elementsSize, count) ? 3 : 9;
    }

    /** Starts a list of unknown size; {@link #endCompound} finishes it. */
    public int beginList(int count) {
        return beginCompound(Codes.LIST32, count);
    }

    /** Starts a map of unknown size with {@code pairs} keys and values; {@link #endCompound} finishes it. */
    public int beginMap(int pairs) {
        return beginCompound(Codes.MAP32, 2 * pairs);
    }

    /** Starts an array of {@code count} elements of one constructor code; {@link #endCompound} finishes it. */
    int beginArray(int count, int elementCode) {
        int mark = beginCompound(Codes.ARRAY32, count);
        writeByte(elementCode);
        return mark;
    }

    private int beginCompound(int code, int count) {
        writeByte(code);
        int mark = size;
        writeRawInt(0);
        writeRawInt(count);
        return mark;
    }

    /** Fills in the size of what was begun at {@code mark}. */
    public void endCompound(int mark) {
        Bytes.putInt(bytes, mark, size - mark - Integer.BYTES);
    }
}
