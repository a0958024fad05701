package dev.jitney.runtime;

import dev.jitney.model.Rejection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A {@link Rejection} on its way through a {@link java.util.concurrent.CompletionStage}. */
public final class BrokerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Rejection rejection;

    public BrokerException(Rejection rejection) {
        super(rejection.code() + ": " + rejection.description(), null, false, false);
        this.rejection = rejection;
    }

    /** A stage that has failed with a rejection. */
    public static <T> CompletionStage<T> failed(Rejection rejection) {
        return CompletableFuture.failedFuture(new BrokerException(rejection));
    }

    /** Why it failed. */
    public Rejection rejection() {
        return rejection;
    }
}
