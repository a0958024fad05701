package dev.jitney.cli.entity;

import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A property of a kind of entity: its option, its member in a document, and its accessors in the SDK.
 *
 * @param <C> the SDK's class for creation options
 * @param <P> the SDK's class for properties of an existing entity
 * @param <T> class of the value
 */
final class Setting<C, P, T> {
    private final String name;
    private final ValueType<T> type;
    private final String description;
    private final Function<P, @Nullable T> getter;
    private final BiConsumer<C, @Nullable T> creator;
    private final @Nullable BiConsumer<P, @Nullable T> updater;

    /**
     * @param name the name in Service Bus with a lowercase first letter: {@code lockDuration}
     * @param updater null if the property is fixed at creation
     */
    Setting(
            String name,
            ValueType<T> type,
            String description,
            Function<P, @Nullable T> getter,
            BiConsumer<C, @Nullable T> creator,
            @Nullable BiConsumer<P, @Nullable T> updater) {
        this.name = name;
        this.type = type;
        this.description = description;
        this.getter = getter;
        this.creator = creator;
        this.updater = updater;
    }

    String name() {
        return name;
    }

    /** Returns the option, such as {@code --lock-duration}. */
    String option() {
        return "--" + name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    String description() {
        return description;
    }

    ValueType<T> type() {
        return type;
    }

    boolean mutable() {
        return updater != null;
    }

    boolean flag() {
        return (Object) type == ValueType.FLAG;
    }

    /** Returns whether the property may be absent. Empty text removes its value. */
    boolean optional() {
        return (Object) type == ValueType.TEXT || (Object) type == ValueType.ENTITY;
    }

    /** Returns the value for a document, or null if it is not set. */
    @Nullable
    Object show(P properties) {
        T value = getter.apply(properties);
        Object shown = value == null ? "" : type.show(value);
        return shown.equals("") ? null : shown;
    }

    /** Sets the value for a creation. */
    void create(C options, String text) {
        creator.accept(options, read(text));
    }

    /** Sets the value for an update. */
    void update(P properties, String text) {
        if (updater == null) {
            throw new IllegalStateException(name + " is fixed at creation.");
        }
        updater.accept(properties, read(text));
    }

    /** Returns whether the text has another value than the property. */
    boolean differs(P properties, String text) {
        T value = read(text);
        Object shown = value == null ? null : type.show(value);
        return !java.util.Objects.equals(shown, show(properties));
    }

    private @Nullable T read(String text) {
        return text.isEmpty() && optional() ? null : type.parse(text);
    }
}
