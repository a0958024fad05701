package dev.jitney.store.rocksdb.log;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A check of one file of a log without its store. It finds a commit behind one that is damaged. An incomplete last commit is no damage:
 * its writer was killed before it acknowledged it.
 */
public final class LogCheck {
    private LogCheck() {}

    /**
     * Returns a sentence about the damage, or null if there is none.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    public static @Nullable String damage(Path file) throws IOException, InterruptedException {
        try (LogScan scan = new LogScan(file)) {
            LogRecord.Header first = scan.header(0);
            if (first == null) {
                return null; // an unused file
            }
            long last = 0;
            long at = 0;
            LogRecord.@Nullable Header header = first;
            while (header != null && isNext(header, first, last) && scan.content(at, header) != null) {
                last = header.number();
                at += LogRecord.blocks(header.length());
                header = scan.header(at);
                stopIfInterrupted();
            }
            for (long later = at; later < scan.size(); later += LogRecord.BLOCK) {
                LogRecord.Header found = scan.header(later);
                if (found != null
                        && found.log() == first.log()
                        && found.number() > Math.max(last, first.number() - 1)
                        && scan.content(later, found) != null) {
                    return "The log file " + file + " is damaged: commit " + found.number() + " follows commit " + last
                            + " in it, and those between them are missing.";
                }
                stopIfInterrupted();
            }
            return null;
        }
    }

    private static boolean isNext(LogRecord.Header header, LogRecord.Header first, long last) {
        return header.log() == first.log() && (last == 0 || header.number() == last + 1);
    }

    private static void stopIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
