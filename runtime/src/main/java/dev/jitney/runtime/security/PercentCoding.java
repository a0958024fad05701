package dev.jitney.runtime.security;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Percent-encoding of tokens and paths (RFC 3986, 2.1): strict, and {@code +} is a plus sign. */
public final class PercentCoding {
    private static final String UNRESERVED = "-_.~";

    private PercentCoding() {}

    /** Returns the decoded text, or null if an escape is malformed or the bytes are not UTF-8. */
    public static @Nullable String decode(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] raw = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(raw.length);
        for (int i = 0; i < raw.length; i++) {
            if (raw[i] != '%') {
                out.put(raw[i]);
                continue;
            }
            if (i + 2 >= raw.length) {
                return null;
            }
            int high = Character.digit((char) raw[i + 1], 16);
            int low = Character.digit((char) raw[i + 2], 16);
            if (raw[i + 1] < 0 || raw[i + 2] < 0 || high < 0 || low < 0) {
                return null;
            }
            out.put((byte) (high << 4 | low));
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(out.flip()).toString();
        } catch (CharacterCodingException notUtf8) {
            return null;
        }
    }

    /** Escapes all but unreserved characters, with hexadecimal digits in upper case. */
    public static String encode(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || UNRESERVED.indexOf(c) >= 0) {
                out.append(c);
            } else {
                out.append('%')
                        .append(Character.toUpperCase(Character.forDigit(c >> 4, 16)))
                        .append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
            }
        }
        return out.toString();
    }
}
