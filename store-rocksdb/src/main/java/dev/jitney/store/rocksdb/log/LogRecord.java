package dev.jitney.store.rocksdb.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The format of one commit in a log file. It begins at a multiple of {@value #BLOCK} bytes and is padded to the next
 * one with arbitrary bytes. So no synced byte is ever written again, and no commit is lost to an incomplete write of
 * a later one. Numbers are big-endian.
 *
 * <pre>
 * offset  size  meaning
 *      0     4  "JTLG"
 *      4     4  CRC-32C of all that follows
 *      8     8  the log: a random number generated with it, which is secret
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

    /** Returns the bytes that a record takes in its file. */
    static long blocks(long contentBytes) {
        return (HEADER + contentBytes + BLOCK - 1) / BLOCK * BLOCK;
    }

    /** Writes the header of a record at the position of a buffer and advances the position. */
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
     * Returns the header at the position of a buffer, checked only for its form.
     *
     * @return null if there is no header
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

    /** @param sum the expected checksum */
    record Header(int sum, long log, long number, int length) {
        /** Returns whether the content was written with this header. */
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
