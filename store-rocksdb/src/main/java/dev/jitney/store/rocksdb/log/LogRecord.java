package dev.jitney.store.rocksdb.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * How one commit lies in a log file. It begins at a multiple of {@value #BLOCK} bytes and is filled up to the next with
 * whatever was there, so that no byte that was synced before is ever written again, and none is lost to a write that
 * was cut short. Numbers are big-endian.
 *
 * <pre>
 * offset  size  meaning
 *      0     4  "JTLG"
 *      4     4  CRC-32C of all that follows
 *      8     8  the log: a random number made with it, which nobody outside knows
 *     16     8  number of the commit, from 1, one more than that of the commit before
 *     24     4  length of the content, from 1
 *     28     4  0
 *     32        content
 * </pre>
 */
final class LogRecord {
    static final int BLOCK = 4096;
    static final int HEADER = 32;
    private static final int MAGIC = 0x4A544C47;
    private static final int CHECKED_FROM = 8;

    private LogRecord() {}

    /** Bytes a record takes in its file. */
    static long blocks(long contentBytes) {
        return (HEADER + contentBytes + BLOCK - 1) / BLOCK * BLOCK;
    }

    /** Writes the header of a record at the position of a buffer and moves it behind. */
    static void putHeader(ByteBuffer to, long log, long number, byte[] content) {
        int start = to.position();
        to.putInt(MAGIC)
                .putInt(0)
                .putLong(log)
                .putLong(number)
                .putInt(content.length)
                .putInt(0);
        CRC32C sum = new CRC32C();
        sum.update(to.duplicate().position(start + CHECKED_FROM).limit(start + HEADER));
        sum.update(content);
        to.putInt(start + 4, (int) sum.getValue());
    }

    /**
     * What a header says, unchecked but for its form.
     *
     * @return null if that is no header
     */
    static @Nullable Header header(ByteBuffer octets) {
        int at = octets.position();
        if (octets.remaining() < HEADER || octets.getInt(at) != MAGIC || octets.getInt(at + 28) != 0) {
            return null;
        }
        Header header = new Header(
                octets.getInt(at + 4), octets.getLong(at + 8), octets.getLong(at + 16), octets.getInt(at + 24));
        return header.number() < 1 || header.length() < 1 ? null : header;
    }

    /** @param sum the checksum that is to come out */
    record Header(int sum, long log, long number, int length) {
        /** Whether that is the content that was written with this header. */
        boolean fits(byte[] content) {
            ByteBuffer head = ByteBuffer.allocate(HEADER - CHECKED_FROM)
                    .putLong(log)
                    .putLong(number)
                    .putInt(length)
                    .putInt(0)
                    .flip();
            CRC32C of = new CRC32C();
            of.update(head);
            of.update(content, 0, length);
            return (int) of.getValue() == sum;
        }
    }
}
