package dev.jitney.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/**
 * Writes AMQP-encoded values into an array that grows when it has to; whoever knows the size beforehand pays for one
 * array of exactly that size. Not safe for several threads.
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

    /** Starts empty with room for that many bytes. */
    public AmqpWriter(int capacity) {
        this.bytes = new byte[capacity];
    }

    /** Bytes written so far. */
    public int size() {
        return size;
    }

    /** What was written, without a copy; the writer must not be used after that. */
    public ByteBuffer toByteBuffer() {
        return ByteBuffer.wrap(bytes, 0, size);
    }

    /** What was written, as an array of its own. */
    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    private int take(int length) {
        int at = size;
        if (length > bytes.length - at) {
            bytes = Arrays.copyOf(bytes, Math.max(at + length, 2 * bytes.length));
        }
        size = at + length;
        return at;
    }

    /** One octet as it stands. */
    public void writeByte(int octet) {
        int at = take(1);
        bytes[at] = (byte) octet;
    }

    /** Octets as they stand. */
    public void writeRaw(byte[] from, int offset, int length) {
        int at = take(length);
        System.arraycopy(from, offset, bytes, at, length);
    }

    /** Octets as they stand; the buffer has an array and keeps its position. */
    public void writeRaw(ByteBuffer from) {
        writeRaw(from.array(), from.arrayOffset() + from.position(), from.remaining());
    }

    /** Octets as they stand; tells where, so that gaps in them can be filled. */
    int writeTemplate(byte[] template) {
        int at = take(template.length);
        System.arraycopy(template, 0, bytes, at, template.length);
        return at;
    }

    /** Fills a gap. */
    void putLong(int at, long value) {
        Bytes.putLong(bytes, at, value);
    }

    /** Fills a gap. */
    void putByte(int at, int octet) {
        bytes[at] = (byte) octet;
    }

    /** Four octets as they stand. */
    public void writeRawInt(int value) {
        int at = take(Integer.BYTES);
        Bytes.putInt(bytes, at, value);
    }

    /** Eight octets as they stand. */
    public void writeRawLong(long value) {
        int at = take(Long.BYTES);
        Bytes.putLong(bytes, at, value);
    }

    /** Descriptor of a message section. */
    public void writeSection(int section) {
        int at = take(Sections.PREFIX_SIZE);
        bytes[at] = Codes.DESCRIBED;
        bytes[at + 1] = Codes.SMALL_ULONG;
        bytes[at + 2] = (byte) section;
    }

    /** A header section with every field at its default, for messages that are not stored. */
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

    /** What remains in a buffer as a binary; the buffer keeps its position. */
    public void writeBinary(ByteBuffer value) {
        int length = value.remaining();
        writeVariableHead(Codes.VBIN8, Codes.VBIN32, length);
        int at = take(length);
        value.get(value.position(), bytes, at, length);
    }

    /** Start of a list whose elements take {@code elementsSize} bytes. */
    void writeListHead(int elementsSize, int count) {
        writeCompoundHead(Codes.LIST8, Codes.LIST32, elementsSize, count);
    }

    /** Start of a map whose keys and values, {@code count} in all, take {@code elementsSize} bytes. */
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

    /** Size of what {@link #writeListHead} and {@link #writeMapHead} write. */
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
