package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Looks whether the batches in RocksDB's write-ahead logs follow each other, which RocksDB itself does not: it skips a block
 * whose record begins with zeros, and takes a length that reaches beyond the end of a log for a torn last record.
 *
 * <p>A log is a series of blocks of 32 KiB, which records do not cross: what does not fit is continued in the next block. All
 * numbers are little-endian:
 *
 * <table>
 * <caption>Record</caption>
 * <tr><th>bytes</th><th>meaning</th></tr>
 * <tr><td>4</td><td>masked CRC-32C, which RocksDB checks</td></tr>
 * <tr><td>2</td><td>length n</td></tr>
 * <tr><td>1</td><td>1 a whole batch, 2 its first part, 3 a middle one, 4 its last</td></tr>
 * <tr><td>n</td><td>a batch or a part of it; it begins with its sequence number, 8, and the count of its rows, 4</td></tr>
 * </table>
 *
 * <p>Fewer than 7 bytes at the end of a block are not used.
 */
final class LogCheck {
    private static final int BLOCK = 32 << 10;
    private static final int HEADER = 7;
    private static final int BATCH_HEADER = 12;
    private static final int WHOLE = 1;
    private static final int FIRST = 2;
    private static final int LAST = 4;
    private static final int BLOCKS_READ = 32;

    private final Path directory;
    /** Begin of the batch under way. */
    private final ByteBuffer begin = ByteBuffer.allocate(BATCH_HEADER).order(ByteOrder.LITTLE_ENDIAN);

    private final ByteBuffer buffer = ByteBuffer.allocate(BLOCKS_READ * BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    private boolean begun;
    private long last;

    /** @param directory of the database */
    LogCheck(Path directory) {
        this.directory = directory;
    }

    /**
     * Reads all logs.
     *
     * @return the sequence number of the last row by the number of its log, 0 for a log without rows
     * @throws StoreException {@code CORRUPT} if a batch is missing between two others
     */
    NavigableMap<Long, Long> lastRows() throws IOException, StoreException {
        NavigableMap<Long, Long> rows = new TreeMap<>();
        for (Path log : logs(directory)) {
            long before = last;
            try (FileChannel in = FileChannel.open(log, StandardOpenOption.READ)) {
                begun = false;
                read(in, log);
            }
            rows.put(number(log), last == before ? 0 : last);
        }
        return rows;
    }

    /** The logs of a database, the oldest first. */
    static List<Path> logs(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().matches("\\d{1,18}\\.log"))
                    .sorted((one, other) -> Long.compare(number(one), number(other)))
                    .toList();
        }
    }

    static long number(Path log) {
        String name = log.getFileName().toString();
        return Long.parseLong(name.substring(0, name.length() - ".log".length()));
    }

    private void read(FileChannel in, Path log) throws IOException, StoreException {
        for (long at = 0; ; at += buffer.capacity()) {
            buffer.clear();
            while (buffer.hasRemaining() && in.read(buffer, at + buffer.position()) >= 0) {
                // until it is full, or the end of the file
            }
            buffer.flip();
            for (int block = 0; block < buffer.limit(); block += BLOCK) {
                readBlock(block, Math.min(buffer.limit(), block + BLOCK), log);
            }
            if (buffer.limit() < buffer.capacity()) {
                return;
            }
        }
    }

    /** Reads up to what is no record: the rest of the block is torn, or damaged. */
    private void readBlock(int from, int end, Path log) throws StoreException {
        int at = from;
        while (at + HEADER <= end) {
            int length = Short.toUnsignedInt(buffer.getShort(at + 4));
            int type = buffer.get(at + 6);
            at += HEADER;
            if (type < WHOLE || type > LAST || at + length > end) {
                begun = false;
                return;
            }
            take(type, at, length, log);
            at += length;
        }
    }

    private void take(int type, int at, int length, Path log) throws StoreException {
        if (type == WHOLE || type == FIRST) {
            begin.clear();
            begun = true;
        }
        if (!begun) {
            return;
        }
        int missing = Math.min(length, begin.remaining());
        begin.put(buffer.array(), at, missing);
        if (type == WHOLE || type == LAST) {
            begun = false;
            if (!begin.hasRemaining()) {
                follow(begin.getLong(0), begin.getInt(8), log);
            }
        }
    }

    private void follow(long sequence, int count, Path log) throws StoreException {
        // A log whose rows are all in tables may linger, and its last numbers be given out again.
        if (last > 0 && sequence > last + 1) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "The messaging store is damaged: expected row " + (last + 1) + " in " + log + ", but row "
                            + sequence + " comes next. Restore it from a backup.");
        }
        last = sequence + count - 1;
    }
}
