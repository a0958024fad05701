package dev.jitney.core.filter;

import org.jspecify.annotations.Nullable;

/**
 * A pattern of LIKE, compiled: {@code %} stands for any run of characters, {@code _} for one, the rest for itself
 * (FILTER-12). The whole text has to match, case counts.
 *
 * <p>A run is tried from short to long and only the last one is tried again, so the work is at most the product of both
 * lengths. The character behind the escape character stands for itself; a pattern that ends with the escape character
 * matches nothing, as in SQL Server.
 */
final class LikePattern {
    private static final byte LITERAL = 0;
    private static final byte ONE = 1;
    private static final byte RUN = 2;

    private enum Form {
        NOTHING,
        EQUAL,
        PREFIX,
        SUFFIX,
        INSIDE,
        ANY
    }

    private final String characters;
    private final byte[] roles;
    private final Form form;
    private final String literal;

    private LikePattern(String characters, byte[] roles, boolean dangling) {
        this.characters = characters;
        this.roles = roles;
        this.literal = literal();
        this.form = dangling ? Form.NOTHING : form();
    }

    /** Compiles a pattern; {@code escape} has one character or is null. */
    static LikePattern of(String pattern, @Nullable String escape) {
        StringBuilder characters = new StringBuilder(pattern.length());
        byte[] roles = new byte[pattern.length()];
        for (int i = 0; i < pattern.length(); i++) {
            char character = pattern.charAt(i);
            int at = characters.length();
            if (escape != null && character == escape.charAt(0)) {
                if (++i == pattern.length()) {
                    return new LikePattern(characters.toString(), roles, true);
                }
                character = pattern.charAt(i);
            } else if (character == '%') {
                roles[at] = RUN;
            } else if (character == '_') {
                roles[at] = ONE;
            }
            characters.append(character);
        }
        return new LikePattern(characters.toString(), roles, false);
    }

    /** Whether a value may stand behind ESCAPE. */
    static boolean isEscape(Value value) {
        return value.kind().isText() && value.text().length() == 1;
    }

    private String literal() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < characters.length(); i++) {
            if (roles[i] == LITERAL) {
                text.append(characters.charAt(i));
            }
        }
        return text.toString();
    }

    /** The patterns that are nothing but one literal with or without a run on either side have quicker ways. */
    private Form form() {
        int special = characters.length() - literal.length();
        boolean first = special > 0 && roles[0] == RUN;
        boolean last = special > 0 && roles[characters.length() - 1] == RUN;
        if (special == 0) {
            return Form.EQUAL;
        }
        if (special == 1 && last) {
            return Form.PREFIX;
        }
        if (special == 1 && first) {
            return Form.SUFFIX;
        }
        return special == 2 && first && last ? Form.INSIDE : Form.ANY;
    }

    boolean matches(String text) {
        return switch (form) {
            case NOTHING -> false;
            case EQUAL -> text.equals(literal);
            case PREFIX -> text.startsWith(literal);
            case SUFFIX -> text.endsWith(literal);
            case INSIDE -> text.contains(literal);
            case ANY -> walk(text);
        };
    }

    private boolean walk(String text) {
        int at = 0;
        int pattern = 0;
        int runAt = -1;
        int runPattern = -1;
        while (at < text.length()) {
            if (pattern < characters.length() && roles[pattern] == RUN) {
                runPattern = ++pattern;
                runAt = at;
            } else if (pattern < characters.length()
                    && (roles[pattern] == ONE || characters.charAt(pattern) == text.charAt(at))) {
                pattern++;
                at++;
            } else if (runPattern >= 0) {
                pattern = runPattern;
                at = ++runAt;
            } else {
                return false;
            }
        }
        while (pattern < characters.length() && roles[pattern] == RUN) {
            pattern++;
        }
        return pattern == characters.length();
    }
}
