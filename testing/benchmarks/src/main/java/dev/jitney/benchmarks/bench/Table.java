package dev.jitney.benchmarks.bench;

import java.util.Locale;

/** Text in columns, for people. */
final class Table {
    private final StringBuilder text = new StringBuilder();

    /** Adds a line: what it is about, and a cell for each kind of runs. */
    void line(String label, String... cells) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-21s", label));
        for (String cell : cells) {
            line.append(String.format(Locale.ROOT, " %-30s", cell));
        }
        sentence(line.toString().stripTrailing());
    }

    /** Adds a line that is not in columns. */
    void sentence(String line) {
        text.append(line).append(System.lineSeparator());
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
