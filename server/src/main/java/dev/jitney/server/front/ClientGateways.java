package dev.jitney.server.front;

import dev.jitney.gateway.amqp.listener.HandedSocket;
import dev.jitney.gateway.amqp.listener.SharedPort;

/** The gateways of the current term, as listeners outside of them see them. */
@FunctionalInterface
public interface ClientGateways {

    /**
     * Serves a connection that was accepted outside of the gateways, or closes it if the gateways have closed. Any
     * thread may call it; it does not wait.
     *
     * @param port protocols that the listener of the connection serves
     */
    void adopt(HandedSocket socket, SharedPort port);
}
