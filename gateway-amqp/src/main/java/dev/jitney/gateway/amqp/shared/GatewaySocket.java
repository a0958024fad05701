package dev.jitney.gateway.amqp.shared;

/** A socket that the gateway has accepted, as {@link GatewayContext} counts it. */
public interface GatewaySocket {

    /**
     * Tells the peer that the server goes away, and closes. Any thread may call it.
     *
     * @param why a sentence for the peer
     */
    void shutDown(String why);
}
