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
 * The terminal of the process, for drawing and reading keys, if there is one. Closing it restores the terminal. Not thread-safe.
 */
public final class Screen implements AutoCloseable {
    /** The result of {@link #key} if no key was pressed. */
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

    /** A size in rows and columns. */
    public record Size(int rows, int columns) {}

    /** Returns a screen without a terminal: text is not colored, and drawing fails. */
    public static Screen none() {
        return new Screen(null, false);
    }

    /** Opens the terminal of the process. Returns a screen without one if standard input or output is no capable terminal. */
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

    /** Returns a screen for the given terminal. */
    public static Screen of(Terminal terminal, boolean colors) {
        return new Screen(terminal, colors);
    }

    /** Returns the columns of the process's terminal, or 80 if unknown. */
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
            // Signals keep their handling: Ctrl-C lets a command finish its step.
            return TerminalBuilder.builder()
                    .system(true)
                    .systemOutput(TerminalBuilder.SystemOutput.SysOutOrSysErr)
                    .dumb(true)
                    .nativeSignals(false)
                    .build();
        } catch (IOException | IllegalStateException | LinkageError e) {
            return null; // the output stays plain
        }
    }

    private static void closeQuietly(Terminal terminal) {
        try {
            terminal.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether the user allows colors (no-color.org). */
    public static boolean wantsColors(Map<String, String> environment) {
        String noColor = environment.get("NO_COLOR");
        return noColor == null || noColor.isEmpty();
    }

    /** Returns whether there is a terminal to draw on. */
    public boolean present() {
        return terminal != null;
    }

    /** Returns the current size, or 24 by 80 if the terminal does not report it. */
    public Size size() {
        int rows = terminal == null ? 0 : terminal.getHeight();
        int columns = terminal == null ? 0 : terminal.getWidth();
        return new Size(rows > 0 ? rows : ROWS, columns > 0 ? columns : COLUMNS);
    }

    /** Draws lines over the current ones, without clearing first, which would flicker. They must fit. */
    public void draw(List<String> lines) {
        Terminal screen = screen();
        StringBuilder out = new StringBuilder();
        if (before == null) {
            before = screen.enterRawMode();
            out.append(ENTER);
        }
        out.append(HOME);
        for (int i = 0; i < lines.size(); i++) {
            // Erase the rest of the line first: after a full line the cursor is still on its last character.
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
     * @return its character, or {@link #NO_KEY} after the time, or when the thread was interrupted
     */
    public int key(Duration patience) {
        long until = System.nanoTime() + patience.toNanos();
        try {
            int key = screen().reader().read(Math.max(1, patience.toMillis()));
            if (key >= 0) {
                return key;
            }
            // The input is closed. Wait for the rest of the time all the same.
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

    /** Returns the text in bold. */
    public String bold(String text) {
        return colors ? "\u001b[1m" + text + RESET : text;
    }

    /** Returns the text in red, for errors. */
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
