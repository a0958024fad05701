package dev.jitney.simulation;

/**
 * A violation of the model's rules by the broker. It is an error, because the broker catches the exceptions of
 * listeners.
 */
public final class Violation extends AssertionError {
    private static final long serialVersionUID = 1L;

    public Violation(String message) {
        super(message);
    }

    public Violation(String message, Throwable cause) {
        super(message, cause);
    }
}
