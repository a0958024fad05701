package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.RowBatchFormat;
import java.util.Arrays;

/**
 * The rows of a {@link WriteBuffer} in a range of keys of one table, in ascending order, as of one moment. A scan reads them on top of
 * those in RocksDB. Later changes of the buffer do not affect them, because batches never change. For one thread.
 */
final class RecentRows {
    /** No rows. */
    static final RecentRows NONE = new RecentRows(new byte[0][], new int[0], 0);

    private final byte[][] batches;
    private final int[] offsets;
    private final int count;
    private int next;

    /**
     * @param batches the batch of each row
     * @param offsets the place of each row in its batch
     * @param count the number of rows, in ascending order of their keys
     */
    RecentRows(byte[][] batches, int[] offsets, int count) {
        this.batches = batches;
        this.offsets = offsets;
        this.count = count;
    }

    /** Returns whether there is a current row; at first it is the one with the smallest key. */
    boolean hasRow() {
        return next < count;
    }

    /** Returns a negative number, 0 or a positive one if the key of the current row is smaller than, equal to or greater than another. */
    int compareKey(byte[] other) {
        byte[] batch = batches[next];
        int at = offsets[next];
        return Arrays.compareUnsigned(
                batch, RowBatchFormat.keyStart(batch, at), RowBatchFormat.keyEnd(batch, at), other, 0, other.length);
    }

    /** Returns whether the current row is deleted. */
    boolean isDeleted() {
        return batches[next][offsets[next]] != RowBatchFormat.PUT;
    }

    /** Returns the key of the current row. */
    byte[] key() {
        byte[] batch = batches[next];
        int at = offsets[next];
        return Arrays.copyOfRange(batch, RowBatchFormat.keyStart(batch, at), RowBatchFormat.keyEnd(batch, at));
    }

    /** Returns the value of the current row, which must not be deleted. */
    byte[] value() {
        return RowBatchFormat.value(batches[next], offsets[next]);
    }

    /** Goes to the next row. */
    void advance() {
        next++;
    }
}
