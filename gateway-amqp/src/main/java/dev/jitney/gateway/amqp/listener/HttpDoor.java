package dev.jitney.gateway.amqp.listener;

/** Where connections go whose clients speak HTTP. */
@FunctionalInterface
public interface HttpDoor {

    /**
     * Takes a connection over, with everything that is to be released and closed. Called on an event loop of the AMQP
     * gateway, and must not block.
     */
    void take(HandedSocket socket);
}
