package dev.jitney.core.namespace;

import dev.jitney.model.ClientText;
import dev.jitney.model.IsoDurations;
import dev.jitney.model.Rejection;
import dev.jitney.model.rule.RuleValue;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the text of a rule's value is valid for its type, as defined by XML Schema and the data contracts of .NET
 * (HTTP reference 2.7). Spaces around the value are ignored, except in strings.
 */
final class RuleValueChecks {
    private static final int NUMBER_LENGTH_MAX = 64;
    private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");
    private static final Pattern DECIMAL = Pattern.compile("[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)");
    private static final Pattern FLOATING =
            Pattern.compile("[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,5})?|[+-]?INF|NaN");
    private static final Pattern BOOLEAN = Pattern.compile("[Tt]rue|[Ff]alse|[01]");
    private static final Pattern GUID = Pattern.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    private static final Pattern BLANK_OR_CONTROL = Pattern.compile("[\\s\\p{Cntrl}]");

    private RuleValueChecks() {}

    /**
     * Checks a value.
     *
     * @param where the kind of values, for the text of the refusal
     */
    static @Nullable Rejection refuse(String where, String key, RuleValue value) {
        String expected = expected(value);
        return expected == null
                ? null
                : Rejection.argument("Expected the value of '" + ClientText.abbreviate(key) + "' in the "
                        + where + " to be " + expected + ", because its type is "
                        + value.type().xsdName()
                        + ", but got '" + ClientText.abbreviate(value.text()) + "'.");
    }

    /** Returns a description of the expected text, or null if the text is valid. */
    private static @Nullable String expected(RuleValue value) {
        String text = value.text().strip();
        return switch (value.type()) {
            case STRING -> null;
            case BOOLEAN -> unless(BOOLEAN.matcher(text).matches(), "true or false");
            case BYTE -> integer(text, -128, 127);
            case SHORT -> integer(text, Short.MIN_VALUE, Short.MAX_VALUE);
            case INT -> integer(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case LONG -> integer(text, Long.MIN_VALUE, Long.MAX_VALUE);
            case UNSIGNED_BYTE -> integer(text, 0, 255);
            case UNSIGNED_SHORT -> integer(text, 0, 65_535);
            case UNSIGNED_INT -> integer(text, 0, 4_294_967_295L);
            case UNSIGNED_LONG ->
                integer(text, BigInteger.ZERO, BigInteger.TWO.pow(64).subtract(BigInteger.ONE));
            case FLOAT, DOUBLE -> unless(shortNumber(text, FLOATING), "a number, INF, -INF or NaN");
            case DECIMAL -> unless(shortNumber(text, DECIMAL), "a decimal number without exponent");
            case DATE_TIME -> unless(isDateTime(text), "a time such as 2026-11-20T10:00:00Z");
            case DURATION -> unless(isDuration(text), "a duration such as PT1M");
            case GUID -> unless(GUID.matcher(text).matches(), "32 hexadecimal digits in the form 8-4-4-4-12");
            case CHAR -> value.text().length() == 1 ? null : integer(text, 0, Character.MAX_VALUE);
            case ANY_URI -> unless(!BLANK_OR_CONTROL.matcher(text).find(), "a URI without spaces");
            case BASE64_BINARY -> unless(isBase64(text), "base64");
        };
    }

    private static @Nullable String unless(boolean fits, String expected) {
        return fits ? null : expected;
    }

    private static @Nullable String integer(String text, long min, long max) {
        return integer(text, BigInteger.valueOf(min), BigInteger.valueOf(max));
    }

    private static @Nullable String integer(String text, BigInteger min, BigInteger max) {
        if (shortNumber(text, INTEGER)) {
            BigInteger number = new BigInteger(text);
            if (number.compareTo(min) >= 0 && number.compareTo(max) <= 0) {
                return null;
            }
        }
        return "a whole number from " + min + " to " + max;
    }

    private static boolean shortNumber(String text, Pattern form) {
        return text.length() <= NUMBER_LENGTH_MAX && form.matcher(text).matches();
    }

    /** Accepts a time with a zone, or without one, which is a .NET time of unspecified kind. */
    private static boolean isDateTime(String text) {
        if (text.length() > NUMBER_LENGTH_MAX) {
            return false;
        }
        try {
            DateTimeFormatter.ISO_DATE_TIME.parse(text);
            return text.indexOf('[') < 0;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isDuration(String text) {
        try {
            IsoDurations.parseMs(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isBase64(String text) {
        try {
            Base64.getDecoder().decode(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
