package dev.jitney.server.config;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.property.EntityTable;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A queue, topic or subscription as the file declares it.
 *
 * @param <D> its description
 */
public interface EntityConfig<D extends EntityDescription> {

    /** JSON path of the declaration. */
    String where();

    /** The path of the entity. */
    String path();

    /** What the file says about its properties. */
    Settings<D> settings();

    /** What it is like where the file says nothing, but for the defaults of the emulator. */
    D named();

    /** The description a new entity is created with. */
    default D describe() {
        D named = named();
        return settings().over(EntityTable.of(named).withEmulatorDefaults(named));
    }

    /** An existing entity's description with everything the file says put over it. */
    default D over(D existing) {
        return settings().over(existing);
    }

    /** What the file says otherwise than the entity was created with and cannot be changed, with its place, or null. */
    default @Nullable String conflict(D existing) {
        return settings().conflict(existing, existing.kind().word().toLowerCase(Locale.ROOT) + " '" + path() + "'");
    }

    /** JSON path of the property that a refusal is about, as far as that can be told; else of the declaration. */
    default String whereSaid(String refusal) {
        String said = settings().whereSaid(refusal);
        return said == null ? where() : said;
    }
}
