package dev.jitney.gateway.amqp.listener;

/** The destination of connections whose clients use HTTP. */
@FunctionalInterface
public interface HttpDoor {

    /**
     * Takes over a connection with everything that must be released and closed. Called on an event loop of the AMQP
     * gateway; must not block.
     */
    void take(HandedSocket socket);
}
