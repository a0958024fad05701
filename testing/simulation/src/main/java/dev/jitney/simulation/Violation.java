package dev.jitney.simulation;

/** The broker did what it must never do. An error, because no listener's exception reaches the simulator. */
public final class Violation extends AssertionError {
    private static final long serialVersionUID = 1L;

    public Violation(String message) {
        super(message);
    }

    public Violation(String message, Throwable cause) {
        super(message, cause);
    }
}
