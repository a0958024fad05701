package dev.jitney.gateway.http.exchange;

/** A request whose connection was closed before the request ended. */
final class ClientGoneException extends Exception {
    private static final long serialVersionUID = 1L;

    ClientGoneException(Throwable cause) {
        super("The client closed the connection.", cause, false, false);
    }
}
