package dev.jitney.runtime.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The row with the level of the data (CL-60): in {@link Table#META} of the first store, key {@code cluster.level} in ASCII, value 4 bytes,
 * big-endian. Without the row, the level is {@link FormatLevels#FIRST}.
 */
public final class LevelRow {
    private static final byte[] KEY = "cluster.level".getBytes(StandardCharsets.US_ASCII);

    private LevelRow() {}

    /** Returns the key. */
    public static byte[] key() {
        return KEY.clone();
    }

    /** Returns the value for a level. */
    public static byte[] value(int level) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(level).array();
    }

    /** Returns the level of a store, or 0 if the store has no row for it. */
    public static int stored(MessagingStore store) throws StoreException {
        return level(store.get(Table.META, KEY));
    }

    /** Returns the level of a copy of a store, or 0 if the store has no row for it. */
    public static int stored(ReplicaStore store) throws StoreException {
        return level(store.get(Table.META, KEY));
    }

    private static int level(byte @Nullable [] value) throws StoreException {
        if (value == null) {
            return 0;
        }
        int level = value.length == Integer.BYTES ? ByteBuffer.wrap(value).getInt() : 0;
        if (level < FormatLevels.FIRST) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT, "Expected a level of 4 bytes, from 1, but found another value.");
        }
        return level;
    }
}
