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
 * The rows of the latest batches, which are in the log but not in RocksDB yet, with an index of their keys. Most
 * messages are settled shortly after their arrival. In this buffer a row and its {@code SingleDelete} cancel each
 * other out, so that RocksDB never receives either.
 *
 * <p>A batch is kept as it was encoded; an open-addressing hash table finds the last row of each key in it. Only
 * older batches move to RocksDB, so that recent rows have time to be deleted here.
 *
 * <p>Rows that later batches have replaced or deleted are not written to RocksDB. So its contents match neither the
 * state after the older batches nor the current state. That is correct: a reader after a crash applies the later
 * batches too, and a batch contains complete rows, not changes to rows.
 *
 * <p>Ranges cannot be deleted here: write such a batch to RocksDB directly, after all others. Not thread-safe.
 */
final class WriteBuffer {
    private static final int SLOTS_START = 1 << 10;

    /** The number of rows whose memory locations are read together. */
    private static final int AHEAD = 16;

    private static final long FREE = 0;
    private static final byte[] NOTHING = {};

    /** Set in every hash, so that no used slot looks free. */
    private static final int IN_USE = 1 << 31;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final long MIX_LAST = 0xBF58476D1CE4E5B9L;

    /** A random seed: clients choose session ids and must not be able to choose slots. */
    private final long seed = new SecureRandom().nextLong();

    // Batches, oldest first; those before the first have been written to RocksDB.
    private byte[][] batches = new byte[16][];
    private int[] batchEnds = new int[16]; // the end of each batch's rows
    private long[] batchNumbers = new long[16];
    private int firstBatch;
    private int batchCount;
    private long bytes;

    // Rows, oldest first; those before the first have been written to RocksDB. A row that was replaced or deleted has
    // no batch.
    private byte[] @Nullable [] rowBatches = new byte[1 << 10] @Nullable [];
    private int[] rowOffsets = new int[1 << 10];
    private int firstRow;
    private int rowCount;

    /**
     * The number of the first row in the arrays. Rows are numbered since the creation of the buffer; an overflow is
     * harmless.
     */
    private int base;

    // Each slot is free, or contains the hash and the number of a row.
    private long[] slots = new long[SLOTS_START];
    private int used;

    // The prepared data of the next rows to be added.
    private final int[] aheadAt = new int[AHEAD];
    private final int[] aheadHash = new int[AHEAD];
    private final long[] aheadEntry = new long[AHEAD];
    private final byte[] aheadTag = new byte[AHEAD];

    /** Returns the bytes of the arrays in the buffer. */
    long bytes() {
        return bytes;
    }

    /** Returns the rows that were added since the oldest batch in the buffer, including those that were replaced or deleted. */
    int rows() {
        return rowCount - firstRow;
    }

    /**
     * Adds the rows of a batch that deletes no ranges.
     *
     * @param batch  an array that begins with the encoded batch, which must not change any more
     * @param size   the bytes of the batch
     * @param number its number in the log
     */
    void add(byte[] batch, int size, long number) {
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
     * Reads the memory that the next rows need. Each read waits for memory, because the keys are scattered; the reads
     * do not depend on each other, so the processor executes them in parallel.
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

    /** Returns the state of a row in these batches. */
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
     * Removes the oldest batches, at least one if there is any.
     *
     * @param keep     bytes of batches that may stay; 0 removes all
     * @param out      receives the remaining valid rows of the removed batches, at its end
     * @param bytesMax bytes of rows after which no other batch is removed
     * @return the number in the log of the last batch removed; 0 if there was none
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

    /** Moves the remaining batches and rows to the start of the arrays. */
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

    /** Returns the slot of the key, or the free slot for it. */
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

    /**
     * Returns whether a row has this key. Family, length and key have only one encoding, so equal bytes mean the same
     * key.
     */
    private boolean isKey(int row, byte[] batch, int at, int keyEnd) {
        byte[] of = batch(row);
        int start = rowOffsets[row] + 1;
        int length = keyEnd - at - 1;
        return start + length <= of.length && Arrays.equals(of, start, start + length, batch, at + 1, keyEnd);
    }

    /** Frees a slot, and moves back the entries that it had displaced. */
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

    /** Returns the preferred slot of an entry. */
    private int home(long entry) {
        return (int) (entry >>> 32) & slots.length - 1;
    }

    /** Returns the array index of an entry's row. */
    private int row(long entry) {
        return (int) entry - base;
    }

    private boolean isPut(int row) {
        return batch(row)[rowOffsets[row]] == RowBatchFormat.PUT;
    }

    private byte[] batch(int row) {
        byte[] batch = rowBatches[row];
        if (batch == null) {
            throw new IllegalStateException("Expected row " + row + " to be in use, but it is free");
        }
        return batch;
    }

    private int hash(byte[] octets, int from, int to) {
        return hash(seed, octets, from, to);
    }

    /** Returns a hash in which every bit depends on every byte, wherever a key contains its number. */
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
        // The upper half of a product depends on all bits of the factor, the lower half does not.
        return (int) ((hash ^ hash >>> 29) * MIX_LAST >>> 32) | IN_USE;
    }

    private static long mixed(long value) {
        long product = value * MIX;
        return product ^ product >>> 32;
    }

    /**
     * @param known whether these batches contain the row
     * @param value null if the row is deleted, or not known
     */
    record Found(boolean known, byte @Nullable [] value) {
        static final Found UNKNOWN = new Found(false, null);
        static final Found DELETED = new Found(true, null);
    }
}
