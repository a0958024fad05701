package dev.jitney.gateway.http.exchange;

/** The connection ended before the request did. */
final class ClientGoneException extends Exception {
    private static final long serialVersionUID = 1L;

    ClientGoneException(Throwable cause) {
        super("The client has gone.", cause, false, false);
    }
}
