package dev.jitney.server.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import dev.jitney.model.IsoDurations;
import dev.jitney.model.rule.RuleValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One JSON object of the file with its path, read member by member; each member that no code reads becomes a warning.
 *
 * <p>Names match in any case, as in the configuration of the emulator's platform. A member that is {@code null} counts
 * as absent.
 */
final class ConfigObject {
    private final JsonNode node;
    private final String path;
    private final List<String> warnings;
    private final Set<String> known = new HashSet<>();

    private ConfigObject(JsonNode node, String path, List<String> warnings) {
        this.node = node;
        this.path = path;
        this.warnings = warnings;
    }

    /**
     * Wraps a node.
     *
     * @param path the path of the node; empty for the whole file
     * @throws InvalidValue if the node is no object
     */
    static ConfigObject of(JsonNode node, String path, List<String> warnings) {
        if (!node.isObject()) {
            throw new InvalidValue(path.isEmpty() ? "the file" : path, "Expected a JSON object, but got " + kind(node));
        }
        return new ConfigObject(node, path, warnings);
    }

    String path() {
        return path;
    }

    String path(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    InvalidValue invalid(String name, String rule) {
        return new InvalidValue(path(name), rule);
    }

    boolean has(String name) {
        return member(name) != null;
    }

    @Nullable
    String text(String name) {
        JsonNode value = member(name);
        if (value == null) {
            return null;
        }
        if (!value.isTextual()) {
            throw invalid(name, "Expected a string, but got " + kind(value));
        }
        return value.textValue();
    }

    String requiredText(String name) {
        String text = text(name);
        if (text == null) {
            throw missing(name, "a string");
        }
        return text;
    }

    /** Returns a name, or null for the empty string, which means "none". */
    @Nullable
    String nameOrNone(String name) {
        String text = text(name);
        return text == null || text.isEmpty() ? null : text;
    }

    @Nullable
    Boolean bool(String name) {
        JsonNode value = member(name);
        if (value == null) {
            return null;
        }
        if (value.isTextual() && value.textValue().matches("(?i)true|false")) {
            return Boolean.valueOf(value.textValue());
        }
        if (!value.isBoolean()) {
            throw invalid(name, "Expected true or false, but got " + kind(value));
        }
        return value.booleanValue();
    }

    boolean flag(String name) {
        return Boolean.TRUE.equals(bool(name));
    }

    @Nullable
    Long integer(String name, long min, long max) {
        JsonNode value = member(name);
        if (value == null) {
            return null;
        }
        boolean whole = value.isIntegralNumber() && value.canConvertToLong();
        if (!whole || value.longValue() < min || value.longValue() > max) {
            throw invalid(
                    name,
                    "Expected a whole number from " + min + " to " + max + ", but got "
                            + (value.isNumber() ? value.asText() + "." : kind(value)));
        }
        return value.longValue();
    }

    /** Returns a duration in milliseconds within bounds that are also written as durations. */
    @Nullable
    Long durationMs(String name, String min, String max) {
        String text = text(name);
        if (text == null) {
            return null;
        }
        long ms;
        try {
            ms = IsoDurations.parseMs(text);
        } catch (IllegalArgumentException e) {
            throw invalid(name, String.valueOf(e.getMessage()));
        }
        if (ms < IsoDurations.parseMs(min) || ms > IsoDurations.parseMs(max)) {
            throw invalid(name, "Expected a duration from " + min + " to " + max + ", but got " + text + ".");
        }
        return ms;
    }

    @Nullable
    ConfigObject object(String name) {
        JsonNode value = member(name);
        return value == null ? null : of(value, path(name), warnings);
    }

    ConfigObject requiredObject(String name) {
        ConfigObject object = object(name);
        if (object == null) {
            throw missing(name, "an object");
        }
        return object;
    }

    /** Returns the objects of an array, or an empty list if the member is absent. */
    List<ConfigObject> objects(String name, int maxCount) {
        List<ConfigObject> objects = new ArrayList<>();
        JsonNode value = array(name, maxCount);
        for (int i = 0; value != null && i < value.size(); i++) {
            objects.add(of(value.get(i), path(name) + "[" + i + "]", warnings));
        }
        return objects;
    }

    /** Returns the strings of an array, or an empty list if the member is absent. */
    List<String> texts(String name, int maxCount) {
        List<String> texts = new ArrayList<>();
        JsonNode value = array(name, maxCount);
        for (int i = 0; value != null && i < value.size(); i++) {
            if (!value.get(i).isTextual()) {
                throw new InvalidValue(path(name) + "[" + i + "]", "Expected a string, but got " + kind(value.get(i)));
            }
            texts.add(value.get(i).textValue());
        }
        return texts;
    }

    /** Returns the typed value of a rule: a string, a number, true or false. */
    RuleValue value(String name) {
        JsonNode value = node.get(name);
        if (value != null && value.isTextual()) {
            return RuleValue.ofString(value.textValue());
        }
        if (value != null && value.isBoolean()) {
            return new RuleValue(RuleValue.Type.BOOLEAN, value.asText());
        }
        if (value != null && value.isIntegralNumber() && value.canConvertToLong()) {
            return new RuleValue(value.canConvertToInt() ? RuleValue.Type.INT : RuleValue.Type.LONG, value.asText());
        }
        if (value != null && value.isFloatingPointNumber()) {
            return new RuleValue(RuleValue.Type.DOUBLE, value.asText());
        }
        throw invalid(
                name, "Expected a string, a number, true or false, but got " + (value == null ? "none." : kind(value)));
    }

    /** Returns the number of members of the object. */
    int size() {
        return node.size();
    }

    /** Returns all member names, which then count as known. */
    List<String> allNames() {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        known.addAll(names);
        return names;
    }

    /** Adds a warning for each unknown member. Call it after reading all known members. */
    void warnOfUnknown() {
        for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!known.contains(name)) {
                warnings.add(path(name) + ": Jitney does not know this member and ignores it.");
            }
        }
    }

    private @Nullable JsonNode array(String name, int maxCount) {
        JsonNode value = member(name);
        if (value == null) {
            return null;
        }
        if (!value.isArray()) {
            throw invalid(name, "Expected an array, but got " + kind(value));
        }
        if (value.size() > maxCount) {
            throw invalid(name, "Expected at most " + maxCount + " elements, but got " + value.size() + ".");
        }
        return value;
    }

    private InvalidValue missing(String name, String what) {
        return invalid(name, "Expected " + what + ", but the member is missing.");
    }

    private @Nullable JsonNode member(String name) {
        JsonNode exact = node.get(name);
        if (exact != null) {
            known.add(name);
            return exact.isNull() ? null : exact;
        }
        for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
            String candidate = names.next();
            if (candidate.equalsIgnoreCase(name)) {
                known.add(candidate);
                JsonNode value = node.get(candidate);
                return value.isNull() ? null : value;
            }
        }
        return null;
    }

    private static String kind(JsonNode value) {
        JsonNodeType type = value.getNodeType();
        return switch (type) {
            case ARRAY -> "an array.";
            case OBJECT -> "an object.";
            case STRING -> "the string '" + shorten(value.textValue()) + "'.";
            default -> value.asText() + ".";
        };
    }

    private static String shorten(String text) {
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }
}
