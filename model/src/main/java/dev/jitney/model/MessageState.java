package dev.jitney.model;

/** The state that a peeked or deferred message reports (STATE-9). */
public enum MessageState {
    ACTIVE(0),
    DEFERRED(1),
    SCHEDULED(2);

    private final int wireValue;

    MessageState(int wireValue) {
        this.wireValue = wireValue;
    }

    /** Returns the value of the annotation {@code x-opt-message-state}. */
    public int wireValue() {
        return wireValue;
    }
}
