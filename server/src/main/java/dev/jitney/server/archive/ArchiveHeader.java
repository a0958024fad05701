package dev.jitney.server.archive;

import dev.jitney.runtime.store.LogPosition;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The start of a file of an archive.
 *
 * <pre>
 * offset  size  meaning
 *      0     4  "JTAR"
 *      4     4  CRC-32C of all that follows in the header
 *      8     4  version, 1
 *     12     4  number of stores
 *     16    16  the data directory: the UUID of its set of stores
 *     32     8  sequence number of the file, from 1
 *     40     8  the time at which the file was made, in milliseconds since the epoch
 *     48     4  why the file does not continue the one before: see {@link Start}
 *     52     4  number of files between the one that it continues and itself, which were damaged; otherwise 0
 *     56  16*n  of each store: its log, and the last commit before the file
 * </pre>
 *
 * @param set      the data directory
 * @param sequence the sequence number
 * @param madeMs   the time at which it was made
 * @param start    whether it continues the file before
 * @param skipped  the number of damaged files between the one that it continues and itself
 * @param before   of each store, the last commit before the file
 */
record ArchiveHeader(UUID set, long sequence, long madeMs, Start start, int skipped, List<LogPosition> before) {
    /** The relation of a file to the one before. */
    enum Start {
        /** It continues the file before. */
        CONTINUES(""),
        /** It is the first one. */
        FIRST("The archive begins here."),
        /** The logs have reached the limit of bytes that they keep for the archive. */
        GIVEN_UP("The archive could not be written, and the logs had reached the limit of --archive-hold."),
        /** The log does not follow the archive. */
        NOT_ARCHIVED("The server ran without --archive-dir, or on an older copy of its data."),
        /** The last file is damaged, and the log does not follow the one before it. */
        DAMAGED("The last file of the archive was damaged, and the logs did not have its commits.");

        private final String reason;

        Start(String reason) {
            this.reason = reason;
        }

        /** Returns a sentence about the gap before the file. */
        String reason() {
            return reason;
        }
    }

    private static final int MAGIC = 0x4A544152;
    private static final int VERSION = 1;
    private static final int FIXED = 56;
    private static final int CHECKED_FROM = 8;

    ArchiveHeader {
        before = List.copyOf(before);
    }

    static int bytes(int stores) {
        return FIXED + stores * 2 * Long.BYTES;
    }

    /** The maximum size of a header. */
    static int bytesMax() {
        return bytes(ArchiveFormat.STORES_MAX);
    }

    int bytes() {
        return bytes(before.size());
    }

    /** The number of bytes from the start of a file that show whether its writing ended within its header. */
    static int cutOffBytes() {
        return bytesMax() + ArchiveFormat.RECORD_HEADER;
    }

    /**
     * Returns whether the writing of a file ended within its header, so that the file has no record. After a failure of power, a file
     * may have its size and only zeros in it.
     *
     * @param in the whole content of the file, or its first {@link #cutOffBytes} bytes
     */
    static boolean isCutOff(ByteBuffer in) {
        if (in.remaining() < bytes(1) + ArchiveFormat.RECORD_HEADER || isZero(in)) {
            return true;
        }
        int stores = in.getInt(12);
        return in.getInt(0) == MAGIC
                && in.getInt(8) == VERSION
                && stores > 0
                && stores <= ArchiveFormat.STORES_MAX
                && in.remaining() < bytes(stores) + ArchiveFormat.RECORD_HEADER;
    }

    private static boolean isZero(ByteBuffer in) {
        boolean zero = true;
        for (int i = in.position(); zero && i < in.limit(); i++) {
            zero = in.get(i) == 0;
        }
        return zero;
    }

    /** Returns the numbers of the last commits before the file. */
    long[] numbers() {
        return before.stream().mapToLong(LogPosition::number).toArray();
    }

    byte[] encoded() {
        ByteBuffer out = ByteBuffer.allocate(bytes());
        out.putInt(MAGIC)
                .putInt(0)
                .putInt(VERSION)
                .putInt(before.size())
                .putLong(set.getMostSignificantBits())
                .putLong(set.getLeastSignificantBits())
                .putLong(sequence)
                .putLong(madeMs)
                .putInt(start.ordinal())
                .putInt(skipped);
        before.forEach(position -> out.putLong(position.log()).putLong(position.number()));
        out.putInt(4, sum(out.array(), out.capacity()));
        return out.array();
    }

    private static int sum(byte[] bytes, int end) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, CHECKED_FROM, end - CHECKED_FROM);
        return (int) sum.getValue();
    }

    /**
     * Reads a header. The bytes may come from anywhere.
     *
     * @return null if there is none, or it is damaged
     * @throws NewerArchiveException if a newer version of the program wrote it
     */
    static @Nullable ArchiveHeader parse(ByteBuffer in) throws NewerArchiveException {
        if (in.remaining() < FIXED || in.getInt(0) != MAGIC) {
            return null;
        }
        if (in.getInt(8) > VERSION) {
            throw new NewerArchiveException("Expected a file of an archive of version " + VERSION + ", but got version "
                    + in.getInt(8) + ". A newer version of the program wrote it; use that one.");
        }
        int stores = in.getInt(12);
        if (stores < 1 || stores > ArchiveFormat.STORES_MAX || in.remaining() < bytes(stores)) {
            return null;
        }
        byte[] all = new byte[bytes(stores)];
        in.get(0, all);
        int start = in.getInt(48);
        int skipped = in.getInt(52);
        if (in.getInt(4) != sum(all, all.length) || start < 0 || start >= Start.values().length || skipped < 0) {
            return null;
        }
        List<LogPosition> before = new ArrayList<>();
        for (int i = 0; i < stores; i++) {
            before.add(new LogPosition(in.getLong(bytes(i)), in.getLong(bytes(i) + Long.BYTES)));
        }
        return new ArchiveHeader(
                new UUID(in.getLong(16), in.getLong(24)),
                in.getLong(32),
                in.getLong(40),
                Start.values()[start],
                skipped,
                before);
    }
}
