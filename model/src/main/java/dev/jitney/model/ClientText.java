package dev.jitney.model;

import java.util.regex.Pattern;

/** Text of clients, on its way into texts of ours. */
public final class ClientText {
    private static final int ABBREVIATED_LENGTH = 64;
    private static final Pattern ACTING =
            Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]");
    private static final String SEPARATORS = "\t\n\u000b\f\r\u0085\u2028\u2029";

    private ClientText() {}

    /** A client's text made fit for a sentence: not longer than 64 characters, without control characters. */
    public static String abbreviate(String text) {
        String shortened = text.length() <= ABBREVIATED_LENGTH ? text : cut(text, ABBREVIATED_LENGTH) + "…";
        return ACTING.matcher(shortened).replaceAll("?");
    }

    /**
     * Makes a text that may have clients' words in it fit for a line of a log: line breaks and tabs become blanks, and
     * other characters that a terminal acts upon are {@linkplain #escaped written as numbers}.
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
     * Whether a terminal or a reader of lines acts upon a character: the control characters of C0 and C1, the line and
     * paragraph separators, and those that change the direction of text.
     */
    public static boolean acts(char c) {
        return ACTING.matcher(String.valueOf(c)).matches();
    }

    /** The number of a character as Java and JSON write it: a backslash, a {@code u} and four hexadecimal digits. */
    public static String escaped(char c) {
        return String.format("\\u%04x", (int) c);
    }

    /**
     * The beginning of a text.
     *
     * @param length how many characters it has at most; one less when the last one would be half of a surrogate pair
     */
    public static String cut(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
    }
}
