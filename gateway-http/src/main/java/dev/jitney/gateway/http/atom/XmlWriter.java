package dev.jitney.gateway.http.atom;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A writer of XML that all SDKs can read: no declaration, no whitespace between elements, no empty elements (HTTP
 * reference 7). The JDK's writer does not escape carriage returns and cannot write self-closing elements. Not
 * thread-safe.
 */
public final class XmlWriter {
    private final StringBuilder out;

    XmlWriter(int expectedCharacters) {
        out = new StringBuilder(expectedCharacters);
    }

    /** Opens an element. */
    XmlWriter open(String name) {
        out.append('<').append(name).append('>');
        return this;
    }

    /** Opens an element with attributes; names and values in turn. */
    XmlWriter open(String name, String... attributes) {
        tag(name, attributes);
        out.append('>');
        return this;
    }

    /** Writes an element with attributes and no content. */
    XmlWriter empty(String name, String... attributes) {
        tag(name, attributes);
        out.append("/>");
        return this;
    }

    XmlWriter close(String name) {
        out.append("</").append(name).append('>');
        return this;
    }

    /** Writes an element with a text, or nothing if the text is null or empty, because an empty element breaks SDKs. */
    XmlWriter text(String name, @Nullable String text) {
        if (text != null && !text.isEmpty()) {
            open(name);
            escape(text);
            close(name);
        }
        return this;
    }

    XmlWriter bool(String name, boolean value) {
        open(name);
        out.append(value);
        return close(name);
    }

    XmlWriter number(String name, long value) {
        open(name);
        out.append(value);
        return close(name);
    }

    /** Writes text between tags. */
    XmlWriter characters(String text) {
        escape(text);
        return this;
    }

    byte[] toBytes() {
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void tag(String name, String... attributes) {
        out.append('<').append(name);
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ').append(attributes[i]).append("=\"");
            escape(attributes[i + 1]);
            out.append('"');
        }
    }

    /** Escapes text. Characters that XML 1.0 does not allow become a question mark. */
    private void escape(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                case '\r' -> out.append("&#xD;");
                case '\n', '\t' -> out.append(c);
                default -> {
                    if (Character.isHighSurrogate(c)
                            && i + 1 < text.length()
                            && Character.isLowSurrogate(text.charAt(i + 1))) {
                        out.append(c).append(text.charAt(++i));
                    } else {
                        out.append(c < ' ' || Character.isSurrogate(c) || c >= 0xfffe ? '?' : c);
                    }
                }
            }
        }
    }
}
