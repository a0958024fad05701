package dev.jitney.server.cli.cluster;

import java.util.List;

/** Rows of text in columns. */
final class Columns {
    private Columns() {}

    /**
     * Returns the rows, one on each line, with columns that are as wide as their widest text.
     *
     * @param rows rows with the same number of columns, at least one
     */
    static String aligned(List<List<String>> rows) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
