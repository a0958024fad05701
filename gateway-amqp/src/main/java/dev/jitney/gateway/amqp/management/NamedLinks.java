package dev.jitney.gateway.amqp.management;

import dev.jitney.runtime.Entity;
import org.jspecify.annotations.Nullable;

/**
 * The links of a connection as requests name them, in {@code associated-link-name} (wire reference 6.1). Called where
 * requests are handled.
 */
@FunctionalInterface
public interface NamedLinks {

    /** A connection that has none. */
    NamedLinks NONE = linkName -> null;

    /** Where messages of the link of that name are to arrive that sends via the entity (TX-4); null if there is none. */
    @Nullable
    Entity destination(String linkName);

    /** A request names the link of that name, so that it is not idle (RECV-12). */
    default void use(String linkName) {
        // Most do not look for idle links.
    }
}
