package dev.jitney.gateway.amqp.node;

import org.jspecify.annotations.Nullable;

/** The checks that the links of a node repeat while they are open. */
@FunctionalInterface
public interface NodeAccess {

    /** Returns whether the connection's credentials still permit access to the node. */
    boolean authorized(long nowMs);

    /** Returns the path of the node's entity if the entity was deleted, otherwise null. */
    default @Nullable String goneEntity() {
        return null;
    }
}
