package dev.jitney.gateway.http.websocket;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** The AMQP side of WebSockets. Any thread may call it. */
public interface AmqpTunnels extends AutoCloseable {

    /**
     * Begins a connection.
     *
     * @param client address of the client
     * @param serverName the host name that the client requested, without port, or null for none
     * @param far receives the bytes for the client; called by a thread of the AMQP side
     * @return the end for the bytes of the client; null if the server accepts no more connections
     */
    @Nullable
    TunnelEnd open(SocketAddress client, @Nullable String serverName, TunnelEnd far);

    /**
     * Announces the shutdown to all clients, and waits a few seconds for their connections to end; bytes are still
     * transferred in the meantime. Every later {@link #open} returns null.
     */
    @Override
    void close();
}
