package dev.jitney.model;

import org.jspecify.annotations.Nullable;

/** Which operations an entity admits (semantics chapter 22). */
public enum EntityStatus {
    ACTIVE("Active"),
    DISABLED("Disabled"),
    SEND_DISABLED("SendDisabled"),
    RECEIVE_DISABLED("ReceiveDisabled");

    private final String word;

    EntityStatus(String word) {
        this.word = word;
    }

    /** The status as the service writes it. */
    public String word() {
        return word;
    }

    /** The status of that word in any case, or null. */
    public static @Nullable EntityStatus ofWord(String word) {
        for (EntityStatus status : values()) {
            if (status.word.equalsIgnoreCase(word)) {
                return status;
            }
        }
        return null;
    }

    /** Whether messages may be sent, scheduled and cancelled. */
    public boolean allowsSend() {
        return this == ACTIVE || this == RECEIVE_DISABLED;
    }

    /** Whether messages may be received and peeked; held locks may be settled in any status (SUSP-5). */
    public boolean allowsReceive() {
        return this == ACTIVE || this == SEND_DISABLED;
    }
}
