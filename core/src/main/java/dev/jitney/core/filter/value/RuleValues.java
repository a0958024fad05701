package dev.jitney.core.filter.value;

import dev.jitney.core.filter.value.Value.Kind;
import dev.jitney.model.rule.RuleValue;
import java.math.BigDecimal;
import java.util.Base64;
import java.util.UUID;
import java.util.regex.Pattern;

/** A parser of typed values of rules from their lexical form in XML Schema (HTTP reference 2.7). */
public final class RuleValues {
    private static final int NUMBER_LENGTH_MAX = 400;
    private static final Pattern DECIMAL = Pattern.compile("[+-]?(?:\\d{1,34}(?:\\.\\d{0,28})?|\\.\\d{1,28})");
    private static final Pattern GUID = Pattern.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");
    private static final long UNSIGNED_INT_MAX = 0xffff_ffffL;

    private RuleValues() {}

    /**
     * Parses a value.
     *
     * @throws IllegalArgumentException if the text is not a value of its type
     */
    public static Value parse(RuleValue value) {
        String text = value.text();
        String trimmed = text.length() > NUMBER_LENGTH_MAX ? text : text.strip();
        return switch (value.type()) {
            case STRING -> Value.ofString(text(text));
            case ANY_URI -> Value.ofText(Kind.URI, text(text));
            case BOOLEAN -> Value.of(truth(trimmed));
            case BYTE -> integral(Kind.BYTE, trimmed, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case SHORT -> integral(Kind.SHORT, trimmed, Short.MIN_VALUE, Short.MAX_VALUE);
            case INT -> integral(Kind.INT, trimmed, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case LONG -> integral(Kind.LONG, trimmed, Long.MIN_VALUE, Long.MAX_VALUE);
            case UNSIGNED_BYTE -> integral(Kind.UBYTE, trimmed, 0, 0xff);
            case UNSIGNED_SHORT -> integral(Kind.USHORT, trimmed, 0, 0xffff);
            case UNSIGNED_INT -> integral(Kind.UINT, trimmed, 0, UNSIGNED_INT_MAX);
            case UNSIGNED_LONG -> Value.ofIntegral(Kind.ULONG, Long.parseUnsignedLong(trimmed));
            case FLOAT -> Value.ofFloat((float) fraction(trimmed, true));
            case DOUBLE -> Value.ofDouble(fraction(trimmed, false));
            case DECIMAL -> Value.ofDecimal(decimal(trimmed));
            case DATE_TIME -> Value.ofTicks(Kind.DATE_TIME, TimeTexts.parseInstant(trimmed));
            case DURATION -> Value.ofTicks(Kind.TIME_SPAN, TimeTexts.parseSpan(trimmed));
            case GUID -> Value.ofGuid(guid(trimmed));
            case CHAR -> Value.ofText(Kind.CHAR, character(text));
            case BASE64_BINARY ->
                Value.ofBinary(Base64.getDecoder()
                        .decode(WHITE_SPACE.matcher(text(text)).replaceAll("")));
        };
    }

    /**
     * Parses a GUID of 32 digits in five groups.
     *
     * @throws IllegalArgumentException if the text is not a GUID
     */
    public static UUID guid(String text) {
        if (!GUID.matcher(text).matches()) {
            throw new IllegalArgumentException("Expected a GUID, but got a different text.");
        }
        return UUID.fromString(text);
    }

    /**
     * Parses a decimal without exponent.
     *
     * @throws IllegalArgumentException if the text is not a decimal
     */
    public static BigDecimal decimal(String text) {
        if (!DECIMAL.matcher(text).matches()) {
            throw new IllegalArgumentException("Expected a decimal, but got a different text.");
        }
        return new BigDecimal(text);
    }

    private static String text(String text) {
        if (text.length() > Arithmetic.TEXT_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "Expected at most " + Arithmetic.TEXT_LENGTH_MAX + " characters, but got " + text.length() + ".");
        }
        return text;
    }

    private static boolean truth(String text) {
        return switch (text) {
            case "true", "True", "1" -> true;
            case "false", "False", "0" -> false;
            default -> throw new IllegalArgumentException("Expected a boolean, but got a different text.");
        };
    }

    private static Value integral(Kind kind, String text, long min, long max) {
        long number = Long.parseLong(text);
        if (number < min || number > max) {
            throw new IllegalArgumentException(
                    "Expected a number from " + min + " to " + max + ", but got a number" + " out of range.");
        }
        return Value.ofIntegral(kind, number);
    }

    /** Parses a floating-point number in the form of XML Schema, which has its own words for infinity and no suffixes. */
    private static double fraction(String text, boolean single) {
        switch (text) {
            case "INF", "+INF" -> {
                return Double.POSITIVE_INFINITY;
            }
            case "-INF" -> {
                return Double.NEGATIVE_INFINITY;
            }
            case "NaN" -> {
                return Double.NaN;
            }
            default -> {
                if (text.length() > NUMBER_LENGTH_MAX
                        || !text.chars().allMatch(at -> at >= '0' && at <= '9' || "+-.eE".indexOf(at) >= 0)) {
                    throw new IllegalArgumentException("Expected a number, but got a different text.");
                }
                return single ? Float.parseFloat(text) : Double.parseDouble(text);
            }
        }
    }

    /** Parses a character, or the number of a character, which data contracts write. */
    private static String character(String text) {
        if (text.codePointCount(0, text.length()) == 1) {
            return text;
        }
        int codePoint = Integer.parseInt(text.strip());
        if (!Character.isValidCodePoint(codePoint)) {
            throw new IllegalArgumentException("Expected a character, but got an invalid number.");
        }
        return Character.toString(codePoint);
    }
}
