package dev.jitney.model;

/** Which operations an entity admits (semantics chapter 22). */
public enum EntityStatus {
    ACTIVE,
    DISABLED,
    SEND_DISABLED,
    RECEIVE_DISABLED;

    /** Whether messages may be sent, scheduled and cancelled. */
    public boolean allowsSend() {
        return this == ACTIVE || this == RECEIVE_DISABLED;
    }

    /** Whether messages may be received and peeked; held locks may be settled in any status (SUSP-5). */
    public boolean allowsReceive() {
        return this == ACTIVE || this == SEND_DISABLED;
    }
}
