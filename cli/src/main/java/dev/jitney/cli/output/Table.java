package dev.jitney.cli.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table with aligned columns.
 *
 * <p>Cells may contain any text, such as a message's body. Control characters, which a terminal would obey, are shown as dots.
 * Rows are printed in pages, and the first page determines the width of the columns, so that a stream is never held in memory.
 */
public final class Table {
    private static final int GAP = 2;
    private static final int PAGE_ROWS = 100;
    private static final int CELL_MAX = 60;

    private final List<String> header;
    private final StringBuilder sink = new StringBuilder();
    private final List<List<String>> page = new ArrayList<>();
    private final int[] widths;
    private boolean begun;

    public Table(String... header) {
        this.header = List.of(header);
        this.widths = new int[header.length];
    }

    /** Adds a row. Returns the text to print now, which may be empty. */
    public String add(String... cells) {
        if (cells.length != header.size()) {
            throw new IllegalArgumentException("Expected " + header.size() + " cells, but got " + cells.length + ".");
        }
        page.add(Arrays.stream(cells).map(Table::clean).toList());
        return begun || page.size() == PAGE_ROWS ? flush() : "";
    }

    /** Returns the remaining rows, and the header if there was no row. */
    public String flush() {
        if (!begun) {
            begun = true;
            measure(header);
            page.forEach(this::measure);
            line(header);
        }
        page.forEach(this::line);
        page.clear();
        String text = sink.toString();
        sink.setLength(0);
        return text;
    }

    private void measure(List<String> row) {
        for (int i = 0; i < row.size(); i++) {
            widths[i] = Math.max(widths[i], row.get(i).length());
        }
    }

    private void line(List<String> row) {
        int start = sink.length();
        for (int i = 0; i < row.size(); i++) {
            sink.append(row.get(i));
            if (i < row.size() - 1) {
                sink.append(" ".repeat(Math.max(0, widths[i] - row.get(i).length()) + GAP));
            }
        }
        int end = sink.length();
        while (end > start && sink.charAt(end - 1) == ' ') {
            end--;
        }
        sink.setLength(end);
        sink.append('\n');
    }

    /** Returns the text as one line with at most this many characters, safe for a terminal. */
    static String clean(String cell) {
        StringBuilder clean = new StringBuilder(Math.min(cell.length(), CELL_MAX));
        for (int i = 0; i < cell.length(); i++) {
            if (clean.length() == CELL_MAX) {
                clean.setCharAt(CELL_MAX - 1, '…');
                break;
            }
            clean.append(harmless(cell.charAt(i)));
        }
        return clean.toString();
    }

    /** Returns the text with a dot in place of each character that a terminal would obey. */
    public static String harmless(String text) {
        StringBuilder harmless = new StringBuilder(text.length());
        text.chars().forEach(character -> harmless.append(harmless((char) character)));
        return harmless.toString();
    }

    /** Replaces control characters, and those that change the direction of text, by a dot. */
    private static char harmless(char character) {
        int type = Character.getType(character);
        return type == Character.CONTROL || type == Character.FORMAT || type == Character.LINE_SEPARATOR
                ? '·'
                : character;
    }
}
