package dev.jitney.testkit;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reader and writer of JSON as maps, lists, strings, longs, doubles, booleans and null. It exists because the kit brings
 * no library to the class path of an application.
 *
 * <p>The reader is strict: it refuses what RFC 8259 does not allow, members with the same name, and values that are nested more
 * than {@value #DEPTH_MAX} times. For configuration files it also accepts comments and commas after the last element.
 */
final class Json {
    private static final int DEPTH_MAX = 64;

    private final String text;
    private final boolean lenient;
    private int at;
    private int depth;

    private Json(String text, boolean lenient) {
        this.text = text;
        this.lenient = lenient;
    }

    /** @throws IllegalArgumentException if the text is not JSON; the message has the line and the column */
    static @Nullable Object read(String text) {
        return new Json(text, false).document();
    }

    /** Reads a configuration file, which may have comments and commas after the last element. */
    static @Nullable Object readFile(String text) {
        return new Json(text, true).document();
    }

    static String write(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out, 0);
        return out.toString();
    }

    private static void write(@Nullable Object value, StringBuilder out, int depth) {
        if (depth > DEPTH_MAX) {
            throw new IllegalArgumentException("Expected values nested at most " + DEPTH_MAX + " times, but got more.");
        }
        if (value instanceof Map<?, ?> map) {
            out.append('{');
            String comma = "";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(comma);
                quote(String.valueOf(entry.getKey()), out);
                out.append(':');
                write(entry.getValue(), out, depth + 1);
                comma = ",";
            }
            out.append('}');
        } else if (value instanceof Iterable<?> list) {
            out.append('[');
            String comma = "";
            for (Object element : list) {
                out.append(comma);
                write(element, out, depth + 1);
                comma = ",";
            }
            out.append(']');
        } else if (value instanceof Double number && !Double.isFinite(number)) {
            throw new IllegalArgumentException("Expected a finite number, but got " + number + ".");
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            quote(value.toString(), out);
        }
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private @Nullable Object document() {
        Object value = value();
        space();
        if (at < text.length()) {
            throw error("the end");
        }
        return value;
    }

    private @Nullable Object value() {
        space();
        if (at == text.length()) {
            throw error("a value");
        }
        return switch (text.charAt(at)) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        open();
        while (!closes('}', members.isEmpty())) {
            if (at == text.length() || text.charAt(at) != '"') {
                throw error("a name in quotes");
            }
            int start = at;
            String name = string();
            if (members.containsKey(name)) {
                at = start;
                throw error("a name that the object does not have yet");
            }
            space();
            if (at == text.length() || text.charAt(at) != ':') {
                throw error("':'");
            }
            at++;
            members.put(name, value());
        }
        return members;
    }

    private List<@Nullable Object> array() {
        List<@Nullable Object> elements = new ArrayList<>();
        open();
        while (!closes(']', elements.isEmpty())) {
            elements.add(value());
        }
        return elements;
    }

    private void open() {
        if (++depth > DEPTH_MAX) {
            throw error("values nested at most " + DEPTH_MAX + " times");
        }
        at++;
    }

    /** Reads the end, or the comma before the next element. */
    private boolean closes(char end, boolean first) {
        space();
        boolean comma = !first && at < text.length() && text.charAt(at) == ',';
        if (comma) {
            at++;
            space();
        }
        if (at < text.length() && text.charAt(at) == end && (!comma || lenient)) {
            at++;
            depth--;
            return true;
        }
        if (!first && !comma || at == text.length()) {
            throw error("',' or '" + end + "'");
        }
        return false;
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        for (at++; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"') {
                at++;
                return out.toString();
            }
            if (c < ' ') {
                throw error("an escape in place of this control character");
            }
            out.append(c == '\\' ? escape() : c);
        }
        throw error("'\"'");
    }

    private char escape() {
        at++;
        char c = at < text.length() ? text.charAt(at) : ' ';
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw error("an escape");
        };
    }

    private char unicode() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            at++;
            int digit = at < text.length() && text.charAt(at) < 128 ? Character.digit(text.charAt(at), 16) : -1;
            if (digit < 0) {
                throw error("four hexadecimal digits");
            }
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw error("a value");
        }
        at += word.length();
        return value;
    }

    private Object number() {
        int start = at;
        if (at < text.length() && text.charAt(at) == '-') {
            at++;
        }
        int digits = at;
        digits();
        boolean zeroFirst = at > digits + 1 && text.charAt(digits) == '0';
        boolean whole = true;
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            digits();
            whole = false;
        }
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            at++;
            if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
                at++;
            }
            digits();
            whole = false;
        }
        if (zeroFirst) {
            at = start;
            throw error("a number without a leading zero");
        }
        String digitsText = text.substring(start, at);
        if (whole && digitsText.length() <= 18) {
            return Long.parseLong(digitsText);
        }
        return whole ? new BigDecimal(digitsText) : (Object) Double.parseDouble(digitsText);
    }

    private void digits() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (start == at) {
            throw error("a value");
        }
    }

    private void space() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
                at++;
            } else if (lenient && text.startsWith("//", at)) {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (lenient && text.startsWith("/*", at)) {
                int end = text.indexOf("*/", at + 2);
                if (end < 0) {
                    throw error("'*/'");
                }
                at = end + 2;
            } else {
                return;
            }
        }
    }

    private IllegalArgumentException error(String expected) {
        int line = 1;
        int column = 1;
        for (int i = 0; i < Math.min(at, text.length()); i++) {
            column = text.charAt(i) == '\n' ? 1 : column + 1;
            line += text.charAt(i) == '\n' ? 1 : 0;
        }
        String got = at >= text.length() ? "the end" : "'" + text.charAt(at) + "'";
        return new IllegalArgumentException(
                "Expected " + expected + " at line " + line + ", column " + column + ", but got " + got + ".");
    }
}
