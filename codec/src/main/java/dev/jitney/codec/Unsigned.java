package dev.jitney.codec;

/**
 * A number of one of AMQP's unsigned types (part 1, 1.6.3 to 1.6.6). It keeps its type, so that it is written back with
 * the same type. Two numbers are equal if type and value are equal. {@link #longValue()} of a ulong beyond the range of a
 * long is negative. Numbers are ordered by type and then by value, so that a hash map with many numbers of the same hash
 * finds one in logarithmic time.
 */
public final class Unsigned extends Number implements Comparable<Unsigned> {
    private static final long serialVersionUID = 1L;

    private final int bits;
    private final long value;

    private Unsigned(int bits, long value) {
        this.bits = bits;
        this.value = value;
    }

    /** Returns a ubyte; higher bits are ignored. */
    public static Unsigned ofByte(int value) {
        return new Unsigned(Byte.SIZE, value & 0xff);
    }

    /** Returns a ushort; higher bits are ignored. */
    public static Unsigned ofShort(int value) {
        return new Unsigned(Short.SIZE, value & 0xffff);
    }

    /** Returns a uint. */
    public static Unsigned ofInt(int value) {
        return new Unsigned(Integer.SIZE, value & 0xffff_ffffL);
    }

    /** Returns a ulong. */
    public static Unsigned ofLong(long value) {
        return new Unsigned(Long.SIZE, value);
    }

    /** Returns the width of the type: 8, 16, 32 or 64. */
    public int bits() {
        return bits;
    }

    /** Returns whether {@link #longValue()} is the exact number. */
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
        // Keep the lowest bit in the shift; without it, numbers halfway between two doubles are rounded incorrectly.
        return value >= 0 ? value : ((value >>> 1) | (value & 1)) * 2.0;
    }

    @Override
    public int compareTo(Unsigned other) {
        return bits == other.bits ? Long.compareUnsigned(value, other.value) : Integer.compare(bits, other.bits);
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
