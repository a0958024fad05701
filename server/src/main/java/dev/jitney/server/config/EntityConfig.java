package dev.jitney.server.config;

import dev.jitney.model.EntityDescription;
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

    /** The description a new entity is created with. */
    D describe();

    /** An existing entity's description with everything the file says put over it. */
    D over(D existing);

    /** What the file says otherwise than the entity was created with and cannot be changed, with its place, or null. */
    @Nullable
    String conflict(D existing);

    /** JSON path of the property that a refusal is about, as far as that can be told; else of the declaration. */
    String whereSaid(String refusal);
}
