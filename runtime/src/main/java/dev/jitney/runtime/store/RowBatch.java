package dev.jitney.runtime.store;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one or several turns that become durable together or not at all. They are encoded as they are added.
 * {@link RowBatchFormat} specifies the encoding, {@link RowBatchReader} reads it.
 *
 * <p>One thread fills the batch, passes it to {@link MessagingStore#commit}, {@linkplain #clear clears} it and fills it
 * again. Callers must not change the given arrays afterwards.
 *
 * <p>The batch also records the key ranges of its deletions, where a store can reclaim space.
 */
public final class RowBatch implements AutoCloseable {
    private static final int CAPACITY_START = 4 << 10;
    /** The largest buffer that is kept after {@link #clear}. */
    private static final int CAPACITY_KEPT_MAX = 4 << 20;

    private final DeletedKeys deleted = new DeletedKeys();
    private byte @Nullable [] buffer = newBuffer();
    private int size = RowBatchFormat.HEADER_BYTES;

    /** One bit for each table with records in the batch. */
    private long tables;

    private boolean deletesRange;
    private long generation;

    private static byte[] newBuffer() {
        byte[] bytes = new byte[CAPACITY_START];
        bytes[0] = RowBatchFormat.VERSION;
        return bytes;
    }

    /**
     * Writes a row, replacing an older one of the same key. In a {@linkplain Table#writtenOnce written-once} table the
     * key must be new.
     */
    public void put(Table table, byte[] key, byte[] value) {
        begin(RowBatchFormat.PUT, table, key.length, value.length);
        append(key);
        append(value);
    }

    /** Writes a row like {@link #put(Table, byte[], byte[])}, with a value in two parts, which saves a copy of a large one. */
    public void put(Table table, byte[] key, byte[] value, byte[] rest) {
        int length = Math.addExact(value.length, rest.length);
        begin(RowBatchFormat.PUT, table, key.length, length);
        append(key);
        size = RowBatchFormat.putVarint(requireOpen(), size, length);
        copy(value);
        copy(rest);
    }

    /** Deletes a key. In a {@linkplain Table#writtenOnce written-once} table the key must exist. */
    public void delete(Table table, byte[] key) {
        byte operation = table.writtenOnce() ? RowBatchFormat.DELETE_WRITTEN_ONCE : RowBatchFormat.DELETE;
        begin(operation, table, key.length, 0);
        append(key);
        deleted.add(table, key, key);
    }

    /**
     * Deletes every key from {@code from} (inclusive) to {@code to} (exclusive). None of these keys may ever be put
     * again.
     *
     * @throws IllegalArgumentException if {@code to} is smaller than {@code from}
     */
    public void deleteRange(Table table, byte[] from, byte[] to) {
        int order = Arrays.compareUnsigned(from, to);
        if (order > 0) {
            throw new IllegalArgumentException("Expected a range that ends after its start, but "
                    + Arrays.toString(from) + " is greater than " + Arrays.toString(to));
        }
        if (order < 0) {
            deletesRange = true;
            begin(RowBatchFormat.DELETE_RANGE, table, from.length, to.length);
            append(from);
            append(to);
            deleted.add(table, from, to);
        }
    }

    /** Returns whether nothing was written since the batch was created or cleared. */
    public boolean isEmpty() {
        requireOpen();
        return size == RowBatchFormat.HEADER_BYTES;
    }

    /** Returns the bytes of all records: keys, values and a few bytes for each. */
    public long sizeBytes() {
        return size - RowBatchFormat.HEADER_BYTES;
    }

    /** Returns whether a row of a table is written or deleted. */
    public boolean touches(Table table) {
        return (tables & 1L << table.id()) != 0;
    }

    /** Returns whether the batch deletes ranges. */
    public boolean deletesRange() {
        return deletesRange;
    }

    /** Returns the key ranges of the deletions. The object changes with the batch. */
    public DeletedKeys deleted() {
        return deleted;
    }

    /** Returns a copy of the whole encoded batch. */
    public byte[] encoded() {
        return Arrays.copyOf(requireOpen(), size);
    }

    /**
     * Copies a part of the encoded batch to the start of an array.
     *
     * @param from   the first byte of the part
     * @param length the bytes of the part
     */
    public void copyTo(byte[] to, int from, int length) {
        Objects.checkFromIndexSize(from, length, size);
        System.arraycopy(requireOpen(), from, to, 0, length);
    }

    /** Returns a reader of the current records. It must not be used after another write. */
    public RowBatchReader reader() {
        return reader(RowBatchFormat.HEADER_BYTES);
    }

    /** Returns a reader of the records from a position that was an {@link #end} before, or is the start of a record. */
    RowBatchReader reader(int from) {
        return new RowBatchReader(requireOpen(), from, size);
    }

    /** Returns the current end of the records, which is the size of the encoded batch in bytes. */
    public int end() {
        return size;
    }

    /** Returns a copy of the value of the put record at a position. */
    byte[] valueAt(int at) {
        return RowBatchFormat.value(requireOpen(), at);
    }

    /** Returns how often the batch was cleared. Positions are valid as long as this number stays the same. */
    long generation() {
        return generation;
    }

    /** Removes all records. */
    public void clear() {
        if (requireOpen().length > CAPACITY_KEPT_MAX) {
            buffer = newBuffer();
        }
        size = RowBatchFormat.HEADER_BYTES;
        tables = 0;
        deletesRange = false;
        generation++;
        deleted.clear();
    }

    /** Frees the memory. The batch cannot be written or committed any more. */
    @Override
    public void close() {
        buffer = null;
    }

    private void begin(byte operation, Table table, int length, int otherLength) {
        reserve((long) RowBatchFormat.RECORD_OVERHEAD_MAX + length + otherLength);
        byte[] bytes = requireOpen();
        bytes[size] = operation;
        bytes[size + 1] = (byte) table.id();
        size += RowBatchFormat.RECORD_HEADER_BYTES;
        tables |= 1L << table.id();
    }

    private void reserve(long more) {
        long needed = size + more;
        byte[] bytes = requireOpen();
        if (needed > bytes.length) {
            if (needed > Integer.MAX_VALUE / 2) {
                throw new IllegalArgumentException(
                        "Expected a batch below 1 GiB, but it would have " + needed + " bytes");
            }
            // Small rows follow a large one: without room for them, they would double its copy.
            buffer = Arrays.copyOf(bytes, (int) Math.max(needed + needed / 8, 2L * bytes.length));
        }
    }

    private void append(byte[] bytes) {
        size = RowBatchFormat.putVarint(requireOpen(), size, bytes.length);
        copy(bytes);
    }

    private void copy(byte[] bytes) {
        System.arraycopy(bytes, 0, requireOpen(), size, bytes.length);
        size += bytes.length;
    }

    private byte[] requireOpen() {
        if (buffer == null) {
            throw new IllegalStateException("Expected an open batch, but it is closed");
        }
        return buffer;
    }
}
