package dev.jitney.model;

import java.util.regex.Pattern;

/** Conversions that make text from clients safe for messages and logs. */
public final class ClientText {
    private static final int ABBREVIATED_LENGTH = 64;
    private static final Pattern ACTING =
            Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]");
    private static final String SEPARATORS = "\t\n\u000b\f\r\u0085\u2028\u2029";

    private ClientText() {}

    /** Shortens a client's text to 64 characters and replaces its control characters, so that it fits into a sentence. */
    public static String abbreviate(String text) {
        String shortened = text.length() <= ABBREVIATED_LENGTH ? text : cut(text, ABBREVIATED_LENGTH) + "…";
        return harmless(shortened);
    }

    /** Replaces each character that a terminal or a line reader interprets by a question mark. */
    public static String harmless(String text) {
        return ACTING.matcher(text).replaceAll("?");
    }

    /**
     * Makes a text that may contain a client's text safe for one line of a log: line breaks and tabs become spaces, and
     * other characters that a terminal interprets are {@linkplain #escaped escaped}.
     */
    public static String oneLine(String text) {
        if (!ACTING.matcher(text).find()) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length() + 16);
        boolean afterSeparator = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean separator = SEPARATORS.indexOf(c) >= 0;
            if (!separator) {
                out.append(acts(c) ? escaped(c) : c);
            } else if (!afterSeparator) {
                out.append(' ');
            }
            afterSeparator = separator;
        }
        return out.toString();
    }

    /**
     * Returns whether a terminal or a line reader interprets the character: control characters of C0 and C1, line and
     * paragraph separators, and characters that change the direction of text.
     */
    public static boolean acts(char c) {
        return ACTING.matcher(String.valueOf(c)).matches();
    }

    /** Returns a character as Java and JSON escape it: a backslash, a {@code u} and four hexadecimal digits. */
    public static String escaped(char c) {
        return String.format("\\u%04x", (int) c);
    }

    /**
     * Returns the beginning of a text.
     *
     * @param length the maximum number of characters; one less if the cut would split a surrogate pair
     */
    public static String cut(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
    }
}
