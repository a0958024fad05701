package dev.jitney.server;

import dev.jitney.gateway.amqp.connection.AmqpFigures;
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

    /** What they have to do. */
    default AmqpFigures figures() {
        return AmqpFigures.NONE;
    }

    /** The way in for clients whose AMQP comes through the HTTP listeners. */
    AmqpTunnels tunnels();

    @Override
    void close();
}
