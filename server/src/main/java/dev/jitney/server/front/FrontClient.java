package dev.jitney.server.front;

import dev.jitney.gateway.amqp.listener.HandedSocket;
import dev.jitney.gateway.amqp.listener.SharedPort;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * An accepted connection that no node serves yet.
 *
 * @param socket registered with no event loop, so that nothing is read from it
 * @param port port that accepted it, with its protocols
 * @param deadlineNs time at which it is closed if no node serves it, of a monotonic clock
 */
record FrontClient(Channel socket, SharedPort port, long deadlineNs) {

    /** Returns the address of the client, or null if the client has closed the connection. */
    @Nullable
    InetSocketAddress address() {
        SocketAddress address = socket.remoteAddress();
        return address instanceof InetSocketAddress client ? client : null;
    }

    void serveBy(ClientGateways gateways) {
        gateways.adopt(HandedSocket.accepted(socket), port);
    }

    /** Closes the socket, which belongs to no event loop. */
    void close() {
        HandedSocket.accepted(socket).close();
    }
}
