package dev.jitney.gateway.http.atom;

import dev.jitney.model.ClientText;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * A reader that finds the description in the body of a request: {@code a:entry} with {@code a:content} with one element
 * (HTTP reference 2.4). It skips everything else in the entry.
 *
 * <p>Names are expanded names, with any prefixes. Bodies may come from unauthenticated clients: a DTD and entities
 * other than the five of XML are refused, and the number and depth of elements are limited. The caller limits the size.
 * Any thread may call it.
 */
public final class EntryReader {
    private static final int DEPTH_MAX = 32;
    private static final int ELEMENTS_MAX = 20_000;

    private final XMLInputFactory factory;

    /** Creates a reader, which is expensive; keep it. */
    public EntryReader() {
        factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setProperty(XMLInputFactory.IS_VALIDATING, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        factory.setXMLResolver((publicId, systemId, baseUri, name) -> {
            throw new XMLStreamException("External entities are not permitted.");
        });
    }

    /**
     * Reads a description.
     *
     * @param body the bytes of the body, in any encoding of XML
     * @throws MalformedEntryException if it is not well-formed, not an entry, or has no content
     */
    public Elements description(byte[] body) throws MalformedEntryException {
        XmlElement entry = parse(body);
        if (!entry.is(XmlNames.ATOM, "entry")) {
            throw new MalformedEntryException(
                    "Expected an Atom entry, but got the element '" + ClientText.abbreviate(entry.name()) + "'.");
        }
        XmlElement content = null;
        for (XmlElement child : entry.children()) {
            if (child.is(XmlNames.ATOM, "content")) {
                if (content != null) {
                    throw new MalformedEntryException("Expected one content element in the entry, but got two.");
                }
                content = child;
            }
        }
        if (content == null || content.children().size() != 1) {
            throw new MalformedEntryException(
                    "Expected one description in the content of the entry, but got none or several.");
        }
        XmlElement description = content.children().get(0);
        if (!description.namespace().equals(XmlNames.CONNECT)) {
            throw new MalformedEntryException("Expected a description of the namespace " + XmlNames.CONNECT
                    + ", but got '" + ClientText.abbreviate(description.name()) + "' of another namespace.");
        }
        return new Elements(description);
    }

    private XmlElement parse(byte[] body) throws MalformedEntryException {
        String text = XmlText.decode(body);
        if (XmlText.hasDocumentType(text)) {
            throw new MalformedEntryException("Bad Request. Expected no DOCTYPE, but got one.");
        }
        try {
            XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(text));
            try {
                return new Tree(reader).read();
            } finally {
                reader.close();
            }
        } catch (XMLStreamException | RuntimeException e) { // the reader throws either for invalid XML
            throw new MalformedEntryException("Bad Request. The body is not well-formed XML.");
        }
    }

    /** An element whose end is not read yet. */
    private static final class Open {
        private final String namespace;
        private final String name;
        private final @Nullable QName type;
        private final StringBuilder text = new StringBuilder();
        private final List<XmlElement> children = new ArrayList<>();

        Open(String namespace, String name, @Nullable QName type) {
            this.namespace = namespace;
            this.name = name;
            this.type = type;
        }

        XmlElement close() {
            return new XmlElement(namespace, name, type, children.isEmpty() ? text.toString() : "", children);
        }
    }

    /** The conversion of one document from events to a tree. */
    private static final class Tree {
        private final XMLStreamReader reader;
        private final Deque<Open> open = new ArrayDeque<>();
        private int elements;

        Tree(XMLStreamReader reader) {
            this.reader = reader;
        }

        XmlElement read() throws XMLStreamException, MalformedEntryException {
            XmlElement root = null;
            for (int event = reader.getEventType(); ; event = reader.next()) {
                switch (event) {
                    case XMLStreamConstants.START_ELEMENT -> start();
                    case XMLStreamConstants.END_ELEMENT -> root = end();
                    case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> text();
                    case XMLStreamConstants.ENTITY_REFERENCE ->
                        throw new MalformedEntryException(
                                "Bad Request. Expected only the predefined XML entities, but got another one.");
                    default -> {} // comments and processing instructions are ignored
                }
                if (!reader.hasNext()) {
                    break;
                }
            }
            if (root == null) {
                throw new MalformedEntryException("Expected an Atom entry, but got no element.");
            }
            return root;
        }

        private void start() throws MalformedEntryException {
            if (open.size() >= DEPTH_MAX || ++elements > ELEMENTS_MAX) {
                throw new MalformedEntryException(
                        "Expected at most " + ELEMENTS_MAX + " elements, at most " + DEPTH_MAX + " deep.");
            }
            String namespace = reader.getNamespaceURI();
            open.push(new Open(namespace == null ? "" : namespace, reader.getLocalName(), type()));
        }

        private XmlElement end() {
            XmlElement element = open.pop().close();
            Open parent = open.peek();
            if (parent != null) {
                parent.children.add(element);
            }
            return element;
        }

        private void text() {
            Open element = open.peek();
            if (element != null && element.children.isEmpty()) {
                element.text.append(reader.getTextCharacters(), reader.getTextStart(), reader.getTextLength());
            }
        }

        private @Nullable QName type() throws MalformedEntryException {
            String value = reader.getAttributeValue(XmlNames.INSTANCE, "type");
            if (value == null) {
                return null;
            }
            String name = value.strip();
            int colon = name.indexOf(':');
            String prefix = colon < 0 ? "" : name.substring(0, colon);
            String uri = reader.getNamespaceContext().getNamespaceURI(prefix);
            if (uri == null && colon >= 0) {
                throw new MalformedEntryException(
                        "Expected a type whose prefix is declared, but got '" + ClientText.abbreviate(name) + "'.");
            }
            return new QName(uri == null ? "" : uri, name.substring(colon + 1));
        }
    }
}
