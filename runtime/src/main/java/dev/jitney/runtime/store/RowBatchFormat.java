package dev.jitney.runtime.store;

import java.util.Arrays;

/**
 * The encoding of the rows of one batch. It is the only encoding of rows outside tables: in the commit log, in the
 * copies of entities, on the simulator's disk, and between nodes. Tables are identified by {@link Table#id}, never by a
 * number of an engine.
 *
 * <table>
 * <caption>A batch, version 1</caption>
 * <tr><th>bytes</th><th>meaning</th></tr>
 * <tr><td>1</td><td>version, 1</td></tr>
 * <tr><td>rest</td><td>records, in the order in which they take effect</td></tr>
 * </table>
 *
 * <table>
 * <caption>A record</caption>
 * <tr><th>bytes</th><th>meaning</th></tr>
 * <tr><td>1</td><td>operation: 1 put, 2 delete, 3 delete from a {@linkplain Table#writtenOnce written-once} table, 4 delete a
 * range</td></tr>
 * <tr><td>1</td><td>id of the table</td></tr>
 * <tr><td>1 to 5</td><td>length k of the key</td></tr>
 * <tr><td>k</td><td>key, or the first key of a range</td></tr>
 * <tr><td>1 to 5</td><td>put: length v of the value; range: length v of its end; otherwise missing</td></tr>
 * <tr><td>v</td><td>put: value; range: its end key, which is not part of it</td></tr>
 * </table>
 *
 * <p>A length is a varint: seven bits in each byte, lowest first, with the top bit set in all but the last byte, in the
 * shortest form. So two records concern the same row exactly if table, length and key are the same bytes. The bytes
 * after the table are those that RocksDB writes after its column family.
 *
 * <p>The methods of this class do not check the bytes. Use them only for batches that {@link RowBatch} has written or
 * {@link RowBatchReader} has checked.
 */
public final class RowBatchFormat {
    /** The version of the format that is written. */
    public static final byte VERSION = 1;

    /** The position of the first record. */
    public static final int HEADER_BYTES = 1;

    /** The bytes of a record before the length of its key. */
    public static final int RECORD_HEADER_BYTES = 2;

    public static final byte PUT = 1;
    public static final byte DELETE = 2;
    public static final byte DELETE_WRITTEN_ONCE = 3;
    public static final byte DELETE_RANGE = 4;

    /** The largest size of operation, table and two lengths. */
    static final int RECORD_OVERHEAD_MAX = RECORD_HEADER_BYTES + 5 + 5;

    private RowBatchFormat() {}

    /** Returns the end of the key of the record at a position. */
    public static int keyEnd(byte[] batch, int at) {
        int length = at + RECORD_HEADER_BYTES;
        return afterVarint(batch, length) + varint(batch, length);
    }

    /** Returns the end of the record at a position. */
    public static int end(byte[] batch, int at) {
        int keyEnd = keyEnd(batch, at);
        return hasArgument(batch[at]) ? afterVarint(batch, keyEnd) + varint(batch, keyEnd) : keyEnd;
    }

    /** Returns a copy of the value of the put record at a position. */
    public static byte[] value(byte[] batch, int at) {
        int length = keyEnd(batch, at);
        int start = afterVarint(batch, length);
        return Arrays.copyOfRange(batch, start, start + varint(batch, length));
    }

    /** Returns a single record that deletes a key, used to search for a row by its identifying bytes. */
    public static byte[] deletion(Table table, byte[] key) {
        byte[] record = new byte[RECORD_HEADER_BYTES + varintBytes(key.length) + key.length];
        record[0] = DELETE;
        record[1] = (byte) table.id();
        int start = putVarint(record, RECORD_HEADER_BYTES, key.length);
        System.arraycopy(key, 0, record, start, key.length);
        return record;
    }

    /** Returns whether an argument follows the key. */
    static boolean hasArgument(byte operation) {
        return operation == PUT || operation == DELETE_RANGE;
    }

    /** Writes a length and returns the position after it. */
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

    private static int varintBytes(int value) {
        int bytes = 1;
        for (int rest = value >>> 7; rest > 0; rest >>>= 7) {
            bytes++;
        }
        return bytes;
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
