package dev.jitney.gateway.amqp.node;

import dev.jitney.gateway.amqp.management.HeldSessions;
import dev.jitney.gateway.amqp.management.NamedLinks;
import dev.jitney.runtime.Entity;

/** The links of a connection that management requests for an entity may name. */
public interface ManagementLinks {

    /**
     * Returns the sessions of an entity that the connection holds.
     *
     * @param entityKey address of the entity in comparison form
     */
    HeldSessions heldSessions(String entityKey);

    /** Returns the links that a request to the management node of an entity may name. */
    NamedLinks namedLinks(Entity entity);
}
