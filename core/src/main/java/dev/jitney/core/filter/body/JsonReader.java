package dev.jitney.core.filter.body;

import dev.jitney.core.filter.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A reader of one value in a JSON document, safe for untrusted bytes.
 *
 * <p>It reads from the beginning to the value and never back, without a stack and without copying, and throws nothing. It
 * takes one step for each byte, a window at a time. The members and elements on the way are checked. Values that it passes
 * are skipped: only their strings and brackets are read. The bytes after the value are not read.
 *
 * <p>If an object has several members with the same name, the first one counts.
 */
final class JsonReader {
    /** The bytes for which steps are taken at once. */
    private static final int WINDOW = 512;

    /** The steps for preparing to read. */
    private static final int STEPS = 64;

    /** The steps for a member or element on the way, in addition to those for its bytes. */
    private static final int STEPS_PER_ELEMENT = 10;

    /** The steps for a string or bracket in a value that is skipped, in addition to those for its bytes. */
    private static final int STEPS_PER_TOKEN = 4;

    private static final int STEPS_PER_ESCAPED_BYTE = 3;

    /** The steps for one character of the number or word that is the value. */
    private static final int STEPS_PER_DIGIT = 32;

    private static final boolean[] SPECIAL_IN_STRING = special("\"\\");
    private static final boolean[] SPECIAL_IN_NESTED = special("\"{}[]");
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final byte[] bytes;
    private final int to;
    private final Steps steps;

    private int at;

    /** The end of the bytes for which steps have been taken. */
    private int paidTo;

    /** True after an attempt to read at the end or without steps. */
    private boolean ended;

    /** The steps for members, elements and tokens, which are taken with the next bytes. */
    private long owed = STEPS;

    JsonReader(byte[] bytes, int from, int to, Steps steps) {
        this.bytes = bytes;
        this.at = from;
        this.to = to;
        this.steps = steps;
        this.paidTo = from;
    }

    private static boolean[] special(String characters) {
        boolean[] special = new boolean[256];
        characters.chars().forEach(character -> special[character] = true);
        return special;
    }

    /** Returns whether more bytes, or more steps, could change the result. */
    boolean isUndecided() {
        return ended || at == to;
    }

    /**
     * Returns the value at a path: unknown if there is none or if the bytes are not JSON, and a value of another type for an
     * object or array.
     */
    Value read(JsonPath path) {
        if (Arrays.equals(
                bytes, at, Math.min(to, at + BYTE_ORDER_MARK.length), BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length)) {
            at += BYTE_ORDER_MARK.length;
            paidTo = at;
        }
        for (JsonPath.Step step : path.steps()) {
            boolean found = step.isMember() ? enterMember(step) : enterElement(step.index());
            if (!found) {
                return Value.UNKNOWN;
            }
        }
        return value();
    }

    /** Moves to the value of a member, and returns whether there is one. */
    private boolean enterMember(JsonPath.Step member) {
        if (!next('{') || next('}')) {
            return false;
        }
        do {
            owed += STEPS_PER_ELEMENT;
            if (!next('"')) {
                return false;
            }
            boolean named = isName(member);
            if (ended || !next(':')) {
                return false;
            }
            if (named) {
                return true;
            }
        } while (skipValue() && next(','));
        return false;
    }

    /** Reads a name after its quote, and returns whether it is that of a member. */
    private boolean isName(JsonPath.Step member) {
        int from = at;
        boolean escaped = skipString();
        if (ended) {
            return false;
        }
        return escaped
                ? member.name().equals(text(from, at - 1, true))
                : Arrays.equals(bytes, from, at - 1, member.utf8(), 0, member.utf8().length);
    }

    /** Moves to an element, and returns whether there is one. */
    private boolean enterElement(int index) {
        if (!next('[')) {
            return false;
        }
        for (int i = 0; i < index; i++) {
            owed += STEPS_PER_ELEMENT;
            if (!skipValue() || !next(',')) {
                return false;
            }
        }
        return true;
    }

    private Value value() {
        switch (skipSpace()) {
            case '{', '[' -> {
                return Value.OTHER;
            }
            case '"' -> {
                at++;
                int from = at;
                boolean escaped = skipString();
                String text = ended ? null : text(from, at - 1, escaped);
                return text == null ? Value.UNKNOWN : Value.ofString(text);
            }
            default -> {
                int from = at;
                if (!skipScalar()) {
                    return Value.UNKNOWN;
                }
                int length = Math.min(at - from, JsonScalars.NUMBER_LENGTH_MAX + 1);
                return take((long) STEPS_PER_DIGIT * length)
                        ? JsonScalars.plain(new String(bytes, from, length, StandardCharsets.ISO_8859_1))
                        : Value.UNKNOWN;
            }
        }
    }

    /** Returns the text of a string, or null if it is wrong or needs too many steps. */
    private @Nullable String text(int from, int end, boolean escaped) {
        return take(escaped ? (long) STEPS_PER_ESCAPED_BYTE * (end - from) : end - from)
                ? JsonScalars.text(bytes, from, end, escaped)
                : null;
    }

    /** Skips space and a character, and returns whether it was the next one. */
    private boolean next(char expected) {
        if (skipSpace() != expected) {
            return false;
        }
        at++;
        return true;
    }

    /** Skips space and returns the next byte without reading it, or a negative number at the end. */
    private int skipSpace() {
        while (at < paidTo || pay()) {
            byte character = bytes[at];
            if (character != ' ' && character != '\n' && character != '\r' && character != '\t') {
                return character & 0xff;
            }
            at++;
        }
        return -1;
    }

    /** Skips a value, and returns whether there was one. */
    private boolean skipValue() {
        return switch (skipSpace()) {
            case '{', '[' -> skipNested();
            case '"' -> {
                at++;
                skipString();
                yield !ended;
            }
            default -> skipScalar();
        };
    }

    /** Skips an object or array, and returns whether it has an end. */
    private boolean skipNested() {
        int depth = 0;
        while (skipTo(SPECIAL_IN_NESTED)) {
            owed += STEPS_PER_TOKEN;
            byte character = bytes[at++];
            if (character == '"') {
                skipString();
            } else {
                depth += character == '{' || character == '[' ? 1 : -1;
                if (depth == 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Skips a string after its quote, and returns whether it has escapes. */
    private boolean skipString() {
        boolean escaped = false;
        while (skipTo(SPECIAL_IN_STRING) && bytes[at++] != '"') {
            escaped = true;
            if (at < paidTo || pay()) {
                at++;
            }
        }
        return escaped;
    }

    /** Moves to the next special byte, and returns whether there is one. */
    private boolean skipTo(boolean[] special) {
        do {
            int next = at;
            int end = paidTo;
            while (next < end && !special[bytes[next] & 0xff]) {
                next++;
            }
            at = next;
            if (next < end) {
                return true;
            }
        } while (pay());
        return false;
    }

    /** Skips a number or literal, and returns whether there was one. */
    private boolean skipScalar() {
        int from = at;
        while (at < paidTo || at < to && pay()) {
            byte character = bytes[at];
            boolean part = isDigit(character)
                    || character >= 'a' && character <= 'z'
                    || character == '-'
                    || character == '+'
                    || character == '.'
                    || character == 'E';
            if (!part) {
                break;
            }
            at++;
        }
        return at > from;
    }

    private static boolean isDigit(byte character) {
        return character >= '0' && character <= '9';
    }

    /** Takes the steps for the next bytes, and returns whether there are bytes and steps. */
    private boolean pay() {
        if (ended || at >= to) {
            ended = true;
            return false;
        }
        int end = Math.min(to, at + WINDOW);
        if (!take(end - at + owed)) {
            return false;
        }
        owed = 0;
        paidTo = end;
        return true;
    }

    private boolean take(long count) {
        ended |= !steps.take(count);
        return !ended;
    }
}
