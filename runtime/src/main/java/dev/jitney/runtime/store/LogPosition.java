package dev.jitney.runtime.store;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A place in a log.
 *
 * @param log    which log: a random number made with it
 * @param number of a commit, from 1; 0 stands before the first
 */
public record LogPosition(long log, long number) {
    private static final int BYTES = 16;

    /** As it is stored: both numbers, big-endian. */
    public byte[] encoded() {
        return ByteBuffer.allocate(BYTES).putLong(log).putLong(number).array();
    }

    /** Reads what {@link #encoded} wrote; null if it has another length. */
    public static @Nullable LogPosition decode(byte[] octets) {
        if (octets.length != BYTES) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(octets);
        return new LogPosition(in.getLong(), in.getLong());
    }
}
