package dev.jitney.gateway.amqp.shared;

import dev.jitney.model.ErrorCode;

/** Ends one connection. Called on its event loop. */
public interface ConnectionCloser {

    /**
     * Closes the connection with an error, if the peer can still be told, and the socket in any case. Does nothing once the
     * connection has ended.
     *
     * @param description a sentence for the peer
     */
    void close(ErrorCode code, String description);

    /** Whether the connection has ended. */
    boolean isEnded();
}
