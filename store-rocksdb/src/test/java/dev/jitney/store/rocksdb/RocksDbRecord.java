package dev.jitney.store.rocksdb;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * One record of a batch in RocksDB's format, parsed from the specification of the format and not by the code that
 * writes it.
 */
record RocksDbRecord(String kind, int columnFamily, byte[] key, byte[] value) {

    /** Returns the records of a batch except the last one, which has the position in the log. */
    static List<RocksDbRecord> allOf(byte[] batch) {
        ByteBuffer in = ByteBuffer.wrap(batch).order(ByteOrder.LITTLE_ENDIAN).position(8);
        int count = in.getInt();
        List<RocksDbRecord> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int tag = in.get();
            String kind = switch (tag) {
                case 5 -> "put";
                case 4 -> "delete";
                case 8 -> "single delete";
                case 14 -> "delete range";
                default -> throw new AssertionError("Expected a tag, but found " + tag);
            };
            int family = varint(in);
            byte[] key = bytes(in);
            records.add(new RocksDbRecord(kind, family, key, tag == 5 || tag == 14 ? bytes(in) : new byte[0]));
        }
        if (in.hasRemaining()) {
            throw new AssertionError("Expected " + count + " records, but there are more");
        }
        return records.subList(0, count - 1);
    }

    private static byte[] bytes(ByteBuffer in) {
        byte[] bytes = new byte[varint(in)];
        in.get(bytes);
        return bytes;
    }

    private static int varint(ByteBuffer in) {
        int value = 0;
        for (int shift = 0; ; shift += 7) {
            byte bits = in.get();
            value |= (bits & 0x7F) << shift;
            if (bits >= 0) {
                return value;
            }
        }
    }
}
