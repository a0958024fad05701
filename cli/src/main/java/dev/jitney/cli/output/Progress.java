package dev.jitney.cli.output;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * How far long work is, on standard error: a bar that is drawn over itself on a terminal, a plain line now and then
 * elsewhere, and nothing at all for work that is done in a moment.
 */
public final class Progress implements AutoCloseable {
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long REDRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int BAR_CELLS = 24;
    /** For work whose end is not known. */
    public static final long UNKNOWN = -1;

    private final Console console;
    private final String what;
    private final long total;
    private final long begunNanos = System.nanoTime();
    private long nextNanos;
    private long done;
    private boolean drawn;

    /**
     * @param what what is counted, as it follows a number: "messages purged"
     * @param total how many there will be, or {@link #UNKNOWN}
     */
    public Progress(Console console, String what, long total) {
        this.console = console;
        this.what = what;
        this.total = total;
        this.nextNanos = begunNanos + (console.terminal() ? FIRST_NANOS : LINE_NANOS);
    }

    /** So many more are done. */
    public void add(long count) {
        done += count;
        long now = System.nanoTime();
        if (now - nextNanos >= 0) {
            nextNanos = now + (console.terminal() ? REDRAW_NANOS : LINE_NANOS);
            if (console.terminal()) {
                console.err().print("\r\u001b[K" + line(now));
                console.err().flush();
                drawn = true;
            } else {
                console.note(line(now));
            }
        }
    }

    public long done() {
        return done;
    }

    private String line(long now) {
        double seconds = Math.max(1e-3, (now - begunNanos) / 1e9);
        StringBuilder line = new StringBuilder();
        if (total > 0) {
            double share = Math.min(1.0, (double) done / total);
            int full = (int) (share * BAR_CELLS);
            if (console.terminal()) {
                line.append('[')
                        .append("#".repeat(full))
                        .append("-".repeat(BAR_CELLS - full))
                        .append("] ");
            }
            line.append(String.format(Locale.ROOT, "%3.0f%%  ", share * 100));
        }
        line.append(String.format(Locale.ROOT, "%,d %s", done, what));
        if (total > 0) {
            line.append(String.format(Locale.ROOT, " of %,d", total));
        }
        return line.append(String.format(Locale.ROOT, "  %,.0f/s", done / seconds))
                .toString();
    }

    /** Takes the bar away; what was done is the command's to say. */
    @Override
    public void close() {
        if (drawn) {
            console.err().print("\r\u001b[K");
            console.err().flush();
        }
    }
}
