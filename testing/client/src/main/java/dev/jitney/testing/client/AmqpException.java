package dev.jitney.testing.client;

import org.jspecify.annotations.Nullable;

/** The broker refused or ended a connection, a link or a request, or the connection was lost. */
public final class AmqpException extends Exception {
    private static final long serialVersionUID = 1L;

    private final @Nullable String condition;

    AmqpException(@Nullable String condition, @Nullable String message, @Nullable Throwable cause) {
        super((condition == null ? "" : condition + ": ") + (message == null ? "no description" : message), cause);
        this.condition = condition;
    }

    /** Returns the AMQP error condition, or null if the connection was lost without one. */
    public @Nullable String condition() {
        return condition;
    }
}
