package dev.jitney.testkit;

/** The state of a message in an entity. */
public enum MessageState {
    /** Available to receivers. */
    ACTIVE,
    /** Locked by a receiver. */
    LOCKED,
    /** Deferred: receivers get it by its sequence number. */
    DEFERRED,
    /** Deferred, and locked by a receiver. */
    LOCKED_DEFERRED,
    /** Not yet enqueued. */
    SCHEDULED;

    static MessageState of(String state) {
        return switch (state) {
            case "Active" -> ACTIVE;
            case "Locked" -> LOCKED;
            case "Deferred" -> DEFERRED;
            case "LockedDeferred" -> LOCKED_DEFERRED;
            case "Scheduled" -> SCHEDULED;
            default -> throw new IllegalArgumentException("Expected the state of a message, but got '" + state + "'.");
        };
    }
}
