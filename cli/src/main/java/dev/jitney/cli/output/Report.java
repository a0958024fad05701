package dev.jitney.cli.output;

import dev.jitney.cli.value.Durations;
import dev.jitney.cli.value.Json;
import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A printer of documents on standard output, one at a time: as one JSON document per line, as rows of a table, or as a list of
 * names and values for a single one. Closing it prints the buffered page of the table.
 */
public final class Report implements AutoCloseable {
    private final PrintStream out;
    private final OutputFormat format;
    private final List<Column> columns;
    private final Table table;
    private long count;

    private Report(PrintStream out, OutputFormat format, List<Column> columns) {
        this.out = out;
        this.format = format;
        this.columns = columns;
        this.table = new Table(columns.stream().map(Column::header).toArray(String[]::new));
    }

    /** A column of a table: a heading and the member of the document. */
    public record Column(String header, String member) {}

    /** Opens a report for documents with the same members. */
    public static Report of(PrintStream out, OutputFormat format, List<Column> columns) {
        return new Report(out, format, columns);
    }

    /** Prints a document. */
    public void add(Map<String, ? extends @Nullable Object> document) {
        count++;
        if (format == OutputFormat.JSON) {
            out.println(Json.line(document));
        } else {
            String[] cells = new String[columns.size()];
            for (int i = 0; i < cells.length; i++) {
                cells[i] = text(document.get(columns.get(i).member()));
            }
            out.print(table.add(cells));
        }
        check();
    }

    /** Returns the number of documents. */
    public long count() {
        return count;
    }

    /** Prints the buffered page of the table. Afterwards all added documents have been printed. */
    public void flush() {
        if (format == OutputFormat.TABLE && count > 0) {
            out.print(table.flush());
        }
        check();
    }

    /** Fails if standard output is closed, as after {@code | head}, because further work would be useless. */
    private void check() {
        if (out.checkError()) {
            throw new Failure(
                    Failure.FAULT, "Standard output is closed. Messages that were not printed are unchanged.");
        }
    }

    @Override
    public void close() {
        if (!out.checkError()) {
            flush();
        }
    }

    /** Prints a single document: one member per line, or the JSON. */
    public static void single(PrintStream out, OutputFormat format, Map<String, ? extends @Nullable Object> document) {
        if (format == OutputFormat.JSON) {
            out.println(Json.line(document));
        } else {
            int width =
                    document.keySet().stream().mapToInt(String::length).max().orElse(0);
            document.forEach((name, value) -> {
                String shown = Table.harmless(text(value));
                out.println((name + " ".repeat(width - name.length() + 2) + shown).stripTrailing());
            });
        }
        out.flush();
    }

    private static String text(@Nullable Object value) {
        if (value == null) {
            return "";
        } else if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> document = new LinkedHashMap<>();
            map.forEach((name, member) -> document.put(String.valueOf(name), member));
            return Json.line(document);
        }
        return value instanceof Duration duration ? Durations.readable(duration) : value.toString();
    }
}
