package dev.jitney.model;

/** What a peeked or deferred message reports about itself (STATE-9). */
public enum MessageState {
    ACTIVE(0),
    DEFERRED(1),
    SCHEDULED(2);

    private final int wireValue;

    MessageState(int wireValue) {
        this.wireValue = wireValue;
    }

    /** The value of the annotation {@code x-opt-message-state}. */
    public int wireValue() {
        return wireValue;
    }
}
