package dev.jitney.runtime.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one or several turns that become durable together or not at all, encoded as they come in. {@link RowBatchFormat}
 * describes the encoding, {@link RowBatchReader} reads it.
 *
 * <p>Filled by one thread, then handed to {@link MessagingStore#commit}, then {@linkplain #clear cleared} and filled again. The
 * arrays given are not changed by the caller afterwards.
 *
 * <p>It also remembers between which keys it deletes, which is where a store that is short of space looks for it.
 */
public final class RowBatch implements AutoCloseable {
    private static final int CAPACITY_START = 4 << 10;
    /** A larger buffer is not kept after {@link #clear}. */
    private static final int CAPACITY_KEPT_MAX = 4 << 20;

    private final DeletedKeys deleted = new DeletedKeys();
    private byte @Nullable [] buffer = newBuffer();
    private int size = RowBatchFormat.HEADER_BYTES;

    /** A bit for each table that something is written to. */
    private long tables;

    private boolean deletesRange;
    private long generation;

    private static byte[] newBuffer() {
        byte[] bytes = new byte[CAPACITY_START];
        bytes[0] = RowBatchFormat.VERSION;
        return bytes;
    }

    /** Writes a row, over an older one of that key; in a {@linkplain Table#writtenOnce written-once} table there is none. */
    public void put(Table table, byte[] key, byte[] value) {
        begin(RowBatchFormat.PUT, table, key.length, value.length);
        append(key);
        append(value);
    }

    /** Removes a key; in a {@linkplain Table#writtenOnce written-once} table the key must exist. */
    public void delete(Table table, byte[] key) {
        byte operation = table.writtenOnce() ? RowBatchFormat.DELETE_WRITTEN_ONCE : RowBatchFormat.DELETE;
        begin(operation, table, key.length, 0);
        append(key);
        deleted.add(table, key, key);
    }

    /**
     * Removes every key from {@code from} (inclusive) to {@code to} (exclusive); none of them is ever put again.
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

    /** Whether nothing was written to it since it was made or cleared. */
    public boolean isEmpty() {
        requireOpen();
        return size == RowBatchFormat.HEADER_BYTES;
    }

    /** Bytes of all its records: keys, values and a few bytes for each. */
    public long sizeBytes() {
        return size - RowBatchFormat.HEADER_BYTES;
    }

    /** Whether something is written to a table or deleted from it. */
    public boolean touches(Table table) {
        return (tables & 1L << table.id()) != 0;
    }

    /** Whether it deletes more than single rows. */
    public boolean deletesRange() {
        return deletesRange;
    }

    /** Between which keys it deletes. It changes with the batch. */
    public DeletedKeys deleted() {
        return deleted;
    }

    /** The whole batch as it is encoded, a copy. */
    public byte[] encoded() {
        return Arrays.copyOf(requireOpen(), size);
    }

    /** A walk over its records, from the first one up to the last one there is now; not to be used after another write. */
    public RowBatchReader reader() {
        return reader(RowBatchFormat.HEADER_BYTES);
    }

    /** A walk over its records from a position on that was an {@link #end} of it before, or is the start of a record. */
    RowBatchReader reader(int from) {
        return new RowBatchReader(requireOpen(), from, size);
    }

    /** Where its records end by now. */
    int end() {
        return size;
    }

    /** The value of the put whose record is at a position, a copy. */
    byte[] valueAt(int at) {
        return RowBatchFormat.value(requireOpen(), at);
    }

    /** Counts how often it was cleared: positions in it mean something as long as this stays the same. */
    long generation() {
        return generation;
    }

    /** Removes all that was written to it. */
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

    /** Gives its memory back; nothing can be written or committed any more. */
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
            buffer = Arrays.copyOf(bytes, (int) Math.max(needed, 2L * bytes.length));
        }
    }

    private void append(byte[] bytes) {
        byte[] to = requireOpen();
        size = RowBatchFormat.putVarint(to, size, bytes.length);
        System.arraycopy(bytes, 0, to, size, bytes.length);
        size += bytes.length;
    }

    private byte[] requireOpen() {
        if (buffer == null) {
            throw new IllegalStateException("Expected an open batch, but it is closed");
        }
        return buffer;
    }
}
