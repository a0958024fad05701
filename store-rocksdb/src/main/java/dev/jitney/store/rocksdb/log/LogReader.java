package dev.jitney.store.rocksdb.log;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads single commits from the files of a log that is being written. Fast for ascending numbers. For one thread. */
final class LogReader {
    private @Nullable LogScan scan;
    /** The place behind the commit that was read last. */
    private long at;

    /**
     * Returns the content of a commit.
     *
     * @param number a commit that was written completely
     * @return null if no file has it any more
     */
    byte @Nullable [] read(Path directory, long log, long number) throws IOException {
        LogScan before = scan;
        if (before != null && before.path().startsWith(directory)) {
            byte[] content = readAt(before, log, number);
            if (content == null) {
                content = again(before.path(), log, number); // the file has grown
            }
            if (content != null) {
                return content;
            }
        }
        for (Path file : FileCommitLog.files(directory)) {
            byte[] content = find(file, log, number);
            if (content != null) {
                return content;
            }
        }
        return null;
    }

    private byte @Nullable [] readAt(LogScan open, long log, long number) throws IOException {
        LogRecord.Header header = open.header(at);
        if (header == null || header.log() != log || header.number() != number) {
            return null;
        }
        byte[] content = open.content(at, header);
        if (content != null) {
            at += LogRecord.blocks(header.length());
        }
        return content;
    }

    private byte @Nullable [] again(Path file, long log, long number) throws IOException {
        return open(file) ? readAt(current(), log, number) : null;
    }

    private byte @Nullable [] find(Path file, long log, long number) throws IOException {
        at = 0;
        if (!open(file)) {
            return null;
        }
        LogScan open = current();
        long before = 0;
        LogRecord.Header header = open.header(at);
        while (header != null
                && header.log() == log
                && header.number() <= number
                && (before == 0 || header.number() == before + 1)) {
            if (header.number() == number) {
                return readAt(open, log, number);
            }
            before = header.number();
            at += LogRecord.blocks(header.length());
            header = open.header(at);
        }
        return null;
    }

    private LogScan current() {
        LogScan open = scan;
        if (open == null) {
            throw new IllegalStateException("Expected an open file of the log.");
        }
        return open;
    }

    private boolean open(Path file) throws IOException {
        close();
        try {
            scan = new LogScan(file);
            return true;
        } catch (NoSuchFileException e) {
            return false; // it was deleted, because nothing needs it
        }
    }

    void close() {
        LogScan open = scan;
        scan = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // It was open for reading only.
            }
        }
    }
}
