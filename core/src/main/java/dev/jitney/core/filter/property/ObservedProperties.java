package dev.jitney.core.filter.property;

import dev.jitney.core.filter.value.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The properties of a message, with a list of those that a filter has read, for explanations. Not thread-safe. */
public final class ObservedProperties implements MessageProperties {
    /** More than a filter of the maximum length reads. Only filters that compute the names of properties read more. */
    private static final int LISTED_MAX = 64;

    private final MessageProperties message;
    private final Map<String, Value> read = new LinkedHashMap<>();

    public ObservedProperties(MessageProperties message) {
        this.message = message;
    }

    /** Returns the properties read since the last call with their values, unknown for missing ones, and starts another list. */
    public Map<String, Value> take() {
        Map<String, Value> taken = new LinkedHashMap<>(read);
        read.clear();
        return taken;
    }

    private Value note(String name, Value value) {
        if (read.size() < LISTED_MAX) {
            read.put(name, value);
        }
        return value;
    }

    @Override
    public Value system(SystemProperty property) {
        return note("sys." + property.text(), message.system(property));
    }

    @Override
    public Value user(PropertyName name) {
        return note(name.text(), message.user(name));
    }

    @Override
    public @Nullable String userSpelling(PropertyName name) {
        return message.userSpelling(name);
    }

    @Override
    public int userCount() {
        return message.userCount();
    }

    @Override
    public void forEachUserName(Consumer<PropertyName> names) {
        message.forEachUserName(names);
    }
}
