package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.runtime.Entity;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/** Our end of one link. Called on the event loop; nothing is called after {@link #gone}. */
public interface LinkHandler {

    LinkWire wire();

    /** Closes the link with an error; does nothing if it is closed. */
    void close(ErrorCondition error);

    /** The peer has detached, ended the session or gone away: give back everything that the link holds. */
    void gone();

    /** Whether the connection's credentials still cover the operations of the link. */
    boolean authorized(long nowMs);

    /** The path of the entity that the link is about if that was deleted, so that the link is of no use any more. */
    default @Nullable String goneEntity() {
        return null;
    }

    /** The session's window may take more. */
    default void resume() {}

    /** The socket takes bytes again, or the client may have more deliveries unsettled. */
    default void writable() {
        resume();
    }

    /** Whether it carries messages of an entity, not control messages or requests. */
    default boolean isWork() {
        return false;
    }

    /** Where messages sent via an entity are to arrive; null if the link does not send via that entity. */
    default @Nullable Entity destinationVia(Entity via) {
        return null;
    }

    /** Whether a message has begun to arrive and takes too long. */
    default boolean unfinishedForTooLong(long nowMs) {
        return false;
    }
}
