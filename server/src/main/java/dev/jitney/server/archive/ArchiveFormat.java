package dev.jitney.server.archive;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The format of a file of an archive: a header, and records. The format is in {@code docs/formats.md}. Numbers are big-endian.
 *
 * <pre>
 * record
 * offset  size  meaning
 *      0     4  CRC-32C of all that follows in the record
 *      4     1  kind: 1 = a commit, 2 = a moment, 3 = the end of the file
 *      5     1  the store of a commit, from 0; otherwise 0
 *      6     2  0
 *      8     4  length of the content
 *     12     8  commit: its number; moment: its time in milliseconds since the epoch; end: the number of records before
 *     20        content
 * </pre>
 *
 * <p>The content of a commit is the batch as the log has it. The content of a moment is the last commit of each store at it. The content
 * of an end is the last commit of each store in the file or before it, and the times of the first and the last moment of the file, or 0.
 */
final class ArchiveFormat {
    static final int RECORD_HEADER = 20;
    static final byte COMMIT = 1;
    static final byte MOMENT = 2;
    static final byte END = 3;

    /** The maximum number of stores. */
    static final int STORES_MAX = 255;

    private static final int CHECKED_FROM = 4;

    private ArchiveFormat() {}

    /** Writes the header of a record at the position of a buffer. */
    static void putHeader(ByteBuffer to, byte kind, int store, long number, byte[] content) {
        int start = to.position();
        to.putInt(0)
                .put(kind)
                .put((byte) store)
                .putShort((short) 0)
                .putInt(content.length)
                .putLong(number);
        to.putInt(start, sum(to, start, content));
    }

    /** Returns the checksum of a record whose header is at a place in a buffer. */
    static int sum(ByteBuffer header, int start, byte[] content) {
        CRC32C sum = new CRC32C();
        sum.update(header.duplicate().limit(start + RECORD_HEADER).position(start + CHECKED_FROM));
        sum.update(content);
        return (int) sum.getValue();
    }

    /** Returns the size of an end in a file of some stores. */
    static int endBytes(int stores) {
        return RECORD_HEADER + (stores + 2) * Long.BYTES;
    }

    /** Returns the content of a moment. */
    static byte[] moment(long[] numbers) {
        ByteBuffer content = ByteBuffer.allocate(numbers.length * Long.BYTES);
        for (long number : numbers) {
            content.putLong(number);
        }
        return content.array();
    }

    /** Returns the content of an end. */
    static byte[] end(long[] numbers, long firstMs, long lastMs) {
        ByteBuffer content = ByteBuffer.allocate((numbers.length + 2) * Long.BYTES);
        for (long number : numbers) {
            content.putLong(number);
        }
        return content.putLong(firstMs).putLong(lastMs).array();
    }

    /** Returns the numbers at the start of the content of a moment or an end. */
    static long[] numbers(byte[] content, int stores) {
        ByteBuffer in = ByteBuffer.wrap(content);
        long[] numbers = new long[stores];
        for (int i = 0; i < stores; i++) {
            numbers[i] = in.getLong();
        }
        return numbers;
    }
}
