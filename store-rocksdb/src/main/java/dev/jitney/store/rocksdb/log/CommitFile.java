package dev.jitney.store.rocksdb.log;

import dev.jitney.runtime.store.LogPosition;
import dev.jitney.store.rocksdb.files.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file with a run of commits, copied from the files of a log: for a backup, which adds them to the tables when it is
 * restored. It is a sequence of records in the format of the log, with ascending numbers and without gaps, and ends behind
 * the last one.
 */
public final class CommitFile {
    private CommitFile() {}

    /**
     * Copies commits from the files of a log, which may be written meanwhile. The caller keeps the files from being
     * overwritten, see {@link FileCommitLog#hold}.
     *
     * @param directory the directory of the log
     * @param after     the log, and the commit before the first one that is copied
     * @param last      the number of the last commit that is copied; nothing is copied if it is not larger than that
     * @param target    the new file, which is synced
     * @throws IOException if a commit is missing
     */
    public static void copy(Path directory, LogPosition after, long last, Path target) throws IOException {
        try (FileChannel out = OwnerOnly.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            long next = after.number() + 1;
            boolean found = true;
            while (next <= last && found) {
                found = false;
                for (Path file : FileCommitLog.files(directory)) {
                    long end = copy(file, after.log(), next, last, out);
                    found |= end > next;
                    next = end;
                }
            }
            if (next <= last) {
                throw new IOException("Expected commit " + next + " in the log in " + directory
                        + ", but it is missing. The store was opened again meanwhile, or the log is damaged");
            }
            out.force(true);
        }
    }

    /** Copies the commits of one file from a number on, if it has that one. Returns the number of the next one. */
    private static long copy(Path file, long log, long from, long last, FileChannel out) throws IOException {
        long next = from;
        try (LogScan scan = new LogScan(file)) {
            long at = 0;
            long before = 0;
            LogRecord.Header header = scan.header(at);
            while (header != null
                    && header.log() == log
                    && (before == 0 ? header.number() <= next : header.number() == before + 1)
                    && header.number() <= last) {
                if (header.number() == next) {
                    byte[] content = scan.content(at, header);
                    if (content == null) {
                        return next;
                    }
                    write(out, log, next, content);
                    next++;
                }
                before = header.number();
                at += LogRecord.blocks(header.length());
                header = scan.header(at);
            }
        }
        return next;
    }

    private static void write(FileChannel out, long log, long number, byte[] content) throws IOException {
        ByteBuffer record = ByteBuffer.allocate((int) LogRecord.blocks(content.length));
        LogRecord.putHeader(record, log, number, content);
        record.put(content).clear();
        while (record.hasRemaining()) {
            out.write(record);
        }
    }

    /**
     * Reads the commits of a file, oldest first.
     *
     * @param after the log, and the commit that the reader has with all before it
     * @param last  the number of the last commit in the file, which is {@code after} if the file may be empty
     * @throws IOException if the file does not have exactly the commits up to {@code last}
     */
    public static <X extends Exception> void read(Path file, LogPosition after, long last, LogReplay<X> replay)
            throws IOException, X {
        try (LogScan scan = new LogScan(file)) {
            long at = 0;
            long before = 0;
            while (at < scan.size()) {
                LogRecord.Header header = scan.header(at);
                byte[] content = header == null ? null : scan.content(at, header);
                if (header == null
                        || content == null
                        || header.log() != after.log()
                        || (before == 0 ? header.number() > after.number() + 1 : header.number() != before + 1)
                        || header.number() > last) {
                    throw new IOException("Expected a commit from " + (after.number() + 1) + " to " + last + " at " + at
                            + " in " + file + ", but the file is damaged");
                }
                before = header.number();
                if (before > after.number()) {
                    replay.commit(before, content);
                }
                at += LogRecord.blocks(header.length());
            }
            if (Math.max(before, after.number()) != last) {
                throw new IOException("Expected commits up to " + last + " in " + file + ", but they end at "
                        + Math.max(before, after.number()));
            }
        }
    }
}
