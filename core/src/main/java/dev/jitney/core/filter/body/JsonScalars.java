package dev.jitney.core.filter.body;

import dev.jitney.core.filter.value.Value;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Conversion of the strings, numbers and words of JSON to values. The work is linear in the number of characters. */
final class JsonScalars {
    static final int NUMBER_LENGTH_MAX = 400;

    private static final Pattern WHOLE = Pattern.compile("-?(?:0|[1-9][0-9]*)");
    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");

    private static final Value NUMBER_TOO_LONG = Value.error(
            "Expected numbers of at most " + NUMBER_LENGTH_MAX + " characters in JSON, but got a longer one.");

    /** The character that stands for bytes that are not UTF-8. */
    private static final char REPLACEMENT = '\ufffd';

    private static final int HEXADECIMAL = 16;
    private static final int ESCAPED_DIGITS = 4;

    private JsonScalars() {}

    /**
     * Returns the value of a number or word: a long for a whole number in its range without point and exponent, a double for
     * every other number. Returns unknown for all other characters, and an error for a number that is too long.
     */
    static Value plain(String characters) {
        switch (characters) {
            case "true" -> {
                return Value.TRUE;
            }
            case "false" -> {
                return Value.FALSE;
            }
            case "null" -> {
                return Value.NULL;
            }
            default -> {
                return number(characters);
            }
        }
    }

    private static Value number(String characters) {
        if (characters.length() > NUMBER_LENGTH_MAX) {
            char first = characters.charAt(0);
            return first == '-' || first >= '0' && first <= '9' ? NUMBER_TOO_LONG : Value.UNKNOWN;
        }
        if (WHOLE.matcher(characters).matches()) {
            BigInteger whole = new BigInteger(characters);
            if (whole.bitLength() < Long.SIZE) {
                return Value.ofLong(whole.longValue());
            }
        }
        return NUMBER.matcher(characters).matches() ? Value.ofDouble(Double.parseDouble(characters)) : Value.UNKNOWN;
    }

    /**
     * Returns the text of a string.
     *
     * @param escaped whether it may have escapes; each of them has a character after it
     * @return null if the string is not UTF-8 or has a wrong escape
     */
    static @Nullable String text(byte[] bytes, int from, int to, boolean escaped) {
        String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0 && !isUtf8(bytes, from, to)) {
            return null;
        }
        return escaped ? unescaped(text) : text;
    }

    private static boolean isUtf8(byte[] bytes, int from, int to) {
        return !StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes, from, to - from), CharBuffer.allocate(to - from), true)
                .isError();
    }

    private static @Nullable String unescaped(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character == '\\') {
                i++;
                int simple = "\"\\/bfnrt".indexOf(text.charAt(i));
                if (simple >= 0) {
                    character = "\"\\/\b\f\n\r\t".charAt(simple);
                } else {
                    int code = text.charAt(i) == 'u' ? code(text, i + 1) : -1;
                    if (code < 0) {
                        return null;
                    }
                    character = (char) code;
                    i += ESCAPED_DIGITS;
                }
            }
            out.append(character);
        }
        return out.toString();
    }

    /** Returns the number in four hexadecimal digits; negative if there are no such digits. */
    private static int code(String text, int from) {
        if (from + ESCAPED_DIGITS > text.length()) {
            return -1;
        }
        int code = 0;
        for (int i = from; i < from + ESCAPED_DIGITS; i++) {
            int digit = text.charAt(i) < 0x80 ? Character.digit(text.charAt(i), HEXADECIMAL) : -1;
            if (digit < 0) {
                return -1;
            }
            code = code * HEXADECIMAL + digit;
        }
        return code;
    }
}
