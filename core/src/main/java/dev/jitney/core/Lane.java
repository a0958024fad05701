package dev.jitney.core;

import dev.jitney.model.SubQueue;

/**
 * The sequences of messages that a fragment keeps apart on disk. The id is part of every message key and its meaning
 * never changes.
 */
public enum Lane {
    MAIN(0),
    DEAD_LETTER(1),
    TRANSFER_DEAD_LETTER(2),
    /** Messages that wait for their scheduled time. */
    SCHEDULED(3);

    private final int id;

    Lane(int id) {
        this.id = id;
    }

    public int id() {
        return id;
    }

    /** Returns the lane from which receivers of a sub-queue read. */
    public static Lane of(SubQueue subQueue) {
        return switch (subQueue) {
            case MAIN -> MAIN;
            case DEAD_LETTER -> DEAD_LETTER;
            case TRANSFER_DEAD_LETTER -> TRANSFER_DEAD_LETTER;
        };
    }
}
