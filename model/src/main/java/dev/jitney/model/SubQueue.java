package dev.jitney.model;

/** Which of an entity's message sequences an address names. */
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

    /** What the path formatters append to the entity path (DLQ-35). */
    public String suffix() {
        return suffix;
    }
}
