package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.client.ClientLink;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/** Our end of one link. Called on the event loop; nothing is called after {@link #gone}. */
public interface LinkHandler {

    LinkWire wire();

    /** Closes the link with an error; does nothing if it is closed. */
    void close(ErrorCondition error);

    /**
     * Releases everything that the link holds. Called when the peer has detached, ended the session or closed the
     * connection.
     */
    void gone();

    /** Returns whether the connection's credentials still permit the operations of the link. */
    boolean authorized(long nowMs);

    /**
     * Returns the path of the link's entity if the entity was deleted, so that the link has no more use. Otherwise
     * null.
     */
    default @Nullable String goneEntity() {
        return null;
    }

    /** Continues when the session's window may accept more transfers. */
    default void resume() {}

    /** Continues when the socket accepts bytes again, or the client may have more unsettled deliveries. */
    default void writable() {
        resume();
    }

    /** Returns whether the link carries messages of an entity, not control messages or requests. */
    default boolean isWork() {
        return false;
    }

    /**
     * Describes the link for operators.
     *
     * @param of the entity of interest
     * @param address its address, or that of one of its sub-queues; then only links to that sub-queue are described
     * @return null if the link carries no messages of that entity or sub-queue
     */
    default @Nullable ClientLink describe(Entity of, EntityAddress address) {
        return null;
    }

    /** Returns the destination of messages sent via an entity, or null if the link does not send via that entity. */
    default @Nullable Entity destinationVia(Entity via) {
        return null;
    }

    /** Returns whether an incomplete message has taken too long to arrive. */
    default boolean unfinishedForTooLong(long nowMs) {
        return false;
    }
}
