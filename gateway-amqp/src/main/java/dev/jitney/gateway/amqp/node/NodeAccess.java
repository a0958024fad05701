package dev.jitney.gateway.amqp.node;

import org.jspecify.annotations.Nullable;

/** What the links of a node ask again and again while they are open. */
@FunctionalInterface
public interface NodeAccess {

    /** Whether the connection's credentials still cover the node. */
    boolean authorized(long nowMs);

    /** The path of the entity whose node it is if that was deleted, otherwise null. */
    default @Nullable String goneEntity() {
        return null;
    }
}
