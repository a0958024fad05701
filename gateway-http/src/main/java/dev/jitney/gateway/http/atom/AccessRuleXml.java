package dev.jitney.gateway.http.atom;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ClientText;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The element {@code AuthorizationRule}, alone and in the list of an entity (HTTP reference 2.7). */
public final class AccessRuleXml {
    /** The element's name. */
    public static final String ELEMENT = "AuthorizationRule";

    private static final String LIST = "AuthorizationRules";
    private static final String RULE_TYPE = "SharedAccessAuthorizationRule";
    private static final String RIGHT = "AccessRights";
    private static final int NAME_LENGTH_MAX = 256;
    private static final int KEY_LENGTH_MAX = 256;

    private AccessRuleXml() {}

    /** A source of new keys. */
    @FunctionalInterface
    public interface Keys {
        /** Returns a new secret key as text. */
        String next();
    }

    /**
     * Reads a single rule.
     *
     * @param name its name, from the URL
     * @param stored the current rule, or null; missing keys are taken from it
     */
    public static AccessRule read(Elements in, String name, @Nullable AccessRule stored, Keys keys)
            throws MalformedEntryException {
        if (name.isBlank() || name.length() > NAME_LENGTH_MAX) {
            throw new MalformedEntryException(
                    "Expected a KeyName of 1 to " + NAME_LENGTH_MAX + " characters, but got " + name.length() + ".");
        }
        if (in.type() != null && !in.type().getLocalPart().equals(RULE_TYPE)) {
            throw Elements.expected(
                    "the type of an " + ELEMENT, RULE_TYPE, in.type().getLocalPart());
        }
        String primary = key(in, "PrimaryKey", stored == null ? null : stored.primaryKey(), keys);
        String secondary = key(in, "SecondaryKey", stored == null ? null : stored.secondaryKey(), keys);
        return new AccessRule(name, rights(in, name), primary, secondary);
    }

    /** Reads the rules of an entity; an empty list if they are omitted. */
    static List<AccessRule> readAll(Elements description, List<AccessRule> stored, Keys keys)
            throws MalformedEntryException {
        List<AccessRule> rules = new ArrayList<>();
        Elements list = description.child(LIST);
        if (list != null) {
            for (XmlElement child : list.children()) {
                if (child.is(XmlNames.CONNECT, ELEMENT)) {
                    Elements in = new Elements(child);
                    String name = in.word("KeyName");
                    rules.add(read(in, name == null ? "" : name, find(stored, name), keys));
                }
            }
        }
        return rules;
    }

    /** Writes the rules of an entity. This is the only list that is written even if it is empty. */
    static void writeAll(XmlWriter out, List<AccessRule> rules) {
        out.open(LIST);
        for (AccessRule rule : rules) {
            out.open(ELEMENT, "i:type", RULE_TYPE);
            body(out, rule);
        }
        out.close(LIST);
    }

    /** Returns a rule as the content of a response, with its keys. */
    public static AtomContent content(AccessRule rule) {
        return out -> {
            out.open(ELEMENT, "xmlns", XmlNames.CONNECT, "xmlns:i", XmlNames.INSTANCE, "i:type", RULE_TYPE);
            body(out, rule);
        };
    }

    private static void body(XmlWriter out, AccessRule rule) {
        out.text("ClaimType", "SharedAccessKey").text("ClaimValue", "None").open("Rights");
        for (AccessRight right : AccessRight.values()) {
            if (rule.rights().contains(right)) {
                out.text(RIGHT, word(right));
            }
        }
        out.close("Rights")
                .text("KeyName", rule.name())
                .text("PrimaryKey", rule.primaryKey())
                .text("SecondaryKey", rule.secondaryKey())
                .close(ELEMENT);
    }

    private static String word(AccessRight right) {
        return switch (right) {
            case MANAGE -> "Manage";
            case SEND -> "Send";
            case LISTEN -> "Listen";
        };
    }

    private static Set<AccessRight> rights(Elements in, String name) throws MalformedEntryException {
        EnumSet<AccessRight> rights = EnumSet.noneOf(AccessRight.class);
        Elements list = in.child("Rights");
        if (list != null) {
            for (XmlElement child : list.children()) {
                if (child.is(XmlNames.CONNECT, RIGHT)
                        && !rights.add(right(child.text().strip()))) {
                    throw wrong(name, "to have different rights, but one occurs twice.");
                }
            }
        }
        if (rights.isEmpty()) {
            throw wrong(name, "to have at least one of the rights Manage, Send and Listen, but got none.");
        }
        if (rights.contains(AccessRight.MANAGE) && rights.size() < AccessRight.values().length) {
            throw wrong(name, "to have Send and Listen together with Manage, but got Manage without both.");
        }
        return rights;
    }

    private static AccessRight right(String word) throws MalformedEntryException {
        for (AccessRight right : AccessRight.values()) {
            if (word(right).equals(word)) {
                return right;
            }
        }
        throw Elements.expected("AccessRights", "Manage, Send or Listen", word);
    }

    private static String key(Elements in, String element, @Nullable String stored, Keys keys)
            throws MalformedEntryException {
        String key = in.word(element);
        if (key == null) {
            return stored == null ? keys.next() : stored;
        }
        if (key.length() > KEY_LENGTH_MAX) { // without the text, which is secret
            throw new MalformedEntryException("Expected a " + element + " of at most " + KEY_LENGTH_MAX
                    + " characters, but got " + key.length() + ".");
        }
        return key;
    }

    private static @Nullable AccessRule find(List<AccessRule> rules, @Nullable String name) {
        for (AccessRule rule : rules) {
            if (rule.name().equalsIgnoreCase(name)) {
                return rule;
            }
        }
        return null;
    }

    private static MalformedEntryException wrong(String name, String expected) {
        return new MalformedEntryException(
                "Expected authorization rule '" + ClientText.abbreviate(name) + "' " + expected);
    }
}
