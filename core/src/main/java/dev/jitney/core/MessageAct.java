package dev.jitney.core;

/** The changes that operators make to one message ({@link Command.ChangeMessage}). */
public enum MessageAct {
    /** Removes the message. A locked message is refused. */
    DELETE,
    /** Moves an active or deferred message to the dead-letter queue. A locked message is refused. */
    DEAD_LETTER,
    /**
     * Ends the lock of a message without counting a delivery. A lock that belongs to a session or to an open transaction is
     * refused.
     */
    UNLOCK;

    /** Returns whether a locked message is refused. */
    public boolean needsUnlocked() {
        return this != UNLOCK;
    }
}
