package dev.jitney.cli.output;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How far long work is, on standard error: a bar that is drawn over itself on a terminal, a plain line now and then
 * elsewhere, and nothing at all for work that is done in a moment. Where the end is known it tells how much is left.
 */
public final class Progress implements AutoCloseable {
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long REDRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int BAR_CELLS_MIN = 4;
    private static final int BAR_CELLS_MAX = 24;
    /** For work whose end is not known. */
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

    /**
     * @param what what is counted, as it follows a number: "messages purged"
     * @param total how many there will be, or {@link #UNKNOWN}
     */
    public Progress(Console console, String what, long total) {
        this(console, what, total, null);
    }

    /**
     * For work whose end takes a question to know. The question is asked when there is something to show for the first time,
     * so that short work never waits for it.
     *
     * @param remaining tells from how many are done how many are left, or {@link #UNKNOWN}
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

    /** So many more are done. */
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

    private String line(long now) {
        double seconds = Math.max(1e-3, (now - begunNanos) / 1e9);
        double share = total > 0 ? Math.min(1.0, (double) done / total) : 0;
        StringBuilder text = new StringBuilder();
        if (total > 0) {
            text.append(String.format(Locale.ROOT, "%3.0f%%  ", share * 100));
        }
        text.append(String.format(Locale.ROOT, "%,d %s", done, what));
        if (total > 0) {
            text.append(String.format(Locale.ROOT, " of %,d", total));
        }
        if (total > done && done > 0) {
            text.append("  ").append(left((total - done) * seconds / done));
        }
        text.append(String.format(Locale.ROOT, "  %,.0f/s", done / seconds));
        return console.terminal() ? fit(text.toString(), total > 0 ? share : -1, columns) : text.toString();
    }

    /**
     * A line that is shorter than the terminal is wide, because a terminal would go on in the next line, which is not drawn
     * over: with a bar as long as there is room for, or cut.
     *
     * @param share that is done, or less than 0 for no bar
     */
    static String fit(String text, double share, int columns) {
        int cells = Math.min(BAR_CELLS_MAX, columns - 1 - text.length() - "[] ".length());
        if (share >= 0 && cells >= BAR_CELLS_MIN) {
            int full = (int) (share * cells);
            return "[" + "#".repeat(full) + "-".repeat(cells - full) + "] " + text;
        }
        return text.substring(0, Math.min(text.length(), Math.max(1, columns - 1)));
    }

    /** {@code 12s left}, {@code 3m left}, {@code 2h10m left}. */
    static String left(double seconds) {
        long whole = Math.round(Math.min(seconds, 1e7));
        if (whole < 100) {
            return Math.max(1, whole) + "s left";
        }
        long minutes = Math.round(whole / 60.0);
        return (minutes < 100 ? minutes + "m" : minutes / 60 + "h" + minutes % 60 + "m") + " left";
    }

    /** Takes the bar away; what was done is the command's to say. */
    @Override
    public void close() {
        if (drawn) {
            drawn = false;
            console.err().print("\r\u001b[K");
            console.err().flush();
        }
    }
}
