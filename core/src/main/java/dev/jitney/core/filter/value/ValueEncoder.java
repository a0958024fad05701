package dev.jitney.core.filter.value;

import dev.jitney.codec.AmqpWriter;
import dev.jitney.codec.Codes;
import dev.jitney.codec.Unsigned;
import dev.jitney.model.EncodedValue;

/** The AMQP encoding of values that actions set; the inverse of {@link ValueDecoder}. */
public final class ValueEncoder {
    private ValueEncoder() {}

    /** Returns the encoding of a value that is not unknown, an error or of another type. */
    public static EncodedValue encode(Value value) {
        AmqpWriter out = new AmqpWriter(32);
        switch (value.kind()) {
            case NULL -> out.writeNull();
            case BOOLEAN -> out.writeBoolean(value.isTrue());
            case STRING -> out.writeString(value.text());
            case CHAR -> {
                out.writeByte(Codes.CHAR);
                out.writeRawInt(value.text().codePointAt(0));
            }
            case URI -> {
                describe(out, "com.microsoft:uri");
                out.writeString(value.text());
            }
            case GUID -> out.writeUuid(value.guid());
            case DATE_TIME -> out.writeTimestamp(Ticks.toEpochMs(value.bits()));
            case DATE_TIME_OFFSET -> {
                describe(out, "com.microsoft:datetime-offset");
                out.writeLong(value.bits());
            }
            case TIME_SPAN -> {
                describe(out, "com.microsoft:timespan");
                out.writeLong(value.bits());
            }
            case BINARY -> out.writeBinary(value.octets());
            default -> writeNumber(out, value);
        }
        return new EncodedValue(out.toByteArray());
    }

    private static void writeNumber(AmqpWriter out, Value value) {
        long bits = value.bits();
        switch (value.kind()) {
            case BYTE -> {
                out.writeByte(Codes.BYTE);
                out.writeByte((int) bits);
            }
            case SHORT -> {
                out.writeByte(Codes.SHORT);
                out.writeByte((int) bits >> 8);
                out.writeByte((int) bits);
            }
            case INT -> out.writeInt((int) bits);
            case LONG -> out.writeLong(bits);
            case UBYTE -> Unsigned.ofByte((int) bits).write(out);
            case USHORT -> Unsigned.ofShort((int) bits).write(out);
            case UINT -> Unsigned.ofInt((int) bits).write(out);
            case ULONG -> Unsigned.ofLong(bits).write(out);
            case FLOAT -> {
                out.writeByte(Codes.FLOAT);
                out.writeRawInt(Float.floatToRawIntBits(value.asFloat()));
            }
            case DOUBLE -> {
                out.writeByte(Codes.DOUBLE);
                out.writeRawLong(Double.doubleToRawLongBits(value.asDouble()));
            }
            case DECIMAL -> {
                long[] halves = Decimals.to128(value.asDecimal());
                out.writeByte(Codes.DECIMAL128);
                out.writeRawLong(halves[0]);
                out.writeRawLong(halves[1]);
            }
            default ->
                throw new IllegalArgumentException(
                        "Expected a value that can be stored in a property, but" + " got " + value + ".");
        }
    }

    private static void describe(AmqpWriter out, String descriptor) {
        out.writeByte(Codes.DESCRIBED);
        out.writeSymbol(descriptor);
    }
}
