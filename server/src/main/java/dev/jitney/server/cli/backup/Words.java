package dev.jitney.server.cli.backup;

import java.io.PrintStream;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** Texts for people, and the progress of long work. */
final class Words {
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(2);

    private Words() {}

    static String size(long bytes) {
        return String.format(Locale.ROOT, "%.1f MiB", bytes / (1024.0 * 1024));
    }

    /** Returns a number of things, for example "1 backup" or "2 backups". */
    static String count(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }

    static String time(long momentMs) {
        return Instant.ofEpochMilli(momentMs).toString();
    }

    static String line(Object... columns) {
        return String.format(Locale.ROOT, "%-19s  %-24s  %6s  %12s  %12s  %s", columns)
                .stripTrailing();
    }

    /** Returns a receiver of bytes that prints the progress every two seconds. */
    static LongConsumer progress(PrintStream err, String doing, long total) {
        return new LongConsumer() {
            private long done;
            private long shownNanos = System.nanoTime();

            @Override
            public void accept(long bytes) {
                done += bytes;
                long now = System.nanoTime();
                if (now - shownNanos >= PROGRESS_NANOS) {
                    shownNanos = now;
                    err.println(doing + " " + size(done) + (total > 0 ? " of " + size(total) : ""));
                }
            }
        };
    }
}
