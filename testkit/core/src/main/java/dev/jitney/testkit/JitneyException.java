package dev.jitney.testkit;

import org.jspecify.annotations.Nullable;

/** A request of the test kit that the broker refused, or that did not reach it. The message says which one, why, and what to do. */
public final class JitneyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    JitneyException(String message, int status, @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    JitneyException(String message) {
        this(message, 0, null);
    }

    /** Returns the HTTP status of the answer, or 0 if there was none. */
    public int status() {
        return status;
    }
}
