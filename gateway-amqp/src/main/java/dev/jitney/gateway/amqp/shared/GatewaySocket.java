package dev.jitney.gateway.amqp.shared;

import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.client.ConnectedClient;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A socket that the gateway has accepted and that {@link GatewayContext} counts. */
public interface GatewaySocket {

    /**
     * Sends the peer a close, and closes the socket. Any thread may call it.
     *
     * @param why sentence for the peer
     */
    void shutDown(String why);

    /** Returns the executor of its event loop. Any thread may call it. */
    Executor executor();

    /** Returns the number of the connection, 0 if none was begun on the socket. Called on the event loop. */
    long connectionNumber();

    /** Returns the namespace of the connection, or null before one was chosen. Called on the event loop. */
    @Nullable
    Namespace namespace();

    /**
     * Describes the connection for operators. Called on the event loop.
     *
     * @param address the address of the entity, or of one of its sub-queues
     * @return null if no link carries messages of that entity or sub-queue
     */
    @Nullable
    ConnectedClient describe(Entity entity, EntityAddress address);

    /** Closes the socket at once, with everything that the peer has not read. Any thread may call it. */
    void abort();
}
