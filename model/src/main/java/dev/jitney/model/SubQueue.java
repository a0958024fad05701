package dev.jitney.model;

/** The message sequences of an entity that an address can name. */
public enum SubQueue {
    /** The queue or subscription itself. */
    MAIN(""),
    /** {@code <entity>/$DeadLetterQueue} (DLQ-34). */
    DEAD_LETTER("/$DeadLetterQueue"),
    /** {@code <entity>/$Transfer/$DeadLetterQueue} (DLQ-33). */
    TRANSFER_DEAD_LETTER("/$Transfer/$DeadLetterQueue");

    private final String suffix;

    SubQueue(String suffix) {
        this.suffix = suffix;
    }

    /** Returns the suffix that path formatters append to the entity path (DLQ-35). */
    public String suffix() {
        return suffix;
    }
}
