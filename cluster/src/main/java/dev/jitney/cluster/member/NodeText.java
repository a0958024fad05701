package dev.jitney.cluster.member;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Lines of {@code key=value}, for requests between nodes and for small files. Unknown keys are kept and ignored. */
public final class NodeText {
    private static final int LINES_MAX = 64;

    private final Map<String, String> values = new LinkedHashMap<>();

    public NodeText put(String key, String value) {
        if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0) {
            throw new IllegalArgumentException("Expected one line for " + key + ".");
        }
        values.put(key, value);
        return this;
    }

    /**
     * Reads a text.
     *
     * @throws IOException if it is not valid
     */
    public static NodeText parse(byte[] bytes) throws IOException {
        if (bytes.length > NodeLink.REQUEST_BYTES_MAX) {
            throw new IOException(
                    "Expected at most " + NodeLink.REQUEST_BYTES_MAX + " bytes, but got " + bytes.length + ".");
        }
        NodeText text = new NodeText();
        for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n", LINES_MAX + 1)) {
            int equals = line.indexOf('=');
            if (equals > 0 && text.values.size() < LINES_MAX) {
                text.values.put(line.substring(0, equals), line.substring(equals + 1));
            } else if (!line.isBlank()) {
                throw new IOException("Expected lines of key=value.");
            }
        }
        return text;
    }

    public byte[] bytes() {
        return toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        values.forEach(
                (key, value) -> text.append(key).append('=').append(value).append('\n'));
        return text.toString();
    }

    public boolean has(String key) {
        return values.containsKey(key);
    }

    public String get(String key) throws IOException {
        String value = values.get(key);
        if (value == null) {
            throw new IOException("Expected a value of " + key + ", but there is none.");
        }
        return value;
    }

    public long number(String key) throws IOException {
        try {
            return Long.parseLong(get(key));
        } catch (NumberFormatException e) {
            throw new IOException("Expected a number as " + key + ", but got '" + get(key) + "'.", e);
        }
    }

    public int smallNumber(String key) throws IOException {
        long value = number(key);
        if (value < Integer.MIN_VALUE || value > Integer.MAX_VALUE) {
            throw new IOException("Expected a number of 32 bits as " + key + ", but got " + value + ".");
        }
        return (int) value;
    }

    public boolean isTrue(String key) throws IOException {
        return Boolean.parseBoolean(get(key));
    }
}
