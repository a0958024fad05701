package dev.jitney.core;

/** The states by which a search selects messages. Each message of a queue or a sub-queue is in exactly one of them. */
public enum SearchState {
    /** Available, or expired and not yet removed. */
    ACTIVE,
    /** Locked by a receiver, or settled in an open transaction. A deferred message that was received by number counts here. */
    LOCKED,
    /** Deferred and not locked. */
    DEFERRED,
    /** Waiting for its scheduled time. */
    SCHEDULED
}
