package dev.jitney.simulation.disk;

import dev.jitney.runtime.store.Table;

/**
 * One change of a table.
 *
 * @param argument the value of a put, the end of a range, nothing of a delete; not to be changed
 */
public record Write(Kind kind, Table table, byte[] key, byte[] argument) {

    /** What is changed. */
    public enum Kind {
        PUT,
        DELETE,
        DELETE_RANGE
    }

    long sizeBytes() {
        return key.length + argument.length;
    }
}
