package dev.jitney.model;

import org.jspecify.annotations.Nullable;

/** The status of an entity, which decides on the operations that are allowed (semantics chapter 22). */
public enum EntityStatus {
    ACTIVE("Active"),
    DISABLED("Disabled"),
    SEND_DISABLED("SendDisabled"),
    RECEIVE_DISABLED("ReceiveDisabled");

    private final String word;

    EntityStatus(String word) {
        this.word = word;
    }

    /** Returns the status as Service Bus writes it. */
    public String word() {
        return word;
    }

    /** Returns the status with that name in any case, or null. */
    public static @Nullable EntityStatus ofWord(String word) {
        for (EntityStatus status : values()) {
            if (status.word.equalsIgnoreCase(word)) {
                return status;
            }
        }
        return null;
    }

    /** Returns whether messages can be sent, and scheduled messages created and canceled. */
    public boolean allowsSend() {
        return this == ACTIVE || this == RECEIVE_DISABLED;
    }

    /** Returns whether messages can be received and peeked. Held locks can be settled in any status (SUSP-5). */
    public boolean allowsReceive() {
        return this == ACTIVE || this == SEND_DISABLED;
    }
}
