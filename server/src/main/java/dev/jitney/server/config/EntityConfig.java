package dev.jitney.server.config;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.property.EntityTable;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A queue, topic or subscription as declared in the file.
 *
 * @param <D> its description
 */
public interface EntityConfig<D extends EntityDescription> {

    /** Returns the JSON path of the declaration. */
    String where();

    /** Returns the path of the entity. */
    String path();

    /** Returns the properties that the file sets. */
    Settings<D> settings();

    /** Returns the description with defaults only, without those of the emulator. */
    D named();

    /** Returns the description for creating a new entity. */
    default D describe() {
        D named = named();
        return settings().over(EntityTable.of(named).withEmulatorDefaults(named));
    }

    /** Returns the description of an existing entity with all settings of the file applied. */
    default D over(D existing) {
        return settings().over(existing);
    }

    /**
     * Returns a sentence about a fixed property that differs between the file and the existing entity, with its place,
     * or null.
     */
    default @Nullable String conflict(D existing) {
        return settings().conflict(existing, existing.kind().word().toLowerCase(Locale.ROOT) + " '" + path() + "'");
    }

    /** Returns the JSON path of the property that a refusal names, or of the declaration if it names none. */
    default String whereSaid(String refusal) {
        String said = settings().whereSaid(refusal);
        return said == null ? where() : said;
    }
}
