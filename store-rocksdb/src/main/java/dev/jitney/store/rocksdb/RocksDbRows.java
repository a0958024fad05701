package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.RowBatchFormat;
import dev.jitney.runtime.store.Table;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Rows for RocksDB, in RocksDB's own format, so that one native call writes many of them. This is the only class that
 * uses RocksDB's numbers of column families.
 *
 * <p>The format is that of {@code WriteBatch::Data()} (RocksDB, {@code db/write_batch.cc}), the same as in the log files of
 * RocksDB and therefore as stable as those; {@code new WriteBatch(byte[])} accepts it:
 *
 * <pre>
 * offset  size  meaning
 *      0     8  sequence number, little-endian, set by RocksDB
 *      8     4  number of records, little-endian
 *     12        records, each: tag, varint32 column family, then
 *                 05 put            varint32 length and key, varint32 length and value
 *                 04 delete         varint32 length and key
 *                 08 single delete  varint32 length and key
 *                 0E delete range   varint32 length and first key, varint32 length and end key
 * </pre>
 *
 * <p>The bytes behind the column family are those of a record of {@link RowBatchFormat} behind its table. For one
 * thread.
 */
final class RocksDbRows {
    private static final int HEADER_BYTES = 12;
    private static final int COUNT_OFFSET = 8;
    private static final byte PUT = 0x5;
    private static final byte DELETE = 0x4;
    private static final byte SINGLE_DELETE = 0x8;
    private static final byte DELETE_RANGE = 0xE;

    /** Tag and column family. */
    private static final int RECORD_HEADER_BYTES_MAX = 1 + 5;

    private static final byte DEFAULT_FAMILY = 0;
    private static final int CAPACITY_START = 4 << 10;
    /** A larger buffer is discarded by {@link #clear}. */
    private static final int CAPACITY_KEPT_MAX = 4 << 20;

    /** RocksDB's number of the column family of each table, by the table's id. */
    private final int[] columnFamilies = new int[64];

    private byte[] buffer = new byte[CAPACITY_START];
    private int size = HEADER_BYTES;
    private int count;

    /** @param columnFamilyIds RocksDB's number of the column family of each table, by ordinal */
    RocksDbRows(int[] columnFamilyIds) {
        for (Table table : Table.values()) {
            columnFamilies[table.id()] = columnFamilyIds[table.ordinal()];
        }
    }

    /** Adds one record of an encoded batch. */
    void add(byte[] batch, int at) {
        int from = at + RowBatchFormat.RECORD_HEADER_BYTES;
        int length = RowBatchFormat.end(batch, at) - from;
        reserve((long) RECORD_HEADER_BYTES_MAX + length);
        buffer[size++] = tag(batch[at]);
        int family = columnFamilies[batch[at + 1]];
        while (family >= 0x80) {
            buffer[size++] = (byte) (family | 0x80);
            family >>>= 7;
        }
        buffer[size++] = (byte) family;
        System.arraycopy(batch, from, buffer, size, length);
        size += length;
        count++;
    }

    /** Adds all records of an encoded batch, which has some bytes at the start of an array. */
    void addAll(byte[] batch, int length) {
        for (int at = RowBatchFormat.HEADER_BYTES; at < length; at = RowBatchFormat.end(batch, at)) {
            add(batch, at);
        }
    }

    private static byte tag(byte operation) {
        return switch (operation) {
            case RowBatchFormat.PUT -> PUT;
            case RowBatchFormat.DELETE -> DELETE;
            case RowBatchFormat.DELETE_WRITTEN_ONCE -> SINGLE_DELETE;
            case RowBatchFormat.DELETE_RANGE -> DELETE_RANGE;
            default -> throw new IllegalStateException("Expected an operation, but found " + operation);
        };
    }

    /**
     * Returns a copy of all rows in RocksDB's format, with one additional row that belongs to no table.
     *
     * @param key   the key of that row in RocksDB's default column family, at most 127 bytes
     * @param value the value of that row, at most 127 bytes
     */
    byte[] encodedWith(byte[] key, byte[] value) {
        byte[] encoded = Arrays.copyOf(buffer, size + 4 + key.length + value.length);
        ByteBuffer out = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(COUNT_OFFSET, count + 1).position(size);
        out.put(PUT).put(DEFAULT_FAMILY).put((byte) key.length).put(key);
        out.put((byte) value.length).put(value);
        return encoded;
    }

    /** Returns the approximate bytes of its records. */
    int size() {
        return size;
    }

    void clear() {
        if (buffer.length > CAPACITY_KEPT_MAX) {
            buffer = new byte[CAPACITY_START];
        }
        size = HEADER_BYTES;
        count = 0;
    }

    private void reserve(long more) {
        long needed = size + more;
        if (needed > buffer.length) {
            if (needed > Integer.MAX_VALUE - 1024) {
                throw new IllegalStateException("Expected rows below 2 GiB, but they would have " + needed + " bytes");
            }
            // Small rows follow a large one: without room for them, they would double its copy.
            long wanted = Math.max(needed + needed / 8, 2L * buffer.length);
            buffer = Arrays.copyOf(buffer, (int) Math.min(Integer.MAX_VALUE - 1024, wanted));
        }
    }
}
