package dev.jitney.simulation.model.state;

/** The reasons why a stored message is added, removed or changed. */
public enum Step {
    SENT,
    SCHEDULED,
    ACTIVATED,
    CANCELLED,
    COMPLETED,
    COMMIT_DELAYED,
    TAKEN,
    DEFERRED,
    FAILED,
    LOCK_EXPIRED,
    DEAD_LETTERED,
    DELIVERED_TOO_OFTEN,
    EXPIRED,
    PURGED,
    FORWARDED,
    TRANSFER_LEFT,
    TRANSFER_LANDED,
    TRANSFER_REFUSED,
    PUBLISHED,
    ACTED,
    RULE_FAILED,
    ENTITY_DELETED,
    VANISHED,
    RULE_CHANGED,
    LOCKED,
    REDELIVERED,
    THROTTLED
}
