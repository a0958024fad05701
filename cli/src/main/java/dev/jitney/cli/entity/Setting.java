package dev.jitney.cli.entity;

import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One property of a kind of entity: option, member of a document, and how the SDK takes and gives it.
 *
 * @param <C> the SDK's options of creation
 * @param <P> the SDK's properties of what exists
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
     * @param name as Service Bus has it, with a small letter in front: {@code lockDuration}
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

    /** {@code --lock-duration}. */
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

    /** Whether it may be absent, and empty text takes it away. */
    boolean optional() {
        return (Object) type == ValueType.TEXT || (Object) type == ValueType.ENTITY;
    }

    /** The value in a document; null if it is not set. */
    @Nullable
    Object show(P properties) {
        T value = getter.apply(properties);
        Object shown = value == null ? "" : type.show(value);
        return shown.equals("") ? null : shown;
    }

    /** Sets it for a creation. */
    void create(C options, String text) {
        creator.accept(options, read(text));
    }

    /** Sets it for an update. */
    void update(P properties, String text) {
        if (updater == null) {
            throw new IllegalStateException(name + " is fixed at creation.");
        }
        updater.accept(properties, read(text));
    }

    /** Whether the text says something else than what is set. */
    boolean differs(P properties, String text) {
        T value = read(text);
        Object shown = value == null ? null : type.show(value);
        return !java.util.Objects.equals(shown, show(properties));
    }

    private @Nullable T read(String text) {
        return text.isEmpty() && optional() ? null : type.parse(text);
    }
}
