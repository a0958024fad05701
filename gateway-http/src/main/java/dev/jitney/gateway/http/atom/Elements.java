package dev.jitney.gateway.http.atom;

import dev.jitney.model.ClientText;
import dev.jitney.model.IsoDurations;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * Typed access to the elements of a description. A missing or empty element is null; the caller has the default. Unused
 * elements are ignored, because older clients send back all elements of a response (HTTP reference 2.4).
 */
public final class Elements {
    private final XmlElement element;
    private final Map<String, XmlElement> byName = new HashMap<>();

    Elements(XmlElement element) throws MalformedEntryException {
        this.element = element;
        for (XmlElement child : element.children()) {
            if (child.namespace().equals(XmlNames.CONNECT) && byName.putIfAbsent(child.name(), child) != null) {
                byName.put(child.name(), repeated(child));
            }
        }
    }

    /** Marks a repeated element, which is refused only if it is used. */
    private static XmlElement repeated(XmlElement child) {
        return new XmlElement("", child.name(), null, "", List.of());
    }

    /** Returns the name of the parent element. */
    public String name() {
        return element.name();
    }

    /** Returns the {@code i:type} of the parent element, or null. */
    @Nullable
    QName type() {
        return element.type();
    }

    /** Returns all children, including repeated ones. */
    List<XmlElement> children() {
        return element.children();
    }

    /** Returns the elements inside a child, or null if the child is missing or empty. */
    @Nullable
    Elements child(String name) throws MalformedEntryException {
        XmlElement child = find(name);
        return child == null ? null : new Elements(child);
    }

    /** Returns the unchanged text of a child, or null. */
    @Nullable
    String text(String name) throws MalformedEntryException {
        XmlElement child = find(name);
        if (child == null) {
            return null;
        }
        if (!child.children().isEmpty()) {
            throw expected(name, "a text", "elements");
        }
        return child.text();
    }

    /** Returns the text of a child without whitespace around it, or null. */
    @Nullable
    String word(String name) throws MalformedEntryException {
        String text = text(name);
        return text == null ? null : text.strip();
    }

    boolean bool(String name, boolean otherwise) throws MalformedEntryException {
        String word = word(name);
        if (word == null) {
            return otherwise;
        }
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default -> throw expected(name, "true or false", word);
        };
    }

    @Nullable
    Long integer(String name) throws MalformedEntryException {
        String word = word(name);
        try {
            return word == null ? null : Long.valueOf(word);
        } catch (NumberFormatException e) {
            throw expected(name, "a whole number", String.valueOf(word));
        }
    }

    int integer(String name, int otherwise) throws MalformedEntryException {
        Long value = integer(name);
        if (value == null) {
            return otherwise;
        }
        if (value != value.intValue()) {
            throw expected(name, "a number of 32 bits", value.toString());
        }
        return value.intValue();
    }

    /** Returns a duration in milliseconds. */
    long durationMs(String name, long otherwise) throws MalformedEntryException {
        String word = word(name);
        try {
            return word == null ? otherwise : IsoDurations.parseMs(word);
        } catch (IllegalArgumentException e) {
            throw expected(name, "an ISO 8601 duration such as PT1M or P14D", String.valueOf(word));
        }
    }

    /** Returns a time to live in milliseconds. */
    long timeToLiveMs(String name, long otherwise) throws MalformedEntryException {
        String word = word(name);
        durationMs(name, otherwise); // refuses an invalid duration
        try {
            return word == null ? otherwise : IsoDurations.parseTimeToLiveMs(word);
        } catch (IllegalArgumentException tooLong) {
            throw expected(name, "a duration of at most " + IsoDurations.MAX, String.valueOf(word));
        }
    }

    private @Nullable XmlElement find(String name) throws MalformedEntryException {
        XmlElement child = byName.get(name);
        if (child != null && child.namespace().isEmpty()) {
            throw new MalformedEntryException("Expected the element " + name + " once, but it is repeated.");
        }
        return child == null || child.isEmpty() ? null : child;
    }

    static MalformedEntryException expected(String name, String what, String instead) {
        return new MalformedEntryException(
                "Expected " + name + " to be " + what + ", but got '" + ClientText.abbreviate(instead) + "'.");
    }
}
