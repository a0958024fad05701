package dev.jitney.store.rocksdb.log;

import dev.jitney.runtime.store.LogPosition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the commits in the files of a log and replays those that are not in table files yet. It also distinguishes a
 * log that ends where its writer was killed from one that is damaged.
 *
 * <p>A file holds a run of commits with ascending numbers from its start. Remains of older runs follow it. A commit
 * is written only after the previous one is synced, so only the last record can be incomplete. If any file contains a
 * record with a greater number than the last valid one, acknowledged data is damaged or missing. Only damage in the
 * very last record cannot be distinguished from an incomplete record.
 */
final class LogRecovery {
    private final Path directory;
    private final LogPosition flushed;
    private final List<Run> runs = new ArrayList<>();
    private List<Run> chain = List.of();

    /** @param flushed the last commit of those that are completely in table files */
    LogRecovery(Path directory, LogPosition flushed) {
        this.directory = directory;
        this.flushed = flushed;
    }

    /** Reads the files and determines their contents. */
    void find(List<Path> files) throws IOException, LogDamageException {
        for (Path file : files) {
            runs.add(run(file));
        }
        chain = chain();
        for (Run run : runs) {
            requireNothingNewer(run);
        }
    }

    /** Replays the commits that are newer than the table files, in order. */
    <X extends Exception> void replay(LogReplay<X> replay) throws IOException, LogDamageException, X {
        for (Run run : chain) {
            replay(run, replay);
        }
    }

    /** Returns the number of the newest commit. */
    long last() {
        return lastRun().last();
    }

    /** Returns the run that contains the newest commit. */
    Run lastRun() {
        return chain.get(chain.size() - 1);
    }

    /** Returns the runs of all files. */
    List<Run> runs() {
        return runs;
    }

    private Run run(Path file) throws IOException {
        try (LogScan scan = new LogScan(file)) {
            long first = 0;
            long number = 0;
            long at = 0;
            long lastAt = 0;
            LogRecord.Header header = mine(scan.header(at));
            while (header != null
                    && (number == 0 || header.number() == number + 1)
                    && scan.content(at, header) != null) {
                number = header.number();
                first = first == 0 ? number : first;
                lastAt = at;
                at += LogRecord.blocks(header.length());
                header = mine(scan.header(at));
            }
            return new Run(file, first, number, lastAt, at);
        }
    }

    /** Returns the consecutive runs, starting with the one that contains or follows the last flushed commit. */
    private List<Run> chain() throws LogDamageException {
        List<Run> chain = new ArrayList<>();
        long next = flushed.number();
        for (Run run : runs.stream().sorted(Comparator.comparing(Run::first)).toList()) {
            boolean begins = run.first() <= flushed.number() + 1 && run.last() >= flushed.number();
            if (run.first() > 0 && (chain.isEmpty() ? begins : run.first() == next)) {
                chain.add(run);
                next = run.last() + 1;
            }
        }
        if (chain.isEmpty()) {
            throw new LogDamageException("Expected commit " + flushed.number() + " in the log in " + directory
                    + ", because the tables contain all commits up to it, but it is missing. The log files are missing,"
                    + " damaged or belong to another store; restore the right files, or restore the whole store from a"
                    + " backup");
        }
        return chain;
    }

    private <X extends Exception> void replay(Run run, LogReplay<X> replay) throws IOException, LogDamageException, X {
        if (run.last() <= flushed.number()) {
            return;
        }
        try (LogScan scan = new LogScan(run.file())) {
            long at = 0;
            for (long number = run.first(); number <= run.last(); number++) {
                byte[] content = content(scan, at);
                if (number > flushed.number()) {
                    replay.commit(number, content);
                }
                at += LogRecord.blocks(content.length);
            }
        }
    }

    /** Returns the content of a record that was found at a position. */
    static byte[] content(Path file, long at) throws IOException {
        try (LogScan scan = new LogScan(file)) {
            return content(scan, at);
        }
    }

    private static byte[] content(LogScan scan, long at) throws IOException {
        LogRecord.Header header = scan.header(at);
        byte[] content = header == null ? null : scan.content(at, header);
        if (content == null) {
            throw new IOException("Expected the same commit as before at " + at + " in " + scan.path()
                    + ", but the second read found no complete commit");
        }
        return content;
    }

    private void requireNothingNewer(Run run) throws IOException, LogDamageException {
        long last = last();
        if (run.first() > last) {
            throw damaged(run.file(), 0, run.first());
        }
        try (LogScan scan = new LogScan(run.file())) {
            for (long at = run.end(); at < scan.size(); at += LogRecord.BLOCK) {
                LogRecord.Header header = mine(scan.header(at));
                if (header != null && header.number() > last && scan.content(at, header) != null) {
                    throw damaged(run.file(), at, header.number());
                }
            }
        }
    }

    private LogDamageException damaged(Path file, long at, long number) {
        return new LogDamageException("Expected no commit after " + last() + " in the log in " + directory
                + ", but found commit " + number + " at " + at + " in " + file.getFileName()
                + ". Acknowledged commits between them are damaged or missing; restore the log files,"
                + " or restore the whole store from a backup");
    }

    private LogRecord.@Nullable Header mine(LogRecord.@Nullable Header header) {
        return header == null || header.log() != flushed.log() ? null : header;
    }

    /**
     * @param first  the first commit of the file, 0 if it begins with none
     * @param last   the last consecutive commit, 0 if there is none
     * @param lastAt the position of the last commit
     * @param end    the position of the next record
     */
    record Run(Path file, long first, long last, long lastAt, long end) {}
}
