package dev.jitney.core.filter.value;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.core.filter.value.Value.Kind;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.RuleValue.Type;
import java.math.BigDecimal;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Conversion of typed values of rules to and from the AMQP encoding of rule managers (wire reference 6.9). The types
 * match one to one, except dates with an offset and null, which rules do not have.
 */
public final class EncodedRuleValues {

    private EncodedRuleValues() {}

    /**
     * Returns the encoding of a value that was checked when its rule was created.
     *
     * @throws IllegalArgumentException if the text is not a value of its type
     */
    public static EncodedValue encode(RuleValue value) {
        return ValueEncoder.encode(RuleValues.parse(value));
    }

    /** Reads the next value. Skips a value of a type that rules do not have, and returns null. */
    public static @Nullable RuleValue read(AmqpReader in) throws MessageFormatException {
        AmqpReader again = in.fork();
        in.skipValue(); // checks structure and depth before reading values
        Value value = ValueDecoder.read(again);
        Type type = type(value.kind());
        return type == null ? null : new RuleValue(type, text(value));
    }

    private static @Nullable Type type(Kind kind) {
        return switch (kind) {
            case BOOLEAN -> Type.BOOLEAN;
            case BYTE -> Type.BYTE;
            case UBYTE -> Type.UNSIGNED_BYTE;
            case SHORT -> Type.SHORT;
            case USHORT -> Type.UNSIGNED_SHORT;
            case INT -> Type.INT;
            case UINT -> Type.UNSIGNED_INT;
            case LONG -> Type.LONG;
            case ULONG -> Type.UNSIGNED_LONG;
            case FLOAT -> Type.FLOAT;
            case DOUBLE -> Type.DOUBLE;
            case DECIMAL -> Type.DECIMAL;
            case STRING -> Type.STRING;
            case CHAR -> Type.CHAR;
            case URI -> Type.ANY_URI;
            case GUID -> Type.GUID;
            case DATE_TIME -> Type.DATE_TIME;
            case TIME_SPAN -> Type.DURATION;
            case BINARY -> Type.BASE64_BINARY;
            case UNKNOWN, NULL, ERROR, DATE_TIME_OFFSET, OTHER -> null;
        };
    }

    private static String text(Value value) {
        return switch (value.kind()) {
            case BOOLEAN -> String.valueOf(value.isTrue());
            case ULONG -> Long.toUnsignedString(value.bits());
            case FLOAT -> fraction(value.asDouble(), Float.toString(value.asFloat()));
            case DOUBLE -> fraction(value.asDouble(), Double.toString(value.asDouble()));
            case DECIMAL -> decimal(value.asDecimal());
            case STRING, CHAR, URI -> value.text();
            case GUID -> value.guid().toString();
            case DATE_TIME -> TimeTexts.formatInstant(value.bits());
            case TIME_SPAN -> TimeTexts.formatDuration(value.bits());
            case BINARY -> Base64.getEncoder().encodeToString(value.octets());
            default -> Long.toString(value.bits());
        };
    }

    /** Returns a floating-point number; XML Schema has its own words for infinity. */
    private static String fraction(double number, String digits) {
        if (Double.isInfinite(number)) {
            return number > 0 ? "INF" : "-INF";
        }
        return digits;
    }

    /** Returns a decimal. A zero has no exponent, because its digits would be as many as the exponent. */
    private static String decimal(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.toPlainString();
    }
}
