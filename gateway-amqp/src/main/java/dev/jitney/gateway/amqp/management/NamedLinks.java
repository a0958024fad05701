package dev.jitney.gateway.amqp.management;

import dev.jitney.runtime.Entity;
import org.jspecify.annotations.Nullable;

/**
 * The links of a connection by the names in {@code associated-link-name} of requests (wire reference 6.1). Called where
 * requests are handled.
 */
@FunctionalInterface
public interface NamedLinks {

    /** The links of a connection that has none. */
    NamedLinks NONE = linkName -> null;

    /** Returns the destination of the link of that name that sends via the entity (TX-4), or null if there is none. */
    @Nullable
    Entity destination(String linkName);

    /** Notes that a request names the link, so that the link is not idle (RECV-12). */
    default void use(String linkName) {
        // Most implementations do not check for idle links.
    }
}
