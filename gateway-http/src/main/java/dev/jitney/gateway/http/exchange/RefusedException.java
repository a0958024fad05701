package dev.jitney.gateway.http.exchange;

import dev.jitney.model.Rejection;

/** An exception that ends a request with an error response. It is expected and cheap: it has no stack trace. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient HttpError error;

    /** Creates an exception for an error response. */
    public RefusedException(HttpError error) {
        super(error.detail(), null, false, false);
        this.error = error;
    }

    /** Creates an exception for a rejection of the broker. */
    public RefusedException(Rejection rejection) {
        this(HttpError.of(rejection));
    }

    /** Returns the error response. */
    public HttpError error() {
        return error;
    }
}
