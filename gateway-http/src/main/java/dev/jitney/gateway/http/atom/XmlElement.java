package dev.jitney.gateway.http.atom;

import java.util.List;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * An element of a body: prefixes are resolved, attributes other than {@code i:type} are dropped.
 *
 * @param namespace URI of its namespace, or the empty string
 * @param name local name
 * @param type the resolved value of {@code i:type}, or null
 * @param text unchanged character data of the element itself; unused for an element with children
 * @param children elements inside, in their order
 */
record XmlElement(String namespace, String name, @Nullable QName type, String text, List<XmlElement> children) {

    XmlElement {
        children = List.copyOf(children);
    }

    boolean is(String uri, String localName) {
        return name.equals(localName) && namespace.equals(uri);
    }

    /** Returns whether the element has no content, which counts as missing. */
    boolean isEmpty() {
        return type == null && children.isEmpty() && text.isBlank();
    }
}
