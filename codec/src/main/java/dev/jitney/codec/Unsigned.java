package dev.jitney.codec;

/**
 * A number of one of AMQP's unsigned types (part 1, 1.6.3 to 1.6.6), which knows its type so that it can be written
 * back as it came. Two are equal if type and value are. {@link #longValue()} of a ulong beyond the range of a long is
 * negative.
 */
public final class Unsigned extends Number {
    private static final long serialVersionUID = 1L;

    private final int bits;
    private final long value;

    private Unsigned(int bits, long value) {
        this.bits = bits;
        this.value = value;
    }

    /** A ubyte; higher bits are ignored. */
    public static Unsigned ofByte(int value) {
        return new Unsigned(Byte.SIZE, value & 0xff);
    }

    /** A ushort; higher bits are ignored. */
    public static Unsigned ofShort(int value) {
        return new Unsigned(Short.SIZE, value & 0xffff);
    }

    /** A uint. */
    public static Unsigned ofInt(int value) {
        return new Unsigned(Integer.SIZE, value & 0xffff_ffffL);
    }

    /** A ulong. */
    public static Unsigned ofLong(long value) {
        return new Unsigned(Long.SIZE, value);
    }

    /** Width of the type: 8, 16, 32 or 64. */
    public int bits() {
        return bits;
    }

    /** Whether {@link #longValue()} is the number itself and not what remains of it. */
    public boolean fitsLong() {
        return value >= 0;
    }

    /** Writes the number in the shortest form of its type. */
    public void write(AmqpWriter out) {
        switch (bits) {
            case Byte.SIZE -> out.writeUByte((int) value);
            case Short.SIZE -> out.writeUShort((int) value);
            case Integer.SIZE -> out.writeUInt(value);
            default -> out.writeULong(value);
        }
    }

    @Override
    public int intValue() {
        return (int) value;
    }

    @Override
    public long longValue() {
        return value;
    }

    @Override
    public float floatValue() {
        return (float) doubleValue();
    }

    @Override
    public double doubleValue() {
        // The lowest bit must not get lost in the shift, or rounding goes wrong where it decides.
        return value >= 0 ? value : ((value >>> 1) | (value & 1)) * 2.0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Unsigned that && bits == that.bits && value == that.value;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(value) ^ bits;
    }

    @Override
    public String toString() {
        return Long.toUnsignedString(value);
    }
}
