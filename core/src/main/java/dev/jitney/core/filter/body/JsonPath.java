package dev.jitney.core.filter.body;

import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;

/**
 * A path to one value of a JSON document: {@code $}, then any number of {@code .name}, {@code ['name']}, {@code ["name"]}
 * and {@code [index]}. This is the part of JSONPath (RFC 9535) in which a path leads to at most one value, without
 * negative indexes and escapes. Immutable.
 */
public final class JsonPath {
    private static final int INDEX_DIGITS_MAX = 9;

    private final String text;
    private final List<Step> steps;

    private JsonPath(String text, List<Step> steps) {
        this.text = text;
        this.steps = List.copyOf(steps);
    }

    /**
     * One step from a value into another.
     *
     * @param name the name of a member of an object, or empty
     * @param utf8 the name in UTF-8
     * @param index the index of an element of an array, or negative for a member
     */
    record Step(String name, byte[] utf8, int index) {
        static Step member(String name) {
            return new Step(name, name.getBytes(StandardCharsets.UTF_8), -1);
        }

        static Step element(int index) {
            return new Step("", new byte[0], index);
        }

        boolean isMember() {
            return index < 0;
        }

        boolean isSame(Step other) {
            return index == other.index && name.equals(other.name);
        }
    }

    List<Step> steps() {
        return steps;
    }

    /** Returns the number of steps from the document to the value. */
    public int length() {
        return steps.size();
    }

    /** Returns whether the step at an index, from 0, goes to the member of that name. */
    public boolean goesToMember(int step, String name) {
        Step at = steps.get(step);
        return at.isMember() && at.name().equals(name);
    }

    /** Returns whether the step at an index, from 0, goes to the element of that index. */
    public boolean goesToElement(int step, int index) {
        return steps.get(step).index() == index;
    }

    /** Returns whether one of the values is the other one, or a part of it. */
    public boolean overlaps(JsonPath other) {
        int common = Math.min(steps.size(), other.steps.size());
        for (int i = 0; i < common; i++) {
            if (!steps.get(i).isSame(other.steps.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the path as it was written. */
    @Override
    public String toString() {
        return text;
    }

    /**
     * Parses a path.
     *
     * @throws ParseException with the expected text as its message, and the index of the mistake
     */
    public static JsonPath parse(String text) throws ParseException {
        if (!text.startsWith("$")) {
            throw new ParseException("a path that begins with '$'", 0);
        }
        List<Step> steps = new ArrayList<>();
        int at = 1;
        while (at < text.length()) {
            int end;
            if (text.charAt(at) == '.') {
                end = endOfName(text, at + 1);
                steps.add(Step.member(text.substring(at + 1, end)));
            } else if (text.charAt(at) == '[') {
                end = endOfBrackets(text, at + 1);
                steps.add(inBrackets(text, at + 1, end - 1));
            } else {
                throw new ParseException("'.' or '[' or the end of the path", at);
            }
            at = end;
        }
        return new JsonPath(text, steps);
    }

    private static int endOfName(String text, int from) throws ParseException {
        int at = from;
        while (at < text.length() && isNameCharacter(text.charAt(at), at > from)) {
            at++;
        }
        if (at == from) {
            throw new ParseException("the name of a member", at);
        }
        return at;
    }

    private static boolean isNameCharacter(char character, boolean digits) {
        return character >= 'a' && character <= 'z'
                || character >= 'A' && character <= 'Z'
                || character == '_'
                || character >= 0x80
                || digits && isDigit(character);
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    /** Returns the index after the closing bracket. */
    private static int endOfBrackets(String text, int from) throws ParseException {
        int at = from;
        if (from < text.length() && isQuote(text.charAt(from))) {
            at++;
            while (at < text.length() && text.charAt(at) != text.charAt(from)) {
                if (text.charAt(at) == '\\') {
                    throw new ParseException("a name without '\\'", at);
                }
                at++;
            }
            if (at == text.length()) {
                throw new ParseException("the quote after the name", at);
            }
            at++;
        } else {
            while (at < text.length() && isDigit(text.charAt(at))) {
                at++;
            }
            if (at == from || text.charAt(from) == '0' && at > from + 1 || at - from > INDEX_DIGITS_MAX) {
                throw new ParseException("a name in quotes or an index from 0 to 999999999", from);
            }
        }
        if (at == text.length() || text.charAt(at) != ']') {
            throw new ParseException("']'", at);
        }
        return at + 1;
    }

    private static boolean isQuote(char character) {
        return character == '\'' || character == '"';
    }

    private static Step inBrackets(String text, int from, int to) {
        return isQuote(text.charAt(from))
                ? Step.member(text.substring(from + 1, to - 1))
                : Step.element(Integer.parseInt(text.substring(from, to)));
    }
}
