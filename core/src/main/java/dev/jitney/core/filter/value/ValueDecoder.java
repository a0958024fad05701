package dev.jitney.core.filter.value;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.Codes;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.core.filter.value.Value.Kind;
import dev.jitney.model.EncodedValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/**
 * Conversion of AMQP values to values of the language, one to one (wire reference 4.5). Exceptions are symbols, which
 * become strings, and the described values of .NET, which become URIs, time spans and dates with offset.
 */
public final class ValueDecoder {
    private static final byte[] URI = ascii("com.microsoft:uri");
    private static final byte[] TIME_SPAN = ascii("com.microsoft:timespan");
    private static final byte[] DATE_TIME_OFFSET = ascii("com.microsoft:datetime-offset");

    private ValueDecoder() {}

    /** Reads one value; {@link Value#OTHER} if it cannot be compared. */
    public static Value read(AmqpReader in) throws MessageFormatException {
        int code = in.readCode();
        return switch (code) {
            case Codes.NULL -> Value.NULL;
            case Codes.TRUE -> Value.TRUE;
            case Codes.FALSE -> Value.FALSE;
            case Codes.BOOLEAN -> Value.of(in.readUnsignedByte() != 0);
            case Codes.BYTE -> Value.ofIntegral(Kind.BYTE, (byte) in.readUnsignedByte());
            case Codes.UBYTE -> Value.ofIntegral(Kind.UBYTE, in.readUnsignedByte());
            case Codes.SHORT -> Value.ofIntegral(Kind.SHORT, in.rawShort());
            case Codes.USHORT -> Value.ofIntegral(Kind.USHORT, in.rawShort() & 0xffff);
            case Codes.SMALL_INT -> Value.ofInt((byte) in.readUnsignedByte());
            case Codes.INT -> Value.ofInt(in.rawInt());
            case Codes.UINT0 -> Value.ofIntegral(Kind.UINT, 0);
            case Codes.SMALL_UINT -> Value.ofIntegral(Kind.UINT, in.readUnsignedByte());
            case Codes.UINT -> Value.ofIntegral(Kind.UINT, in.rawInt() & 0xffff_ffffL);
            case Codes.SMALL_LONG -> Value.ofLong((byte) in.readUnsignedByte());
            case Codes.LONG -> Value.ofLong(in.rawLong());
            case Codes.ULONG0 -> Value.ofIntegral(Kind.ULONG, 0);
            case Codes.SMALL_ULONG -> Value.ofIntegral(Kind.ULONG, in.readUnsignedByte());
            case Codes.ULONG -> Value.ofIntegral(Kind.ULONG, in.rawLong());
            case Codes.FLOAT -> Value.ofFloat(Float.intBitsToFloat(in.rawInt()));
            case Codes.DOUBLE -> Value.ofDouble(Double.longBitsToDouble(in.rawLong()));
            case Codes.DECIMAL32 -> Decimals.of32(in.rawInt());
            case Codes.DECIMAL64 -> Decimals.of64(in.rawLong());
            case Codes.DECIMAL128 -> Decimals.of128(in.rawLong(), in.rawLong());
            case Codes.CHAR -> character(in.rawInt());
            case Codes.TIMESTAMP -> Value.ofTicks(Kind.DATE_TIME, Ticks.ofEpochMs(in.rawLong()));
            case Codes.UUID -> Value.ofGuid(new UUID(in.rawLong(), in.rawLong()));
            case Codes.STR8, Codes.STR32, Codes.SYM8, Codes.SYM32 -> {
                in.enterOctets(code);
                yield Value.ofString(in.text());
            }
            case Codes.VBIN8, Codes.VBIN32 -> {
                in.enterOctets(code);
                yield Value.ofBinary(Arrays.copyOfRange(in.bytes(), in.valueFrom(), in.position()));
            }
            case Codes.DESCRIBED -> described(in);
            default -> Value.OTHER;
        };
    }

    /** Returns a value that {@link ValueEncoder} has encoded, or that a message contains. */
    public static Value decode(EncodedValue value) {
        byte[] encoding = value.encoding();
        try {
            return read(new AmqpReader(encoding, 0, encoding.length));
        } catch (MessageFormatException damaged) {
            throw new IllegalArgumentException("Expected a readable value: " + damaged.getMessage(), damaged);
        }
    }

    private static Value described(AmqpReader in) throws MessageFormatException {
        int code = in.peekCode();
        if (code != Codes.SYM8 && code != Codes.SYM32) {
            return Value.OTHER;
        }
        in.enterSymbol();
        boolean uri = in.isText(URI);
        boolean span = in.isText(TIME_SPAN);
        boolean date = in.isText(DATE_TIME_OFFSET);
        Value value = read(in);
        if (uri && value.kind() == Kind.STRING) {
            return Value.ofText(Kind.URI, value.text());
        }
        if (value.kind() == Kind.LONG && (span || date && Ticks.isInstant(value.bits()))) {
            return Value.ofTicks(span ? Kind.TIME_SPAN : Kind.DATE_TIME_OFFSET, value.bits());
        }
        return Value.OTHER;
    }

    private static Value character(int codePoint) {
        return Character.isValidCodePoint(codePoint)
                ? Value.ofText(Kind.CHAR, Character.toString(codePoint))
                : Value.OTHER;
    }

    private static byte[] ascii(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }
}
