package dev.jitney.gateway.amqp.node;

import dev.jitney.gateway.amqp.management.HeldSessions;
import dev.jitney.gateway.amqp.management.NamedLinks;
import dev.jitney.runtime.Entity;

/** The links of a connection, as far as requests for the management of an entity may name them. */
public interface ManagementLinks {

    /**
     * The sessions of an entity that the connection holds.
     *
     * @param entityKey the entity's address in comparison form
     */
    HeldSessions heldSessions(String entityKey);

    /** The links that a request to the management node of an entity may name. */
    NamedLinks namedLinks(Entity entity);
}
