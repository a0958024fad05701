package dev.jitney.core.filter.value;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * Conversion of values to text as .NET does it in the invariant culture, except instants, which have the form of ISO
 * 8601.
 */
public final class ValueTexts {
    private static final int NUMBER_LENGTH_MAX = 400;
    private static final int PLAIN_EXPONENT_MAX = 15;
    private static final int PLAIN_EXPONENT_MIN = -5;
    private static final Pattern NUMBER =
            Pattern.compile("[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d{1,9})?|NaN|-?Infinity");

    private ValueTexts() {}

    /**
     * Returns the text of a value.
     *
     * @throws IllegalArgumentException if it has none
     */
    public static String format(Value value) {
        return switch (value.kind()) {
            case STRING, CHAR, URI -> value.text();
            case BOOLEAN -> value.isTrue() ? "True" : "False";
            case BYTE, UBYTE, SHORT, USHORT, INT, UINT, LONG -> Long.toString(value.bits());
            case ULONG -> Long.toUnsignedString(value.bits());
            case FLOAT -> fraction(Float.toString(value.asFloat()));
            case DOUBLE -> fraction(Double.toString(value.asDouble()));
            case DECIMAL -> decimal(value.asDecimal());
            case GUID -> value.guid().toString();
            case DATE_TIME, DATE_TIME_OFFSET -> TimeTexts.formatInstant(value.bits());
            case TIME_SPAN -> TimeTexts.formatSpan(value.bits());
            default -> throw new IllegalArgumentException("Expected a value with a text, but got " + value + ".");
        };
    }

    /**
     * Parses a number like .NET, without the suffixes and hexadecimal digits of Java.
     *
     * @throws IllegalArgumentException if the text is not a number
     */
    public static double parseDouble(String text) {
        if (text.length() > NUMBER_LENGTH_MAX || !NUMBER.matcher(text).matches()) {
            throw new IllegalArgumentException("Expected a number, but got a different text.");
        }
        return Double.parseDouble(text);
    }

    /** Returns the shortest digits that parse to the same number, in plain form up to 15 digits: 0.1, 3, 1E+16. */
    private static String fraction(String shortest) {
        if (shortest.endsWith("N") || shortest.endsWith("y")) {
            return shortest;
        }
        BigDecimal number = new BigDecimal(shortest).stripTrailingZeros();
        int exponent = number.precision() - number.scale() - 1;
        if (number.signum() == 0) {
            return shortest.startsWith("-") ? "-0" : "0";
        }
        if (exponent >= PLAIN_EXPONENT_MIN && exponent < PLAIN_EXPONENT_MAX) {
            return number.toPlainString();
        }
        String digits = number.movePointLeft(exponent).stripTrailingZeros().toPlainString();
        return digits + "E" + (exponent < 0 ? "-" : "+") + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    }

    private static String decimal(BigDecimal number) {
        return Math.abs((long) number.scale()) > Arithmetic.TEXT_LENGTH_MAX / 2
                ? number.toString()
                : number.toPlainString();
    }
}
