package dev.jitney.store.rocksdb;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the last batches, which are in the log but not in RocksDB yet. Most messages are settled a moment after they
 * came; here a row and its {@code SingleDelete} leave nothing behind, so that RocksDB never hears of them.
 *
 * <p>A batch is kept as it was encoded; an open hash table finds the last row of each key in it. What leaves is an older
 * half, so that what came last has its time to be deleted.
 *
 * <p>Rows of an older half that the younger half has replaced or deleted leave without a trace, which makes RocksDB neither what
 * it was after the older half nor what it is now. That is right all the same: whoever reads it after a crash applies the
 * younger half too, and a batch says what a row is, not how it changes.
 *
 * <p>Ranges cannot be deleted here: give such a batch to RocksDB after everything else. Not guarded.
 */
final class RecentRows {
    private static final int SLOTS_START = 1 << 10;
    private static final int NONE = -1;

    // Batches, oldest first.
    private byte[][] batches = new byte[16][];
    private int[] batchStarts = new int[16]; // the first row of each
    private long[] batchNumbers = new long[16];
    private int batchCount;
    private long bytes;

    // Rows, oldest first; a row that was replaced or deleted has no batch.
    private byte @Nullable [][] rowBatches = new byte @Nullable [1 << 10][];
    private int[] rowOffsets = new int[1 << 10];
    private int[] rowHashes = new int[1 << 10];
    private int rowCount;

    // Each slot has the number of a row or NONE.
    private int[] slots = filled(SLOTS_START);
    private int used;

    /** Bytes of the batches that are kept. */
    long bytes() {
        return bytes;
    }

    /**
     * Adds the rows of a batch without deletions of ranges.
     *
     * @param batch  as encoded; not changed any more
     * @param size   where its rows end
     * @param number its place in the log
     */
    void add(byte[] batch, int size, long number) {
        if (batchCount == batches.length) {
            batches = Arrays.copyOf(batches, 2 * batchCount);
            batchStarts = Arrays.copyOf(batchStarts, 2 * batchCount);
            batchNumbers = Arrays.copyOf(batchNumbers, 2 * batchCount);
        }
        batches[batchCount] = batch;
        batchStarts[batchCount] = rowCount;
        batchNumbers[batchCount++] = number;
        bytes += batch.length;
        for (int at = BatchFormat.HEADER_BYTES; at < size; at = BatchFormat.end(batch, at)) {
            addRow(batch, at);
        }
    }

    private void addRow(byte[] batch, int at) {
        int keyEnd = BatchFormat.keyEnd(batch, at);
        int hash = hash(batch, at + 1, keyEnd);
        int slot = slot(batch, at, keyEnd, hash);
        int before = slots[slot];
        if (before != NONE) {
            boolean dies = batch[at] == BatchFormat.SINGLE_DELETE && isPut(before);
            rowBatches[before] = null;
            if (dies) {
                free(slot);
                return;
            }
        } else {
            used++;
        }
        if (rowCount == rowOffsets.length) {
            rowBatches = Arrays.copyOf(rowBatches, 2 * rowCount);
            rowOffsets = Arrays.copyOf(rowOffsets, 2 * rowCount);
            rowHashes = Arrays.copyOf(rowHashes, 2 * rowCount);
        }
        rowBatches[rowCount] = batch;
        rowOffsets[rowCount] = at;
        rowHashes[rowCount] = hash;
        slots[slot] = rowCount++;
        if (used > slots.length / 2) {
            rebuild(2 * slots.length);
        }
    }

    /** What is known of a row. */
    Found find(int familyId, byte[] key) {
        if (used == 0) {
            return Found.UNKNOWN;
        }
        byte[] wanted = BatchFormat.deletion(familyId, key);
        int row = slots[slot(wanted, 0, wanted.length, hash(wanted, 1, wanted.length))];
        if (row == NONE) {
            return Found.UNKNOWN;
        }
        byte[] batch = batch(row);
        return isPut(row) ? new Found(true, BatchFormat.value(batch, rowOffsets[row])) : Found.DELETED;
    }

    /**
     * Takes out the oldest batches.
     *
     * @param keep bytes of batches that may stay; 0 takes everything
     * @param out  gets their rows that are still of use, at the end
     * @return the place in the log of the last batch taken; 0 if none was
     */
    long take(long keep, RocksDbBatch out) {
        int taken = 0;
        while (taken < batchCount && bytes > keep) {
            bytes -= batches[taken++].length;
        }
        if (taken == 0) {
            return 0;
        }
        long number = batchNumbers[taken - 1];
        int rows = taken == batchCount ? rowCount : batchStarts[taken];
        for (int row = 0; row < rows; row++) {
            byte[] batch = rowBatches[row];
            if (batch != null) {
                out.copy(batch, rowOffsets[row]);
                used--;
            }
        }
        drop(taken, rows);
        return number;
    }

    private void drop(int taken, int rows) {
        int batchesLeft = batchCount - taken;
        System.arraycopy(batches, taken, batches, 0, batchesLeft);
        Arrays.fill(batches, batchesLeft, batchCount, new byte[0]);
        for (int i = 0; i < batchesLeft; i++) {
            batchStarts[i] = batchStarts[taken + i] - rows;
            batchNumbers[i] = batchNumbers[taken + i];
        }
        batchCount = batchesLeft;
        int rowsLeft = rowCount - rows;
        System.arraycopy(rowBatches, rows, rowBatches, 0, rowsLeft);
        Arrays.fill(rowBatches, rowsLeft, rowCount, null);
        System.arraycopy(rowOffsets, rows, rowOffsets, 0, rowsLeft);
        System.arraycopy(rowHashes, rows, rowHashes, 0, rowsLeft);
        rowCount = rowsLeft;
        rebuild(rowCount == 0 ? SLOTS_START : slots.length);
    }

    /** Fills the slots anew from the rows, whose numbers have changed or which need more room. */
    private void rebuild(int size) {
        slots = size == slots.length ? slots : new int[size];
        Arrays.fill(slots, NONE);
        for (int row = 0; row < rowCount; row++) {
            if (rowBatches[row] != null) {
                int slot = rowHashes[row] & slots.length - 1;
                while (slots[slot] != NONE) {
                    slot = slot + 1 & slots.length - 1;
                }
                slots[slot] = row;
            }
        }
    }

    /** The slot that has the key, or the free one where it would be. */
    private int slot(byte[] batch, int at, int keyEnd, int hash) {
        int slot = hash & slots.length - 1;
        while (slots[slot] != NONE) {
            int row = slots[slot];
            if (rowHashes[row] == hash && isKey(row, batch, at, keyEnd)) {
                return slot;
            }
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }

    /** Between the tag and the end of the key are family and length, written in one way only: alike means the same key. */
    private boolean isKey(int row, byte[] batch, int at, int keyEnd) {
        byte[] of = batch(row);
        int start = rowOffsets[row] + 1;
        int length = keyEnd - at - 1;
        return start + length <= of.length && Arrays.equals(of, start, start + length, batch, at + 1, keyEnd);
    }

    /** Frees a slot, and moves those up that are not where they belong because it was taken. */
    private void free(int slot) {
        used--;
        int hole = slot;
        int next = slot;
        while (true) {
            slots[hole] = NONE;
            int home;
            do {
                next = next + 1 & slots.length - 1;
                if (slots[next] == NONE) {
                    return;
                }
                home = rowHashes[slots[next]] & slots.length - 1;
            } while (hole <= next ? hole < home && home <= next : hole < home || home <= next);
            slots[hole] = slots[next];
            hole = next;
        }
    }

    private boolean isPut(int row) {
        return batch(row)[rowOffsets[row]] == BatchFormat.PUT;
    }

    private byte[] batch(int row) {
        byte[] batch = rowBatches[row];
        if (batch == null) {
            throw new IllegalStateException("Expected row " + row + " to be in use");
        }
        return batch;
    }

    private static int hash(byte[] octets, int from, int to) {
        int hash = 1;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + octets[i];
        }
        hash *= 0x9E3779B9;
        return hash ^ hash >>> 15;
    }

    private static int[] filled(int size) {
        int[] slots = new int[size];
        Arrays.fill(slots, NONE);
        return slots;
    }

    /**
     * @param known whether the row is of these batches
     * @param value null if it is deleted, or not known
     */
    record Found(boolean known, byte @Nullable [] value) {
        static final Found UNKNOWN = new Found(false, null);
        static final Found DELETED = new Found(true, null);
    }
}
