package dev.jitney.gateway.http.atom;

import java.util.List;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * An element of a body, with what is used of it: prefixes are resolved, attributes other than {@code i:type} dropped.
 *
 * @param namespace URI of its namespace, or the empty string
 * @param name local name
 * @param type the resolved value of {@code i:type}, or null
 * @param text character data of the element itself, as it came; of an element with children it means nothing
 * @param children elements inside, in their order
 */
record XmlElement(String namespace, String name, @Nullable QName type, String text, List<XmlElement> children) {

    XmlElement {
        children = List.copyOf(children);
    }

    boolean is(String uri, String localName) {
        return name.equals(localName) && namespace.equals(uri);
    }

    /** An element that says nothing, which is as good as none. */
    boolean isEmpty() {
        return type == null && children.isEmpty() && text.isBlank();
    }
}
