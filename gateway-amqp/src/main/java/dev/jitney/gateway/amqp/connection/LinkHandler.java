package dev.jitney.gateway.amqp.connection;

import dev.jitney.gateway.amqp.wire.LinkWire;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/** Our end of one link. Called on the event loop; nothing is called after {@link #gone}. */
interface LinkHandler {

    LinkWire wire();

    /** Closes the link with an error; does nothing if it is closed. */
    void close(ErrorCondition error);

    /** The peer has detached, ended the session or gone away: give back what the link holds. */
    void gone();

    /** Whether the connection's credentials still cover what the link does. */
    boolean authorized(long nowMs);

    /** The path of the entity that the link is about if that was deleted, so that the link is of no use any more. */
    default @Nullable String goneEntity() {
        return null;
    }

    /** The session's window or the socket may take more. */
    default void resume() {}
}
