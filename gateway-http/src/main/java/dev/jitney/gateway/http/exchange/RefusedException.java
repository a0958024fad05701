package dev.jitney.gateway.http.exchange;

import dev.jitney.model.Rejection;

/** Ends the work on a request with an answer other than the one hoped for. Expected and cheap: no stack trace. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient HttpError error;

    /** Takes what is to be answered. */
    public RefusedException(HttpError error) {
        super(error.detail(), null, false, false);
        this.error = error;
    }

    /** Takes what the broker, or a rule of its, refused. */
    public RefusedException(Rejection rejection) {
        this(HttpError.of(rejection));
    }

    /** What is to be answered. */
    public HttpError error() {
        return error;
    }
}
