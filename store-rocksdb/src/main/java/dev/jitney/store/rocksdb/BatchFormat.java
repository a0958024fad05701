package dev.jitney.store.rocksdb;

import java.util.Arrays;

/**
 * How RocksDB writes a batch of rows.
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
 */
final class BatchFormat {
    static final int HEADER_BYTES = 12;
    static final int COUNT_OFFSET = 8;
    static final byte PUT = 0x5;
    static final byte DELETE = 0x4;
    static final byte SINGLE_DELETE = 0x8;
    static final byte DELETE_RANGE = 0xE;
    /** Tag, column family, two lengths. */
    static final int RECORD_OVERHEAD_MAX = 1 + 5 + 5 + 5;

    private BatchFormat() {}

    /** Behind the key of the record at a position. */
    static int keyEnd(byte[] batch, int at) {
        int length = afterVarint(batch, at + 1);
        return afterVarint(batch, length) + varint(batch, length);
    }

    /** Behind the record at a position. */
    static int end(byte[] batch, int at) {
        int keyEnd = keyEnd(batch, at);
        return batch[at] == PUT || batch[at] == DELETE_RANGE
                ? afterVarint(batch, keyEnd) + varint(batch, keyEnd)
                : keyEnd;
    }

    /** The value of the put at a position. */
    static byte[] value(byte[] batch, int at) {
        int length = keyEnd(batch, at);
        int start = afterVarint(batch, length);
        return Arrays.copyOfRange(batch, start, start + varint(batch, length));
    }

    /** The record of a deletion, alone. */
    static byte[] deletion(int familyId, byte[] key) {
        byte[] record = new byte[11 + key.length];
        record[0] = DELETE;
        int size = putVarint(record, 1, familyId);
        size = putVarint(record, size, key.length);
        System.arraycopy(key, 0, record, size, key.length);
        return Arrays.copyOf(record, size + key.length);
    }

    /** Writes a number and says where it ends. */
    static int putVarint(byte[] batch, int at, int value) {
        int end = at;
        int rest = value;
        while (rest >= 0x80) {
            batch[end++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        batch[end++] = (byte) rest;
        return end;
    }

    private static int varint(byte[] batch, int at) {
        int value = 0;
        for (int shift = 0, i = at; ; shift += 7, i++) {
            value |= (batch[i] & 0x7F) << shift;
            if (batch[i] >= 0) {
                return value;
            }
        }
    }

    private static int afterVarint(byte[] batch, int at) {
        int end = at;
        while (batch[end] < 0) {
            end++;
        }
        return end + 1;
    }
}
