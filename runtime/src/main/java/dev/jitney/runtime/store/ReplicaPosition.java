package dev.jitney.runtime.store;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The last entry that a replica of a store has applied (CL-4). It is stored in a row together with the rows of the entry, so
 * that a restart applies every entry exactly once.
 *
 * @param term   the term of the entry, from 1; 0 before the first entry
 * @param index  the index of the entry in the replicated log, from 1; 0 before the first entry
 * @param number the number of the entry among those of the same store and term, from 1; 0 before the first entry
 * @param timeMs the largest time of an entry so far, in milliseconds since the epoch (CL-13)
 */
public record ReplicaPosition(long term, long index, long number, long timeMs) {
    /** The position before the first entry. */
    public static final ReplicaPosition START = new ReplicaPosition(0, 0, 0, 0);

    private static final byte VERSION = 1;
    private static final int BYTES = 1 + 4 * Long.BYTES;

    /** Returns the stored form: the version, then the four numbers, big-endian. */
    public byte[] encoded() {
        return ByteBuffer.allocate(BYTES)
                .put(VERSION)
                .putLong(term)
                .putLong(index)
                .putLong(number)
                .putLong(timeMs)
                .array();
    }

    /** Decodes the form of {@link #encoded}. Returns null for another length or version, or for negative numbers. */
    public static @Nullable ReplicaPosition decode(byte[] bytes) {
        if (bytes.length != BYTES || bytes[0] != VERSION) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, 1, BYTES - 1);
        ReplicaPosition position = new ReplicaPosition(in.getLong(), in.getLong(), in.getLong(), in.getLong());
        return position.term < 0 || position.index < 0 || position.number < 0 ? null : position;
    }
}
