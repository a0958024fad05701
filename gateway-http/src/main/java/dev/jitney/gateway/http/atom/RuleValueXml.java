package dev.jitney.gateway.http.atom;

import dev.jitney.model.ClientText;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.RuleValue.Type;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/** The named, typed values in filters and actions: {@code KeyValueOfstringanyType} (HTTP reference 2.7). */
final class RuleValueXml {
    private static final String PAIR = "KeyValueOfstringanyType";
    private static final Map<String, Type> TYPES =
            Stream.of(Type.values()).collect(Collectors.toUnmodifiableMap(Type::xsdName, type -> type));

    /** A prefix of four characters, because JavaScript removes the first five characters (HTTP reference 2.7). */
    private static final String PREFIX = "d6p1";

    private RuleValueXml() {}

    /** Reads the pairs in an element, in their order; an empty map if there is no such element. */
    static Map<String, RuleValue> read(Elements holder, String name) throws MalformedEntryException {
        Map<String, RuleValue> values = new LinkedHashMap<>();
        Elements pairs = holder.child(name);
        if (pairs == null) {
            return values;
        }
        for (XmlElement child : pairs.children()) {
            if (child.is(XmlNames.CONNECT, PAIR)) {
                Elements pair = new Elements(child);
                String key = pair.text("Key");
                if (key == null) {
                    throw new MalformedEntryException("Expected a Key in every pair of " + name + ", but got none.");
                }
                if (values.put(key, value(child)) != null) {
                    throw new MalformedEntryException("Expected different keys in " + name + ", but '"
                            + ClientText.abbreviate(key) + "' occurs twice.");
                }
            }
        }
        return values;
    }

    static void write(XmlWriter out, String name, Map<String, RuleValue> values) {
        if (values.isEmpty()) {
            return;
        }
        out.open(name);
        values.forEach((key, value) -> out.open(PAIR)
                .text("Key", key)
                .open(
                        "Value",
                        "i:type",
                        PREFIX + ":" + value.type().xsdName(),
                        "xmlns:" + PREFIX,
                        namespaceOf(value.type()))
                .characters(value.text())
                .close("Value")
                .close(PAIR));
        out.close(name);
    }

    private static RuleValue value(XmlElement pair) throws MalformedEntryException {
        for (XmlElement child : pair.children()) {
            if (child.is(XmlNames.CONNECT, "Value")) {
                Type type = type(child.type());
                boolean text = type == Type.STRING || type == Type.CHAR;
                return new RuleValue(type, text ? child.text() : child.text().strip());
            }
        }
        throw new MalformedEntryException("Expected a Value for every Key, but got none.");
    }

    private static Type type(@Nullable QName name) throws MalformedEntryException {
        if (name == null) {
            return Type.STRING;
        }
        boolean known = name.getNamespaceURI().equals(XmlNames.SCHEMA)
                || name.getNamespaceURI().equals(XmlNames.SERIALIZATION);
        Type type = known ? TYPES.get(name.getLocalPart()) : null;
        if (type == null) {
            throw Elements.expected("the type of a Value", "a type of XML Schema", name.toString());
        }
        return type;
    }

    private static String namespaceOf(Type type) {
        return type == Type.GUID || type == Type.CHAR || type == Type.DURATION
                ? XmlNames.SERIALIZATION
                : XmlNames.SCHEMA;
    }
}
