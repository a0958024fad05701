package dev.jitney.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The properties of one entity that the file says, each with its place. What is not said is not here: a new entity gets
 * the default, an existing one keeps what it has, so that a restart never takes back what somebody changed meanwhile
 * without the file naming it.
 *
 * @param <B> the builder of the entity's description
 */
public final class Settings<B> {
    private final List<Setting<B>> all = new ArrayList<>();

    /**
     * @param where JSON path
     * @param fixed whether only a creation can set it
     */
    private record Setting<B>(String where, String property, boolean fixed, String value, UnaryOperator<B> setter) {}

    /** Adds a property, unless its value is null. */
    <V> void add(ConfigObject object, String property, @Nullable V value, BiFunction<B, V, B> setter) {
        add(object, property, false, value, setter);
    }

    /** Adds a property that is fixed at creation, unless its value is null. */
    <V> void addFixed(ConfigObject object, String property, @Nullable V value, BiFunction<B, V, B> setter) {
        add(object, property, true, value, setter);
    }

    /** Adds the name of another entity; the empty text says "none". */
    void addName(ConfigObject object, String property, BiFunction<B, @Nullable String, B> setter) {
        if (object.has(property)) {
            String name = object.nameOrNone(property);
            all.add(new Setting<>(
                    object.path(property),
                    property,
                    false,
                    String.valueOf(name),
                    builder -> setter.apply(builder, name)));
        }
    }

    private <V> void add(
            ConfigObject object, String property, boolean fixed, @Nullable V value, BiFunction<B, V, B> setter) {
        if (value != null) {
            all.add(new Setting<>(
                    object.path(property),
                    property,
                    fixed,
                    String.valueOf(value),
                    builder -> setter.apply(builder, value)));
        }
    }

    /** The same but for a property that has that value. */
    Settings<B> without(String property, String value) {
        Settings<B> others = new Settings<>();
        all.stream()
                .filter(setting -> !setting.property.equals(property) || !setting.value.equals(value))
                .forEach(others.all::add);
        return others;
    }

    /** Puts everything the file says over what the builder has. */
    B over(B builder) {
        B result = builder;
        for (Setting<B> setting : all) {
            result = setting.setter.apply(result);
        }
        return result;
    }

    /** Where the file says the property that a text is about, or null if it says none of those the text names. */
    @Nullable
    String whereSaid(String text) {
        for (Setting<B> setting : all) {
            if (text.contains(setting.property)) {
                return setting.where;
            }
        }
        return null;
    }

    /** How settings are tried one by one on an entity that is there. */
    interface Trial<B> {
        /** Whether the entity would be another one with this. */
        boolean changes(UnaryOperator<B> setter);
    }

    /** What the file says otherwise than the entity was created with and cannot be changed, a sentence, or null. */
    @Nullable
    String conflict(Trial<B> trial, String entity) {
        for (Setting<B> setting : all) {
            if (setting.fixed && trial.changes(setting.setter)) {
                return setting.where + ": Expected " + setting.property + " as " + entity
                        + " was created with, because it cannot be changed, but got " + setting.value
                        + ". Leave the member out, or delete the entity first.";
            }
        }
        return null;
    }
}
