package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.RowBatchFormat;
import dev.jitney.runtime.store.Table;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the last batches, which are in the log and not in RocksDB yet, with an index of their keys. Most messages are settled a moment after they
 * came; here a row and its {@code SingleDelete} leave nothing behind, so that RocksDB never hears of them.
 *
 * <p>A batch is kept as it was encoded; an open hash table finds the last row of each key in it. What leaves is an older
 * part, so that what came last has its time to be deleted.
 *
 * <p>Rows of an older part that younger ones have replaced or deleted leave without a trace, which makes RocksDB neither what
 * it was after the older part nor what it is now. That is right all the same: whoever reads it after a crash applies the
 * younger part too, and a batch says what a row is, not how it changes.
 *
 * <p>Ranges cannot be deleted here: give such a batch to RocksDB after everything else. Not guarded.
 */
final class WriteBuffer {
    private static final int SLOTS_START = 1 << 10;

    /** Rows whose places in memory are looked at together. */
    private static final int AHEAD = 16;

    private static final long FREE = 0;
    private static final byte[] NOTHING = {};

    /** Set in every hash, so that no slot in use looks free. */
    private static final int IN_USE = 1 << 31;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final long MIX_LAST = 0xBF58476D1CE4E5B9L;

    /** Clients choose ids of sessions, and should not choose slots. */
    private final long seed = new SecureRandom().nextLong();

    // Batches, oldest first; those before the first have left.
    private byte[][] batches = new byte[16][];
    private int[] batchEnds = new int[16]; // where the rows of each end
    private long[] batchNumbers = new long[16];
    private int firstBatch;
    private int batchCount;
    private long bytes;

    // Rows, oldest first; those before the first have left, and one that was replaced or deleted has no batch.
    private byte[] @Nullable [] rowBatches = new byte[1 << 10] @Nullable [];
    private int[] rowOffsets = new int[1 << 10];
    private int firstRow;
    private int rowCount;

    /** Number of the row that is first in the arrays. Rows are numbered from the first ever; it is right that this overflows. */
    private int base;

    // Each slot has hash and number of a row, or is free.
    private long[] slots = new long[SLOTS_START];
    private int used;

    // What is known of the next rows to be added.
    private final int[] aheadAt = new int[AHEAD];
    private final int[] aheadHash = new int[AHEAD];
    private final long[] aheadEntry = new long[AHEAD];
    private final byte[] aheadTag = new byte[AHEAD];

    /** Bytes of the batches that are kept. */
    long bytes() {
        return bytes;
    }

    /**
     * Adds the rows of a batch without deletions of ranges.
     *
     * @param batch  as encoded; not changed any more
     * @param number its place in the log
     */
    void add(byte[] batch, long number) {
        int size = batch.length;
        if (batchCount == batches.length) {
            batches = Arrays.copyOf(batches, 2 * batchCount);
            batchEnds = Arrays.copyOf(batchEnds, 2 * batchCount);
            batchNumbers = Arrays.copyOf(batchNumbers, 2 * batchCount);
        }
        for (int at = RowBatchFormat.HEADER_BYTES; at < size; ) {
            int count = 0;
            for (; at < size && count < AHEAD; at = RowBatchFormat.end(batch, at)) {
                int hash = hash(batch, at + 1, RowBatchFormat.keyEnd(batch, at));
                aheadAt[count] = at;
                aheadHash[count++] = hash;
            }
            touch(count);
            for (int i = 0; i < count; i++) {
                addRow(batch, aheadAt[i], aheadHash[i]);
            }
        }
        batches[batchCount] = batch;
        batchEnds[batchCount] = rowCount;
        batchNumbers[batchCount++] = number;
        bytes += batch.length;
    }

    /**
     * Looks at what the next rows need. Each look waits for memory, since keys lie anywhere; these looks do not depend on each
     * other, so the processor waits for all of them at once.
     */
    private void touch(int count) {
        long[] table = slots;
        int mask = table.length - 1;
        for (int i = 0; i < count; i++) {
            aheadEntry[i] = table[aheadHash[i] & mask];
        }
        for (int i = 0; i < count; i++) {
            long entry = aheadEntry[i];
            if ((int) (entry >>> 32) == aheadHash[i]) {
                int row = row(entry);
                aheadTag[i] = batch(row)[rowOffsets[row]];
            }
        }
    }

    private void addRow(byte[] batch, int at, int hash) {
        int keyEnd = RowBatchFormat.keyEnd(batch, at);
        int slot = slot(batch, at, keyEnd, hash);
        if (slots[slot] != FREE) {
            int before = row(slots[slot]);
            boolean dies = batch[at] == RowBatchFormat.DELETE_WRITTEN_ONCE && isPut(before);
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
        }
        rowBatches[rowCount] = batch;
        rowOffsets[rowCount] = at;
        slots[slot] = (long) hash << 32 | base + rowCount++ & 0xFFFF_FFFFL;
        if (used > slots.length / 2) {
            grow();
        }
    }

    /** What is known of a row. */
    Found find(Table table, byte[] key) {
        if (used == 0) {
            return Found.UNKNOWN;
        }
        byte[] wanted = RowBatchFormat.deletion(table, key);
        long found = slots[slot(wanted, 0, wanted.length, hash(wanted, 1, wanted.length))];
        if (found == FREE) {
            return Found.UNKNOWN;
        }
        int row = row(found);
        byte[] batch = batch(row);
        return isPut(row) ? new Found(true, RowBatchFormat.value(batch, rowOffsets[row])) : Found.DELETED;
    }

    /**
     * Takes out the oldest batches, at least one if there is any.
     *
     * @param keep     bytes of batches that may stay; 0 takes everything
     * @param out      gets their rows that are still of use, at the end
     * @param bytesMax bytes of rows after which no other batch is taken
     * @return the place in the log of the last batch taken; 0 if none was
     */
    long take(long keep, RocksDbRows out, int bytesMax) {
        long number = 0;
        while (firstBatch < batchCount && bytes > keep && out.size() < bytesMax) {
            for (; firstRow < batchEnds[firstBatch]; firstRow++) {
                byte[] batch = rowBatches[firstRow];
                if (batch != null) {
                    int at = rowOffsets[firstRow];
                    int keyEnd = RowBatchFormat.keyEnd(batch, at);
                    out.add(batch, at);
                    free(slot(batch, at, keyEnd, hash(batch, at + 1, keyEnd)));
                    rowBatches[firstRow] = null;
                }
            }
            bytes -= batches[firstBatch].length;
            batches[firstBatch] = NOTHING;
            number = batchNumbers[firstBatch++];
        }
        if (firstBatch > batchCount / 2) {
            closeUp();
        }
        return number;
    }

    /** Moves what is left to the start of the arrays. */
    private void closeUp() {
        int batchesLeft = batchCount - firstBatch;
        System.arraycopy(batches, firstBatch, batches, 0, batchesLeft);
        Arrays.fill(batches, batchesLeft, batchCount, NOTHING);
        for (int i = 0; i < batchesLeft; i++) {
            batchEnds[i] = batchEnds[firstBatch + i] - firstRow;
            batchNumbers[i] = batchNumbers[firstBatch + i];
        }
        batchCount = batchesLeft;
        firstBatch = 0;
        int rowsLeft = rowCount - firstRow;
        System.arraycopy(rowBatches, firstRow, rowBatches, 0, rowsLeft);
        Arrays.fill(rowBatches, rowsLeft, rowCount, null);
        System.arraycopy(rowOffsets, firstRow, rowOffsets, 0, rowsLeft);
        base += firstRow;
        rowCount = rowsLeft;
        firstRow = 0;
    }

    private void grow() {
        long[] old = slots;
        slots = new long[2 * old.length];
        for (long entry : old) {
            if (entry != FREE) {
                int slot = home(entry);
                while (slots[slot] != FREE) {
                    slot = slot + 1 & slots.length - 1;
                }
                slots[slot] = entry;
            }
        }
    }

    /** The slot that has the key, or the free one where it would be. */
    private int slot(byte[] batch, int at, int keyEnd, int hash) {
        int slot = hash & slots.length - 1;
        while (slots[slot] != FREE) {
            long entry = slots[slot];
            if ((int) (entry >>> 32) == hash && isKey(row(entry), batch, at, keyEnd)) {
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
            slots[hole] = FREE;
            int home;
            do {
                next = next + 1 & slots.length - 1;
                if (slots[next] == FREE) {
                    return;
                }
                home = home(slots[next]);
            } while (hole <= next ? hole < home && home <= next : hole < home || home <= next);
            slots[hole] = slots[next];
            hole = next;
        }
    }

    /** Where a slot's entry would be if nothing else was there. */
    private int home(long entry) {
        return (int) (entry >>> 32) & slots.length - 1;
    }

    /** Where in the arrays the row is that a slot's entry names. */
    private int row(long entry) {
        return (int) entry - base;
    }

    private boolean isPut(int row) {
        return batch(row)[rowOffsets[row]] == RowBatchFormat.PUT;
    }

    private byte[] batch(int row) {
        byte[] batch = rowBatches[row];
        if (batch == null) {
            throw new IllegalStateException("Expected row " + row + " to be in use");
        }
        return batch;
    }

    private int hash(byte[] octets, int from, int to) {
        return hash(seed, octets, from, to);
    }

    /** Every bit of it depends on every octet, wherever a key has its number. */
    static int hash(long seed, byte[] octets, int from, int to) {
        long hash = seed ^ to - from;
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            hash = mixed(hash ^ (long) LONGS.get(octets, at));
        }
        if (at < to && to - from >= Long.BYTES) {
            hash = mixed(hash ^ (long) LONGS.get(octets, to - Long.BYTES));
        } else {
            for (; at < to; at++) {
                hash = mixed(hash ^ octets[at]);
            }
        }
        // A product's upper half knows of all bits of the factor, its lower half does not.
        return (int) ((hash ^ hash >>> 29) * MIX_LAST >>> 32) | IN_USE;
    }

    private static long mixed(long value) {
        long product = value * MIX;
        return product ^ product >>> 32;
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
