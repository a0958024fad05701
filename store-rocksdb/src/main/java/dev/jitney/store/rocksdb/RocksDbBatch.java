package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.StoreBatch;
import dev.jitney.runtime.store.Table;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A batch in RocksDB's own format, encoded in Java: it goes to the log as it is, and it takes one call into native code
 * for a batch instead of one for every row. See {@link BatchFormat}.
 *
 * <p>It also remembers between which keys it deletes, which is where {@link SpaceReclaimer} will look for space.
 */
final class RocksDbBatch implements StoreBatch {
    private static final byte DEFAULT_FAMILY = 0;

    private static final int CAPACITY_START = 4 << 10;
    /** A larger buffer is not kept after {@link #clear}. */
    private static final int CAPACITY_KEPT_MAX = 4 << 20;

    private final int[] columnFamilyIds;
    private final DeletedKeys deleted = new DeletedKeys();
    private byte @Nullable [] buffer = new byte[CAPACITY_START];
    private int size = BatchFormat.HEADER_BYTES;
    private int count;
    private boolean deletesRange;

    /** @param columnFamilyIds RocksDB's number of the column family of each table, by ordinal */
    RocksDbBatch(int[] columnFamilyIds) {
        this.columnFamilyIds = columnFamilyIds;
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) {
        begin(BatchFormat.PUT, table, key.length, value.length);
        append(key);
        append(value);
    }

    @Override
    public void delete(Table table, byte[] key) {
        begin(table.writtenOnce() ? BatchFormat.SINGLE_DELETE : BatchFormat.DELETE, table, key.length, 0);
        append(key);
        deleted.add(table, key, key);
    }

    @Override
    public void deleteRange(Table table, byte[] from, byte[] to) {
        int order = Arrays.compareUnsigned(from, to);
        if (order > 0) {
            throw new IllegalArgumentException("Expected a range that ends after its start, but "
                    + Arrays.toString(from) + " is greater than " + Arrays.toString(to));
        }
        if (order < 0) {
            deletesRange = true;
            begin(BatchFormat.DELETE_RANGE, table, from.length, to.length);
            append(from);
            append(to);
            deleted.add(table, from, to);
        }
    }

    @Override
    public boolean isEmpty() {
        requireOpen();
        return count == 0;
    }

    @Override
    public long sizeBytes() {
        return size - BatchFormat.HEADER_BYTES;
    }

    @Override
    public void clear() {
        if (requireOpen().length > CAPACITY_KEPT_MAX) {
            buffer = new byte[CAPACITY_START];
        }
        size = BatchFormat.HEADER_BYTES;
        count = 0;
        deletesRange = false;
        deleted.clear();
    }

    @Override
    public void close() {
        buffer = null;
    }

    /**
     * The whole batch in RocksDB's format, a copy, with one row more that is in none of the tables.
     *
     * @param key   of that row in RocksDB's default column family, at most 127 octets
     * @param value of that row, likewise
     */
    byte[] encodedWith(byte[] key, byte[] value) {
        byte[] encoded = Arrays.copyOf(requireOpen(), size + 4 + key.length + value.length);
        ByteBuffer out = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(BatchFormat.COUNT_OFFSET, count + 1).position(size);
        out.put(BatchFormat.PUT).put(DEFAULT_FAMILY).put((byte) key.length).put(key);
        out.put((byte) value.length).put(value);
        return encoded;
    }

    /** Where the rows of the encoded batch end and that of {@link #encodedWith} begins. */
    int size() {
        return size;
    }

    /** Whether it deletes more than single rows. */
    boolean deletesRange() {
        return deletesRange;
    }

    /** Copies a record of another encoded batch as it is, without remembering what it deletes. */
    void copy(byte[] batch, int at) {
        int length = BatchFormat.end(batch, at) - at;
        reserve(length);
        System.arraycopy(batch, at, requireOpen(), size, length);
        size += length;
        count++;
    }

    DeletedKeys deleted() {
        return deleted;
    }

    private void begin(byte tag, Table table, int length, int otherLength) {
        reserve((long) BatchFormat.RECORD_OVERHEAD_MAX + length + otherLength);
        requireOpen()[size++] = tag;
        appendVarint(columnFamilyIds[table.ordinal()]);
        count++;
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
        appendVarint(bytes.length);
        System.arraycopy(bytes, 0, requireOpen(), size, bytes.length);
        size += bytes.length;
    }

    private void appendVarint(int value) {
        size = BatchFormat.putVarint(requireOpen(), size, value);
    }

    private byte[] requireOpen() {
        if (buffer == null) {
            throw new IllegalStateException("Expected an open batch, but it is closed");
        }
        return buffer;
    }
}
