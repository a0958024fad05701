package dev.jitney.runtime;

import dev.jitney.model.Rejection;

/** A {@link Rejection} on its way through a {@link java.util.concurrent.CompletionStage}. */
public final class BrokerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Rejection rejection;

    public BrokerException(Rejection rejection) {
        super(rejection.code() + ": " + rejection.description(), null, false, false);
        this.rejection = rejection;
    }

    public Rejection rejection() {
        return rejection;
    }
}
