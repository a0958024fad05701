package dev.jitney.server;

import dev.jitney.gateway.amqp.listener.SharedPort;
import dev.jitney.gateway.amqp.shared.AmqpFigures;
import dev.jitney.gateway.http.HttpGateway;
import dev.jitney.gateway.http.websocket.AmqpTunnels;
import org.jspecify.annotations.Nullable;

/** The open AMQP listeners, as the server's life cycle sees them; closing lets their connections end. */
interface AmqpListeners extends AutoCloseable {

    /** The port without TLS, or -1 if there is none. */
    int port();

    /** The port with TLS, or null if there is none. */
    @Nullable
    Integer tlsPort();

    /** Whether all of them accept connections. Any thread may ask; it does not block. */
    default boolean isListening() {
        return true;
    }

    /**
     * Opens one more port, which tells its clients apart by their first bytes.
     *
     * @param http serves those that speak HTTP; null if the port serves none
     * @return the port that was bound
     * @throws StartException if it cannot be bound
     */
    SharedPort open(SharedPort port, @Nullable HttpGateway http) throws StartException;

    /** What they have to do. */
    default AmqpFigures figures() {
        return AmqpFigures.NONE;
    }

    /** The way in for clients whose AMQP comes through the HTTP listeners. */
    AmqpTunnels tunnels();

    @Override
    void close();
}
