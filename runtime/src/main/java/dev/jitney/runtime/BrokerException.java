package dev.jitney.runtime;

import dev.jitney.model.Rejection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A {@link Rejection} that completes a {@link java.util.concurrent.CompletionStage} exceptionally. */
public final class BrokerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Rejection rejection;

    public BrokerException(Rejection rejection) {
        super(rejection.code() + ": " + rejection.description(), null, false, false);
        this.rejection = rejection;
    }

    /** Returns a stage that has failed with a rejection. */
    public static <T> CompletionStage<T> failed(Rejection rejection) {
        return CompletableFuture.failedFuture(new BrokerException(rejection));
    }

    /** Returns the rejection that caused this exception. */
    public Rejection rejection() {
        return rejection;
    }
}
