package dev.jitney.comparison.report;

import java.util.List;

/** A Markdown text with headings, lists and tables. Used by one thread. */
final class Markdown {
    private final StringBuilder text = new StringBuilder();
    private int columns;

    void heading(int level, String title) {
        text.append("#".repeat(level)).append(' ').append(title).append("\n\n");
    }

    void paragraph(String content) {
        text.append(content).append("\n\n");
    }

    void bullets(String title, List<String> lines) {
        text.append("**").append(title).append("**\n\n");
        lines.forEach(line -> text.append("- ").append(line).append('\n'));
        text.append('\n');
    }

    /** Adds a row of a table; the first one is the header. */
    void row(List<String> cells) {
        columns = cells.size();
        text.append('|');
        cells.forEach(cell -> text.append(' ').append(cell.replace("|", "\\|")).append(" |"));
        text.append('\n');
    }

    /** Adds the line between the header and the first row. */
    void rule() {
        text.append("|---").append("|---:".repeat(columns - 1)).append("|\n");
    }

    /** Ends a table. */
    void end() {
        text.append('\n');
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
