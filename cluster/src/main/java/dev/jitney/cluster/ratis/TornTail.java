package dev.jitney.cluster.ratis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the beginning of an entry from the end of the log file that Ratis was writing when the process was killed, or everything from
 * an incomplete entry on that was not synced when the power failed.
 *
 * <p>Ratis fills the file with zeros in advance. A kill can end a write between two pages, so that an entry begins and zeros
 * follow. Ratis 3.3.0 ignores such an entry only at the end of the file, and takes one within the zeros for damage: the node could
 * never start again. The entry was not synced, so this node has not acknowledged it, and neither anything behind it.
 *
 * <p>An entry is torn if its checksum is wrong, its end and everything behind it are zeros from the beginning of a sector on, and
 * no intact entry begins behind its first byte. Any other wrong checksum is damage. It stays, Ratis refuses to start, and an
 * operator decides (CL-42). Only a changed size of the very last entry cannot be distinguished from a torn entry.
 *
 * <p>When the power fails, the disk may have got any part of what was not synced. So behind the entries that were certainly synced
 * ({@link SyncedMark}), a wrong checksum is the end of the log, whatever follows.
 *
 * <p>The format of the file: 8 bytes of header, then the entries: size as a varint, content, CRC-32C of both. The content begins
 * with the tag of the term.
 */
final class TornTail {
    private static final Logger LOG = LoggerFactory.getLogger(TornTail.class);
    private static final int HEADER_BYTES = 8;
    private static final int CHECKSUM_BYTES = Integer.BYTES;
    private static final int SECTOR_BYTES = 512;
    private static final int VARINT_BITS_MAX = 28;
    private static final byte TERM_TAG = 8;

    /** Larger than any log file. A larger file is left as it is. */
    private static final long FILE_BYTES_MAX = 256L << 20;

    private final byte[] bytes;

    /** The end of what is not zero. */
    private final int end;

    /** @param bytes the content of a log file */
    TornTail(byte[] bytes) {
        this.bytes = bytes;
        int last = bytes.length;
        while (last > 0 && bytes[last - 1] == 0) {
            last--;
        }
        end = last;
    }

    /**
     * Removes the torn entry of a file, if it has one, and syncs the file.
     *
     * @param required the number of entries that were synced; {@link SyncedMark#ALL} if only the last one may be torn
     */
    static void remove(Path file, long required) throws IOException {
        if (Files.size(file) > FILE_BYTES_MAX) {
            return;
        }
        TornTail tail = new TornTail(Files.readAllBytes(file));
        int at = tail.offset(required);
        if (at < 0) {
            return;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(at);
            channel.force(true);
        }
        LOG.warn(
                "Removed {} bytes from the end of {}, which were being written when the node ended. They were not synced, so they"
                        + " were never acknowledged.",
                tail.end - at,
                file);
    }

    /** Returns whether a file has at least one whole entry, as far as its size shows it. */
    static boolean hasEntry(Path file) throws IOException {
        byte[] start;
        try (InputStream in = Files.newInputStream(file)) {
            start = in.readNBytes(HEADER_BYTES + Long.BYTES);
        }
        if (start.length <= HEADER_BYTES || start[HEADER_BYTES] == 0) {
            return false; // nothing, or zeros
        }
        long next = new TornTail(start).next(HEADER_BYTES);
        return next < 0 || next <= Files.size(file); // a size that makes no sense is damage, which Ratis reports
    }

    /** Returns the offset of the torn entry, or -1 if there is none. Only the last one may be torn. */
    int offset() {
        return offset(SyncedMark.ALL);
    }

    /**
     * Returns the offset of the first entry that is not intact and was not synced, or -1 if there is none.
     *
     * @param required the number of entries that were synced; a torn entry behind them ends the log, whatever follows
     */
    int offset(long required) {
        int at = HEADER_BYTES;
        for (long entries = 0; at < end; entries++) {
            long next = next(at);
            boolean outside = next < 0 || next > bytes.length;
            if (entries >= required && (outside || !isIntact(at, (int) next))) {
                return at;
            }
            if (next > bytes.length) {
                return -1; // at the end of the file, where Ratis ignores it
            }
            if (next < 0 || !isIntact(at, (int) next)) {
                long sector = (end + SECTOR_BYTES - 1L) / SECTOR_BYTES * SECTOR_BYTES;
                return sector < next && !hasEntryBehind(at) ? at : -1;
            }
            at = (int) next;
        }
        return -1;
    }

    /** Returns the offset behind the entry, which may be behind the end of the file, or -1 if its size makes no sense. */
    private long next(int at) {
        long size = 0;
        int shift = 0;
        int from = at;
        while (from < bytes.length && shift <= VARINT_BITS_MAX) {
            int next = bytes[from++];
            size |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return from + size + CHECKSUM_BYTES;
            }
            shift += 7;
        }
        return from == bytes.length ? from + 1L : -1;
    }

    /** Returns whether an intact entry begins behind an offset: then a size was changed, and entries would be lost. */
    private boolean hasEntryBehind(int at) {
        for (int from = at + 1; from < end; from++) {
            int content = from;
            while (content < end && bytes[content] < 0 && content - from < VARINT_BITS_MAX / 7) {
                content++;
            }
            if (content + 1 < end && bytes[content + 1] == TERM_TAG) {
                long next = next(from);
                if (next > 0 && next <= end && isIntact(from, (int) next)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isIntact(int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, to - from - CHECKSUM_BYTES);
        return ByteBuffer.wrap(bytes).getInt(to - CHECKSUM_BYTES) == (int) crc.getValue();
    }
}
