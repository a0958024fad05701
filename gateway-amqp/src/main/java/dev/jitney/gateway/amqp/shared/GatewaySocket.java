package dev.jitney.gateway.amqp.shared;

/** A socket that the gateway has accepted and that {@link GatewayContext} counts. */
public interface GatewaySocket {

    /**
     * Sends the peer a close because the server shuts down, and closes the socket. Any thread may call it.
     *
     * @param why sentence for the peer
     */
    void shutDown(String why);

    /** Closes the socket at once, with everything that the peer has not read. Any thread may call it. */
    void abort();
}
