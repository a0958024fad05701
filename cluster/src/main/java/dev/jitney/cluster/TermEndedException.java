package dev.jitney.cluster;

/** The term of a leader has ended. A store of this term cannot be used any more (CL-11). */
public final class TermEndedException extends Exception {
    private static final long serialVersionUID = 1L;

    public TermEndedException(String message) {
        super(message);
    }
}
