package dev.jitney.benchmarks.bench;

import java.util.Locale;

/** A table of text columns. */
final class Table {
    private final StringBuilder text = new StringBuilder();

    /** Adds a line with a label and a cell for each kind of run. */
    void line(String label, String... cells) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-21s", label));
        for (String cell : cells) {
            line.append(String.format(Locale.ROOT, " %-30s", cell));
        }
        sentence(line.toString().stripTrailing());
    }

    /** Adds a line without columns. */
    void sentence(String line) {
        text.append(line).append(System.lineSeparator());
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
