package dev.jitney.cluster.election;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The opinion of a member about a leadership: whether the process of the leader has ended, and how much of the log the member
 * has.
 *
 * @param ended whether the process of the leader has ended for certain
 * @param term  the term of the last entry in the log of the member, 0 if there is none
 * @param index the index of that entry, -1 if there is none
 */
public record Opinion(boolean ended, long term, long index) {
    private static final byte VERSION = 1;
    private static final int BYTES = 2 + 2 * Long.BYTES;

    /** Returns the encoded form: version 1, 1 or 0 for {@link #ended}, term, index; big-endian. */
    public byte[] bytes() {
        return ByteBuffer.allocate(BYTES)
                .put(VERSION)
                .put((byte) (ended ? 1 : 0))
                .putLong(term)
                .putLong(index)
                .array();
    }

    /**
     * Reads the encoded form.
     *
     * @throws IOException if it is not valid
     */
    public static Opinion parse(byte[] bytes) throws IOException {
        if (bytes.length != BYTES || bytes[0] != VERSION || bytes[1] < 0 || bytes[1] > 1) {
            throw new IOException("Expected an opinion of version " + VERSION + " with " + BYTES
                    + " bytes. Run the same release on all nodes.");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, 2, BYTES - 2);
        return new Opinion(bytes[1] == 1, in.getLong(), in.getLong());
    }

    /** Returns whether the member of this opinion has more of the log than another one: it would refuse its vote to that one. */
    boolean hasMoreThan(Opinion other) {
        return term > other.term || term == other.term && index > other.index;
    }

    /** Returns whether both members have equally much of the log. */
    boolean hasAsMuchAs(Opinion other) {
        return term == other.term && index == other.index;
    }
}
