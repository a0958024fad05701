package dev.jitney.gateway.http.websocket;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Serves AMQP to clients whose octets come through a WebSocket. Any thread may call it. */
public interface AmqpTunnels extends AutoCloseable {

    /**
     * Begins a connection.
     *
     * @param client address of the client
     * @param serverName the host name the client asked for, without port, or null if it asked for none
     * @param far takes the octets for the client; called by a thread of the AMQP side
     * @return takes the octets of the client; null if no more connections are served
     */
    @Nullable
    TunnelEnd open(SocketAddress client, @Nullable String serverName, TunnelEnd far);

    /**
     * Tells all clients that the server goes away, and waits a few seconds for their connections to end; the octets
     * still travel meanwhile. Every later {@link #open} gives null.
     */
    @Override
    void close();
}
