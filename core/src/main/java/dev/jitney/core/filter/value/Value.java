package dev.jitney.core.filter.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A value during the evaluation of a filter or action: of a property, a constant or an intermediate result.
 *
 * <p>Three kinds are not values of the language: {@link Kind#UNKNOWN} stands for a missing property (FILTER-7),
 * {@link Kind#NULL} is null, and {@link Kind#ERROR} contains the reason of a failed evaluation (FILTER-24). Failures are
 * values, because a filter that fails usually fails for every message, and an exception for each would cost microseconds.
 *
 * <p>Instants and time spans count ticks of 100 ns like .NET, so that values of parameters keep their precision. Instants
 * count from the year 1. Immutable. Equality is that of correlation filters (FILTER-27): same kind and value, but
 * integers of different kinds are equal by value.
 */
public final class Value {
    /** The types of property values and intermediate results. */
    public enum Kind {
        UNKNOWN("an unknown value"),
        NULL("null"),
        ERROR("an error"),
        BOOLEAN("a boolean"),
        BYTE("a byte"),
        UBYTE("an unsigned byte"),
        SHORT("a short"),
        USHORT("an unsigned short"),
        INT("an int"),
        UINT("an unsigned int"),
        LONG("a long"),
        ULONG("an unsigned long"),
        FLOAT("a float"),
        DOUBLE("a double"),
        DECIMAL("a decimal"),
        STRING("a string"),
        CHAR("a character"),
        URI("a URI"),
        GUID("a GUID"),
        DATE_TIME("a date"),
        DATE_TIME_OFFSET("a date with offset"),
        TIME_SPAN("a time span"),
        BINARY("a binary"),
        /** A value that exists, but has a type that cannot be compared. */
        OTHER("a value of another type");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        /** Returns the kind with its article, for sentences. */
        public String words() {
            return words;
        }

        /** Returns whether all values of the kind are integers in the range of a long. */
        boolean fitsLong() {
            return ordinal() >= BYTE.ordinal() && ordinal() <= LONG.ordinal();
        }

        public boolean isIntegral() {
            return ordinal() >= BYTE.ordinal() && ordinal() <= ULONG.ordinal();
        }

        public boolean isNumber() {
            return ordinal() >= BYTE.ordinal() && ordinal() <= DECIMAL.ordinal();
        }

        /** Returns whether the kind is a string or is compared like one: characters and URIs (wire reference 4.5). */
        public boolean isText() {
            return this == STRING || this == CHAR || this == URI;
        }

        public boolean isInstant() {
            return this == DATE_TIME || this == DATE_TIME_OFFSET;
        }
    }

    /** The characters of two long texts that are compared in one step. */
    private static final int CHARACTERS_PER_STEP = 16;

    private static final int DECIMAL_STEPS = 256;

    public static final Value UNKNOWN = new Value(Kind.UNKNOWN, 0, null);
    public static final Value NULL = new Value(Kind.NULL, 0, null);
    public static final Value TRUE = new Value(Kind.BOOLEAN, 1, null);
    public static final Value FALSE = new Value(Kind.BOOLEAN, 0, null);
    public static final Value OTHER = new Value(Kind.OTHER, 0, null);

    private final Kind kind;
    private final long bits;
    private final @Nullable Object object;

    private Value(Kind kind, long bits, @Nullable Object object) {
        this.kind = kind;
        this.bits = bits;
        this.object = object;
    }

    public static Value of(boolean truth) {
        return truth ? TRUE : FALSE;
    }

    /** Returns an integer of one of the eight types; here a ulong beyond the range of a long is negative. */
    public static Value ofIntegral(Kind kind, long number) {
        return new Value(kind, number, null);
    }

    public static Value ofLong(long number) {
        return new Value(Kind.LONG, number, null);
    }

    public static Value ofInt(int number) {
        return new Value(Kind.INT, number, null);
    }

    public static Value ofFloat(float number) {
        return new Value(Kind.FLOAT, Double.doubleToRawLongBits(number), null);
    }

    public static Value ofDouble(double number) {
        return new Value(Kind.DOUBLE, Double.doubleToRawLongBits(number), null);
    }

    public static Value ofDecimal(BigDecimal number) {
        return new Value(Kind.DECIMAL, 0, number);
    }

    public static Value ofString(String text) {
        return new Value(Kind.STRING, 0, text);
    }

    /** Returns a text of one of the kinds {@link Kind#STRING}, {@link Kind#CHAR} and {@link Kind#URI}. */
    public static Value ofText(Kind kind, String text) {
        return new Value(kind, 0, text);
    }

    public static Value ofGuid(UUID guid) {
        return new Value(Kind.GUID, 0, guid);
    }

    /** Returns an instant or a time span. */
    public static Value ofTicks(Kind kind, long ticks) {
        return new Value(kind, ticks, null);
    }

    public static Value ofBinary(byte[] octets) {
        return new Value(Kind.BINARY, 0, octets);
    }

    /** Returns the result of a failed evaluation. */
    public static Value error(String description) {
        return new Value(Kind.ERROR, 0, description);
    }

    public Kind kind() {
        return kind;
    }

    public boolean isUnknown() {
        return kind == Kind.UNKNOWN;
    }

    public boolean isNull() {
        return kind == Kind.NULL;
    }

    public boolean isError() {
        return kind == Kind.ERROR;
    }

    public boolean isTrue() {
        return kind == Kind.BOOLEAN && bits != 0;
    }

    public boolean isFalse() {
        return kind == Kind.BOOLEAN && bits == 0;
    }

    /** Returns the reason of a failed evaluation. */
    public String description() {
        return kind == Kind.ERROR ? (String) object() : "";
    }

    /** Returns the number of an integral kind, or the ticks of an instant or time span. */
    public long bits() {
        return bits;
    }

    /** Returns the text of a string, character or URI. */
    public String text() {
        return (String) object();
    }

    /** Returns the steps for reading the whole value; 0 if they are negligible compared with the operator. */
    public int weight() {
        return switch (kind) {
            case STRING, CHAR, URI -> text().length() / CHARACTERS_PER_STEP;
            case BINARY -> octets().length;
            case DECIMAL -> DECIMAL_STEPS;
            default -> 0;
        };
    }

    public UUID guid() {
        return (UUID) object();
    }

    /** Returns the bytes. Do not change the array. */
    public byte[] octets() {
        return (byte[]) object();
    }

    private Object object() {
        if (object == null) {
            throw new IllegalStateException("Expected a value held by reference, but got " + kind.words + ".");
        }
        return object;
    }

    /** Returns any number except a decimal as a double, rounded like in C#. */
    public double asDouble() {
        if (kind == Kind.DOUBLE || kind == Kind.FLOAT) {
            return Double.longBitsToDouble(bits);
        }
        return kind == Kind.ULONG && bits < 0 ? (double) (bits >>> 1 | bits & 1) * 2 : (double) bits;
    }

    /** Returns an integer or float as a float. */
    public float asFloat() {
        if (kind == Kind.FLOAT) {
            return (float) Double.longBitsToDouble(bits);
        }
        return kind == Kind.ULONG && bits < 0 ? (float) (bits >>> 1 | bits & 1) * 2 : (float) bits;
    }

    /** Returns an integer or decimal as a decimal. */
    public BigDecimal asDecimal() {
        if (kind == Kind.DECIMAL) {
            return (BigDecimal) object();
        }
        return kind == Kind.ULONG && bits < 0
                ? new BigDecimal(new BigInteger(Long.toUnsignedString(bits)))
                : BigDecimal.valueOf(bits);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof Value that)) {
            return false;
        }
        if (kind.isIntegral() && that.kind.isIntegral()) {
            // A negative number and a ulong beyond the range of a long have the same bits.
            return bits == that.bits && (bits >= 0 || (kind == Kind.ULONG) == (that.kind == Kind.ULONG));
        }
        if (kind != that.kind) {
            return false;
        }
        return switch (kind) {
            case DECIMAL -> asDecimal().compareTo(that.asDecimal()) == 0;
            case FLOAT, DOUBLE -> asDouble() == that.asDouble();
            case BINARY -> Arrays.equals(octets(), that.octets());
            default -> bits == that.bits && (object == null ? that.object == null : object.equals(that.object));
        };
    }

    @Override
    public int hashCode() {
        return switch (kind) {
            case DECIMAL -> Double.hashCode(asDecimal().doubleValue());
            case FLOAT, DOUBLE -> Double.hashCode(asDouble() + 0.0); // -0.0 equals 0.0
            case BINARY -> Arrays.hashCode(octets());
            default -> object == null ? Long.hashCode(bits) : object.hashCode();
        };
    }

    @Override
    public String toString() {
        return "Value[" + kind.words + "]";
    }
}
