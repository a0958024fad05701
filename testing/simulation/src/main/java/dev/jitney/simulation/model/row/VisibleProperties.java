package dev.jitney.simulation.model.row;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What can be seen of a message besides its body: system properties as {@code sys.label}, user properties by their names in
 * lower case; each value with its kind, as {@code string a} or {@code int 3}.
 */
public record VisibleProperties(SortedMap<String, String> properties) {
    public VisibleProperties {
        properties = Collections.unmodifiableSortedMap(new TreeMap<>(properties));
    }

    /** What messages begin with. */
    public static VisibleProperties of(Map<String, String> properties) {
        return new VisibleProperties(new TreeMap<>(properties));
    }

    /** The value of a property, or null if it has none. */
    public @Nullable String get(String name) {
        return properties.get(name);
    }

    /** The same with another value of one property. */
    public VisibleProperties with(String name, String value) {
        SortedMap<String, String> changed = new TreeMap<>(properties);
        changed.put(name, value);
        return new VisibleProperties(changed);
    }

    /** The same without a property. */
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
