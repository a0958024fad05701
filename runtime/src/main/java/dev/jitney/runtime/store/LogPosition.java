package dev.jitney.runtime.store;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A position in a log.
 *
 * @param log    identifies the log: a random number chosen at its creation
 * @param number number of a commit, from 1; 0 is before the first
 */
public record LogPosition(long log, long number) {
    private static final int BYTES = 16;

    /** Returns the stored form: both numbers, big-endian. */
    public byte[] encoded() {
        return ByteBuffer.allocate(BYTES).putLong(log).putLong(number).array();
    }

    /** Decodes the form of {@link #encoded}. Returns null if the length differs. */
    public static @Nullable LogPosition decode(byte[] octets) {
        if (octets.length != BYTES) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(octets);
        return new LogPosition(in.getLong(), in.getLong());
    }
}
