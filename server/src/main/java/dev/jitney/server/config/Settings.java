package dev.jitney.server.config;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.property.EntityProperty;
import dev.jitney.model.property.EntityTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The properties of one entity that the file sets, each with its place. A property that the file does not set gets its
 * default in a new entity and stays unchanged in an existing one. A restart therefore does not undo changes made at run
 * time to such properties.
 *
 * @param <D> the entity's description
 */
public final class Settings<D extends EntityDescription> {
    private final List<Setting<D>> all = new ArrayList<>();

    /**
     * @param where JSON path
     * @param name the name of the member
     * @param value null if the file says "none"
     */
    private record Setting<D extends EntityDescription>(
            String where,
            String name,
            EntityProperty<D> property,
            @Nullable Object value) {}

    /** Adds the member of that name. */
    void add(ConfigObject object, String name, EntityProperty<D> property, @Nullable Object value) {
        all.add(new Setting<>(object.path(name), name, property, value));
    }

    /** Returns the settings without a property, if it has that value. */
    Settings<D> without(String name, String value) {
        Settings<D> others = new Settings<>();
        all.stream()
                .filter(setting -> !setting.name.equals(name)
                        || !String.valueOf(setting.value).equals(value))
                .forEach(others.all::add);
        return others;
    }

    /** Returns the description with all settings of the file applied. */
    D over(D description) {
        EntityDescription.Builder<D> builder = EntityTable.of(description).toBuilder(description);
        for (Setting<D> setting : all) {
            setting.property.set(builder, setting.value);
        }
        return builder.build();
    }

    /** Returns the place of the property that a text names, or null if it names no property of the file. */
    @Nullable
    String whereSaid(String text) {
        for (Setting<D> setting : all) {
            if (text.contains(setting.name)) {
                return setting.where;
            }
        }
        return null;
    }

    /** Returns a sentence about a fixed property that differs between the file and the existing entity, or null. */
    @Nullable
    String conflict(D existing, String entity) {
        for (Setting<D> setting : all) {
            if (setting.property.spec().isFixed() && !Objects.equals(setting.property.get(existing), setting.value)) {
                return setting.where + ": Expected the " + setting.name + " that " + entity
                        + " was created with, because it cannot be changed, but got " + setting.value
                        + ". Remove the member, or delete the entity first.";
            }
        }
        return null;
    }
}
