package dev.jitney.server;

import dev.jitney.gateway.amqp.listener.HandedSocket;
import dev.jitney.gateway.amqp.listener.SharedPort;
import dev.jitney.gateway.amqp.shared.AmqpFigures;
import dev.jitney.gateway.http.HttpGateway;
import dev.jitney.gateway.http.websocket.AmqpTunnels;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.client.ConnectedClients;
import org.jspecify.annotations.Nullable;

/** The open AMQP listeners for the life cycle of the server; closing lets their connections end. */
interface AmqpListeners extends AutoCloseable {

    /** Returns the port without TLS, or -1 if there is none. */
    int port();

    /** Returns the port with TLS, or null if there is none. */
    @Nullable
    Integer tlsPort();

    /** Returns whether all listeners accept connections. Any thread may call it; it does not block. */
    default boolean isListening() {
        return true;
    }

    /**
     * Opens one more port, which detects the protocol of each client by its first bytes.
     *
     * @param http serves the clients of HTTP; null if the port serves none
     * @return the port that was bound
     * @throws StartException if it cannot be bound
     */
    SharedPort open(SharedPort port, @Nullable HttpGateway http) throws StartException;

    /**
     * Serves a connection that another listener accepted; closes it if these listeners are closed. Any thread may call
     * it; it does not wait.
     *
     * @param port protocols of the other listener
     * @param http serves the clients of HTTP; null if the port serves none
     */
    void adopt(HandedSocket socket, SharedPort port, @Nullable HttpGateway http);

    /**
     * Ends all connections with {@code amqp:connection:forced}, and closes their sockets after the given time in any
     * case (CL-12). Does not wait.
     */
    void disconnect(String why, long graceMs);

    /** Closes the sockets of the clients of a namespace without a goodbye, for tests. */
    default void disconnect(Namespace namespace) {
        // There are no clients.
    }

    /**
     * Delays the output to the clients of a namespace of a broker under test.
     *
     * @param ms milliseconds; 0 ends it
     */
    default void delay(Namespace namespace, long ms) {
        // There are no clients.
    }

    /** Returns the counters of the listeners. */
    default AmqpFigures figures() {
        return AmqpFigures.NONE;
    }

    /** Returns the connected clients, for operators. */
    default ConnectedClients clients() {
        return ConnectedClients.NONE;
    }

    /** Returns the entry for AMQP that clients send through the HTTP listeners. */
    AmqpTunnels tunnels();

    @Override
    void close();
}
