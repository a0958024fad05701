package dev.jitney.simulation.model.row;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The visible properties of a message without its body: system properties such as {@code sys.label}, and user
 * properties by their names in lower case. Each value has its type, such as {@code string a} or {@code int 3}.
 */
public record VisibleProperties(SortedMap<String, String> properties) {
    public VisibleProperties {
        properties = Collections.unmodifiableSortedMap(new TreeMap<>(properties));
    }

    /** Returns the properties of a new message. */
    public static VisibleProperties of(Map<String, String> properties) {
        return new VisibleProperties(new TreeMap<>(properties));
    }

    /** Returns the value of a property, or null if it is missing. */
    public @Nullable String get(String name) {
        return properties.get(name);
    }

    /** Returns a copy with another value of one property. */
    public VisibleProperties with(String name, String value) {
        SortedMap<String, String> changed = new TreeMap<>(properties);
        changed.put(name, value);
        return new VisibleProperties(changed);
    }

    /** Returns a copy without a property. */
    public VisibleProperties without(String name) {
        SortedMap<String, String> changed = new TreeMap<>(properties);
        changed.remove(name);
        return new VisibleProperties(changed);
    }

    @Override
    public String toString() {
        return properties.toString();
    }
}
