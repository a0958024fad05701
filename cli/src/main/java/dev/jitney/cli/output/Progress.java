package dev.jitney.cli.output;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The progress of long work on standard error: a bar redrawn in place on a terminal, an occasional plain line elsewhere, and
 * nothing for short work. If the total is known, it shows how much is left.
 */
public final class Progress implements AutoCloseable {
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long REDRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int BAR_CELLS_MIN = 4;
    private static final int BAR_CELLS_MAX = 24;
    /** The total of work whose end is unknown. */
    public static final long UNKNOWN = -1;

    private final Console console;
    private final String what;
    private final @Nullable LongUnaryOperator remaining;
    private long total;
    private final long begunNanos = System.nanoTime();
    private long nextNanos;
    private long done;
    private int columns;
    private boolean asked;
    private boolean drawn;
    private @Nullable String awaited;
    private long awaitedSince;
    private long awaitedNanos;

    /**
     * @param what the counted things, as they follow a number: "messages purged"
     * @param total the final number, or {@link #UNKNOWN}
     */
    public Progress(Console console, String what, long total) {
        this(console, what, total, null);
    }

    /**
     * Shows the progress of work whose total needs a request. The request is sent when the first progress is due, so that short
     * work never waits for it.
     *
     * @param remaining returns how many are left, or {@link #UNKNOWN}, from how many are done
     */
    public Progress(Console console, String what, LongUnaryOperator remaining) {
        this(console, what, UNKNOWN, remaining);
    }

    private Progress(Console console, String what, long total, @Nullable LongUnaryOperator remaining) {
        this.console = console;
        this.what = what;
        this.total = total;
        this.remaining = remaining;
        this.nextNanos = begunNanos + (console.terminal() ? FIRST_NANOS : LINE_NANOS);
    }

    /** Adds to the number of things done. */
    public void add(long count) {
        done += count;
        long now = System.nanoTime();
        if (now - nextNanos >= 0) {
            if (remaining != null && !asked) {
                asked = true;
                long left = remaining.applyAsLong(done);
                total = left == UNKNOWN ? UNKNOWN : done + left;
            }
            nextNanos = now + (console.terminal() ? REDRAW_NANOS : LINE_NANOS);
            if (console.terminal()) {
                columns = columns > 0 ? columns : Screen.columns();
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

    /**
     * Says why nothing is done at present. The reason replaces the time left, and the wait does not count as time of the work.
     *
     * @param reason the reason, or null when the work continues
     */
    public void await(@Nullable String reason) {
        long now = System.nanoTime();
        if (awaited != null) {
            awaitedNanos += now - awaitedSince;
        }
        awaited = reason;
        awaitedSince = now;
    }

    /** Returns the progress as text, at a time of {@link System#nanoTime}. */
    String line(long now) {
        long waited = awaitedNanos + (awaited == null ? 0 : now - awaitedSince);
        double seconds = Math.max(1e-3, (now - begunNanos - waited) / 1e9);
        double share = total > 0 ? Math.min(1.0, (double) done / total) : 0;
        StringBuilder text = new StringBuilder();
        if (total > 0) {
            text.append(String.format(Locale.ROOT, "%3.0f%%  ", share * 100));
        }
        text.append(String.format(Locale.ROOT, "%,d %s", done, what));
        if (total > 0) {
            text.append(String.format(Locale.ROOT, " of %,d", total));
        }
        if (awaited != null) {
            text.append("  ").append(awaited);
        } else if (total > done && done > 0) {
            text.append("  ").append(left((total - done) * seconds / done));
        }
        text.append(String.format(Locale.ROOT, "  %,.0f/s", done / seconds));
        return console.terminal() ? fit(text.toString(), total > 0 ? share : -1, columns) : text.toString();
    }

    /**
     * Returns a line shorter than the terminal is wide, with a bar that fills the rest, or cut. A longer line would wrap into the
     * next line, which cannot be redrawn.
     *
     * @param share the part that is done, or less than 0 for no bar
     */
    static String fit(String text, double share, int columns) {
        int cells = Math.min(BAR_CELLS_MAX, columns - 1 - text.length() - "[] ".length());
        if (share >= 0 && cells >= BAR_CELLS_MIN) {
            int full = (int) (share * cells);
            return "[" + "#".repeat(full) + "-".repeat(cells - full) + "] " + text;
        }
        return text.substring(0, Math.min(text.length(), Math.max(1, columns - 1)));
    }

    /** Returns the time left as text: {@code 12s left}, {@code 3m left}, {@code 2h10m left}. */
    static String left(double seconds) {
        long whole = Math.round(Math.min(seconds, 1e7));
        if (whole < 100) {
            return Math.max(1, whole) + "s left";
        }
        long minutes = Math.round(whole / 60.0);
        return (minutes < 100 ? minutes + "m" : minutes / 60 + "h" + minutes % 60 + "m") + " left";
    }

    /** Erases the bar. The command itself prints its summary. */
    @Override
    public void close() {
        if (drawn) {
            drawn = false;
            console.err().print("\r\u001b[K");
            console.err().flush();
        }
    }
}
