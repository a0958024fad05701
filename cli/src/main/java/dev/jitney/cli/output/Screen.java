package dev.jitney.cli.output;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The terminal behind standard output, to draw on and to read keys from, if there is one. Close it to give the terminal back as
 * it was. Not for several threads.
 */
public final class Screen implements AutoCloseable {
    /** What {@link #key} returns if no key was pressed. */
    public static final int NO_KEY = -2;

    private static final int ROWS = 24;
    private static final int COLUMNS = 80;
    private static final String ENTER = "\u001b[?1049h\u001b[?25l";
    private static final String LEAVE = "\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String TO_END_OF_LINE = "\u001b[K";
    private static final String TO_END_OF_SCREEN = "\u001b[J";
    private static final String RESET = "\u001b[0m";

    private final @Nullable Terminal terminal;
    private final boolean colors;
    private @Nullable Attributes before;

    private Screen(@Nullable Terminal terminal, boolean colors) {
        this.terminal = terminal;
        this.colors = colors;
    }

    /** Rows and columns. */
    public record Size(int rows, int columns) {}

    /** No terminal: nothing is colored, and nothing can be drawn. */
    public static Screen none() {
        return new Screen(null, false);
    }

    /** The terminal of the process, or none if standard input or output is none or cannot be drawn over. */
    public static Screen open(Console console) {
        if (!console.screen()) {
            return none();
        }
        Terminal terminal = system();
        if (terminal == null) {
            return none();
        }
        if (terminal.getType().startsWith(Terminal.TYPE_DUMB)) {
            closeQuietly(terminal);
            return none();
        }
        return of(terminal, wantsColors(console.environment()));
    }

    /** A terminal that is given. */
    public static Screen of(Terminal terminal, boolean colors) {
        return new Screen(terminal, colors);
    }

    /** The columns of the process's terminal; 80 if it has none that tells. */
    static int columns() {
        Terminal terminal = system();
        if (terminal == null) {
            return COLUMNS;
        }
        int columns = terminal.getWidth();
        closeQuietly(terminal);
        return columns > 0 ? columns : COLUMNS;
    }

    private static @Nullable Terminal system() {
        try {
            // Signals stay as they are: Ctrl-C lets a command finish its step.
            return TerminalBuilder.builder()
                    .system(true)
                    .systemOutput(TerminalBuilder.SystemOutput.SysOutOrSysErr)
                    .dumb(true)
                    .nativeSignals(false)
                    .build();
        } catch (IOException | IllegalStateException | LinkageError e) {
            return null; // plain output does
        }
    }

    private static void closeQuietly(Terminal terminal) {
        try {
            terminal.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the user has not switched colors off (no-color.org). */
    public static boolean wantsColors(Map<String, String> environment) {
        String noColor = environment.get("NO_COLOR");
        return noColor == null || noColor.isEmpty();
    }

    /** Whether there is a terminal to draw on. */
    public boolean present() {
        return terminal != null;
    }

    /** The size at this moment; 24 by 80 if the terminal does not tell. */
    public Size size() {
        int rows = terminal == null ? 0 : terminal.getHeight();
        int columns = terminal == null ? 0 : terminal.getWidth();
        return new Size(rows > 0 ? rows : ROWS, columns > 0 ? columns : COLUMNS);
    }

    /** Draws lines over what is there, without clearing it first, which would flicker. They must fit. */
    public void draw(List<String> lines) {
        Terminal screen = screen();
        StringBuilder out = new StringBuilder();
        if (before == null) {
            before = screen.enterRawMode();
            out.append(ENTER);
        }
        out.append(HOME);
        for (int i = 0; i < lines.size(); i++) {
            // The rest of the line first: behind a full line the cursor still stands on its last character.
            out.append(i == 0 ? "" : "\r\n").append(TO_END_OF_LINE).append(lines.get(i));
        }
        if (lines.size() < size().rows()) {
            out.append("\r\n").append(TO_END_OF_SCREEN);
        }
        screen.writer().print(out);
        screen.writer().flush();
    }

    /**
     * Waits for a key.
     *
     * @return its character, or {@link #NO_KEY} after that time, or when the thread was interrupted
     */
    public int key(Duration patience) {
        long until = System.nanoTime() + patience.toNanos();
        try {
            int key = screen().reader().read(Math.max(1, patience.toMillis()));
            if (key >= 0) {
                return key;
            }
            // Nobody can press a key anymore, but the time is to pass all the same.
            long rest = until - System.nanoTime();
            if (key == -1 && rest > 0) {
                TimeUnit.NANOSECONDS.sleep(rest);
            }
        } catch (InterruptedIOException | InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return NO_KEY;
    }

    private Terminal screen() {
        if (terminal == null) {
            throw new IllegalStateException("Expected a terminal, but there is none.");
        }
        return terminal;
    }

    /** Makes a text stand out. */
    public String bold(String text) {
        return colors ? "\u001b[1m" + text + RESET : text;
    }

    /** Makes a text look like trouble. */
    public String red(String text) {
        return colors ? "\u001b[31m" + text + RESET : text;
    }

    @Override
    public void close() {
        if (terminal == null) {
            return;
        }
        if (before != null) {
            terminal.setAttributes(before);
            terminal.writer().print(LEAVE);
            terminal.writer().flush();
            before = null;
        }
        closeQuietly(terminal);
    }
}
