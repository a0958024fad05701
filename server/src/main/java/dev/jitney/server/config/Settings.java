package dev.jitney.server.config;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.property.EntityProperty;
import dev.jitney.model.property.EntityTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The properties of one entity that the file says, each with its place. What is not said is not here: a new entity gets
 * the default, an existing one keeps what it has, so that a restart never takes back what somebody changed meanwhile
 * without the file naming it.
 *
 * @param <D> the entity's description
 */
public final class Settings<D extends EntityDescription> {
    private final List<Setting<D>> all = new ArrayList<>();

    /**
     * @param where JSON path
     * @param name what the member is called
     * @param value null where the file says "none"
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

    /** The same but for a property that has that value. */
    Settings<D> without(String name, String value) {
        Settings<D> others = new Settings<>();
        all.stream()
                .filter(setting -> !setting.name.equals(name)
                        || !String.valueOf(setting.value).equals(value))
                .forEach(others.all::add);
        return others;
    }

    /** Puts everything the file says over what the description has. */
    D over(D description) {
        EntityDescription.Builder<D> builder = EntityTable.of(description).toBuilder(description);
        for (Setting<D> setting : all) {
            setting.property.set(builder, setting.value);
        }
        return builder.build();
    }

    /** Where the file says the property that a text is about, or null if it says none of those the text names. */
    @Nullable
    String whereSaid(String text) {
        for (Setting<D> setting : all) {
            if (text.contains(setting.name)) {
                return setting.where;
            }
        }
        return null;
    }

    /** What the file says otherwise than the entity was created with and cannot be changed, a sentence, or null. */
    @Nullable
    String conflict(D existing, String entity) {
        for (Setting<D> setting : all) {
            if (setting.property.spec().isFixed() && !Objects.equals(setting.property.get(existing), setting.value)) {
                return setting.where + ": Expected " + setting.name + " as " + entity
                        + " was created with, because it cannot be changed, but got " + setting.value
                        + ". Leave the member out, or delete the entity first.";
            }
        }
        return null;
    }
}
