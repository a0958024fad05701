package dev.jitney.paired.internal.message;

/** A message in a backlog queue that no sender of a paired namespace put there (PAIR-45, PAIR-46). */
public final class NotDivertedException extends Exception {
    private static final long serialVersionUID = 1L;

    NotDivertedException(String message) {
        super(message);
    }
}
