package dev.jitney.server.identity;

import java.text.ParseException;

/** The check that a JSON text is not nested deeply, before a parser that recurses reads it. */
final class JsonDepth {
    /** The limit. Tokens of providers are at most five levels deep. */
    static final int LEVELS_MAX = 16;

    private JsonDepth() {}

    /** @throws ParseException if the text has more than {@value #LEVELS_MAX} levels of objects and arrays */
    static void check(String json) throws ParseException {
        int level = 0;
        boolean inText = false;
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (inText) {
                if (c == '\\') {
                    i++;
                } else if (c == '"') {
                    inText = false;
                }
            } else if (c == '"') {
                inText = true;
            } else if (c == '{' || c == '[') {
                if (++level > LEVELS_MAX) {
                    throw new ParseException("Expected at most " + LEVELS_MAX + " levels of objects and arrays.", i);
                }
            } else if (c == '}' || c == ']') {
                level--;
            }
        }
    }
}
