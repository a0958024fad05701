package dev.jitney.gateway.amqp.shared;

import dev.jitney.model.ErrorCode;

/** The way to close one connection. Called on its event loop. */
public interface ConnectionCloser {

    /**
     * Closes the connection with an error, if the peer can still receive it, and always closes the socket. Does nothing
     * once the connection has ended.
     *
     * @param description sentence for the peer
     */
    void close(ErrorCode code, String description);

    /** Returns whether the connection has ended. */
    boolean isEnded();
}
