package dev.jitney.conformance.recorded;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** A document that is read with namespaces, as .NET and Python do. */
final class Xml {
    static final String ATOM = "http://www.w3.org/2005/Atom";
    static final String CONNECT = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect";
    static final String COUNTS = "http://schemas.microsoft.com/netservices/2011/06/servicebus";
    static final String INSTANCE = "http://www.w3.org/2001/XMLSchema-instance";

    private final Document document;

    private Xml(Document document) {
        this.document = document;
    }

    static Xml parse(String text) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setNamespaceAware(true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            return new Xml(factory.newDocumentBuilder().parse(new InputSource(new StringReader(text))));
        } catch (ParserConfigurationException | IOException e) {
            throw new IllegalStateException(e);
        } catch (SAXException e) {
            throw new AssertionError("Expected XML, but got: " + text, e);
        }
    }

    /** Returns the local name of the root. */
    String root() {
        return document.getDocumentElement().getLocalName();
    }

    List<Element> elements(String namespace, String name) {
        NodeList found = document.getElementsByTagNameNS(namespace, name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            elements.add((Element) found.item(i));
        }
        return elements;
    }

    List<String> texts(String namespace, String name) {
        return elements(namespace, name).stream().map(Element::getTextContent).toList();
    }

    /** Returns the text of the only element with that name in the description. */
    String property(String name) {
        List<String> texts = texts(CONNECT, name);
        if (texts.size() != 1) {
            throw new AssertionError("Expected one " + name + ", but got " + texts);
        }
        return texts.get(0);
    }
}
