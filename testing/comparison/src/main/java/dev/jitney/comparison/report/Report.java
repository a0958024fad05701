package dev.jitney.comparison.report;

import dev.jitney.benchmarks.load.Spread;
import dev.jitney.comparison.result.Failure;
import dev.jitney.comparison.result.Figure;
import dev.jitney.comparison.result.Findings;
import dev.jitney.comparison.result.Results;
import dev.jitney.comparison.result.Results.Measured;
import dev.jitney.comparison.result.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The writer of report.md and its plots. Used by one thread. */
public final class Report {
    public static final String FILE = "report.md";

    private static final int FAILURE_LINES_MAX = 5;

    private static final List<Figure> LATENCIES = List.of(
            Figure.ACCEPTED_P50,
            Figure.ACCEPTED_P99,
            Figure.ACCEPTED_P999,
            Figure.RECEIVED_P50,
            Figure.RECEIVED_P99,
            Figure.RECEIVED_P999);
    private static final List<Figure> DISK = List.of(Figure.DISK_P50, Figure.DISK_P99, Figure.DISK_P999);
    private static final List<Figure> BACKLOG = List.of(
            Figure.FILL_PER_SECOND,
            Figure.FILL_CPU_MICROS,
            Figure.FILL_WRITTEN_BYTES,
            Figure.DRAIN_PER_SECOND,
            Figure.DRAIN_CPU_MICROS,
            Figure.DRAIN_WRITTEN_BYTES,
            Figure.FULL_RSS_MIB,
            Figure.PEAK_RSS_MIB,
            Figure.FULL_HEAP_MIB,
            Figure.FULL_DISK_MIB,
            Figure.RESTART_ACCEPTED_MS,
            Figure.RESTART_RECEIVED_MS);

    private final Results results;
    private final List<String> brokers;
    private final List<Measured> scenarios;
    private final Markdown text = new Markdown();

    public Report(Results results) {
        this.results = results;
        this.brokers = results.brokers();
        this.scenarios = results.scenarios();
    }

    /** Writes the report and its plots into a directory. */
    public void write(Path directory) throws IOException {
        text.heading(1, "Comparison: " + String.join(" and ", brokers));
        settings();
        section(directory, "Throughput", "throughput.svg", Figure.PER_SECOND);
        section(directory, "Processor time of the server", "cpu.svg", Figure.CPU_MICROS);
        section(directory, "Processor time of the client", "", Figure.CLIENT_CPU_MICROS);
        latencies(directory);
        section(directory, "Memory", "memory.svg", Figure.RSS_MIB, Figure.PEAK_RSS_MIB, Figure.HEAP_MIB);
        section(directory, "Bytes written", "written.svg", Figure.WRITTEN_BYTES);
        section(directory, "Start", "start.svg", Figure.START_MS, Figure.IDLE_RSS_MIB);
        for (Measured scenario : scenarios) {
            if (scenario.hasSeries()) {
                backlog(directory, scenario);
            }
        }
        failures();
        Files.writeString(directory.resolve(FILE), text.toString());
    }

    private void settings() {
        for (Setting setting : results.settings()) {
            text.paragraph("Measured from " + setting.time()
                    + (setting.smoke() ? ". **A smoke run: its figures mean nothing.**" : "."));
            text.bullets("Machine", setting.machine());
            text.bullets("Client", setting.client());
            setting.brokers().forEach(text::bullets);
        }
        text.paragraph("Medians of the runs, with the smallest and the largest value in brackets. " + quotientNote());
    }

    private void failures() {
        List<Failure> failures = results.failures();
        if (failures.isEmpty()) {
            return;
        }
        text.heading(2, "Runs that failed");
        text.paragraph("The figures above do not include them. Failed runs of other brokers are repeated once.");
        for (Failure failure : failures) {
            text.bullets(
                    "`" + failure.scenario() + "`, " + failure.broker() + ", round " + failure.round()
                            + (failure.repeated() ? ", repeated" : ", not repeated"),
                    failure.message().lines().limit(FAILURE_LINES_MAX).toList());
        }
    }

    private String quotientNote() {
        return brokers.size() < 2
                ? ""
                : "The last column is the median of " + brokers.get(0) + " divided by that of " + brokers.get(1) + ".";
    }

    /** Writes one table for each figure, and one plot of the first figure if a plot is named. */
    private void section(Path directory, String title, String plot, Figure... figures) throws IOException {
        boolean headed = false;
        for (Figure figure : figures) {
            List<Measured> rows = scenarios.stream()
                    .filter(scenario -> !scenario.hasSeries() && scenario.has(figure))
                    .toList();
            if (rows.isEmpty()) {
                continue;
            }
            if (!headed) {
                text.heading(2, title);
                headed = true;
            }
            table(figure.title(), rows, figure);
            if (figure == figures[0] && !plot.isEmpty()) {
                BarChart chart = new BarChart(figure.title(), brokers, false);
                rows.forEach(row -> chart.add(row.id(), spreads(row, figure), figure::text));
                plot(directory, plot, figure.title(), chart.svg());
            }
        }
    }

    private void table(String title, List<Measured> rows, Figure figure) {
        text.row(header(title));
        text.rule();
        for (Measured row : rows) {
            text.row(cells(row.title() + " (`" + row.id() + "`)", row, figure));
        }
        text.end();
    }

    private List<String> header(String first) {
        List<String> cells = new ArrayList<>(List.of(first));
        cells.addAll(brokers);
        if (brokers.size() > 1) {
            cells.add("quotient");
        }
        return cells;
    }

    private List<String> cells(String first, Measured scenario, Figure figure) {
        List<String> cells = new ArrayList<>(List.of(first));
        List<@Nullable Spread> spreads = spreads(scenario, figure);
        for (Spread spread : spreads) {
            cells.add(spread == null ? "not measured" : textOf(spread, figure));
        }
        if (brokers.size() > 1) {
            Spread ours = spreads.get(0);
            Spread theirs = spreads.get(1);
            cells.add(
                    ours == null || theirs == null || theirs.median() == 0
                            ? ""
                            : String.format(Locale.ROOT, "%.2f", ours.median() / theirs.median()));
        }
        return cells;
    }

    private static String textOf(Spread spread, Figure figure) {
        return spread.values().length == 1 ? figure.text(spread.median()) : spread.text(figure::text);
    }

    private List<@Nullable Spread> spreads(Measured scenario, Figure figure) {
        List<@Nullable Spread> spreads = new ArrayList<>();
        brokers.forEach(broker -> spreads.add(scenario.spread(broker, figure)));
        return spreads;
    }

    private void latencies(Path directory) throws IOException {
        List<Measured> rows = scenarios.stream()
                .filter(scenario -> !scenario.hasSeries() && scenario.has(Figure.ACCEPTED_P50))
                .toList();
        if (rows.isEmpty()) {
            return;
        }
        text.heading(2, "Latency");
        text.paragraph(
                "In milliseconds, from the planned send time of a message. Scenarios that run as fast as possible"
                        + " keep thousands of messages in flight, so their latency is mostly waiting time.");
        for (Figure figure : LATENCIES) {
            table(figure.title(), rows.stream().filter(row -> row.has(figure)).toList(), figure);
        }
        List<Measured> paced = rows.stream().filter(row -> row.has(Figure.RATE)).toList();
        if (!paced.isEmpty()) {
            table(Figure.RATE.title(), paced, Figure.RATE);
            text.paragraph(
                    "The disk alone: for each message, a block of 4 KiB overwrites an old one and is synced, without"
                            + " other"
                            + " load. No broker that syncs before the answer can be faster.");
            for (Figure figure : DISK) {
                table(
                        figure.title(),
                        paced.stream().filter(row -> row.has(figure)).toList(),
                        figure);
            }
            BarChart chart = new BarChart("Send to accepted, milliseconds", brokers, true);
            for (Measured row : paced) {
                for (Figure figure : LATENCIES.subList(0, 3)) {
                    String percentile = figure.title().replaceAll(".*, (p[0-9.]+), .*", "$1");
                    chart.add(row.id() + " " + percentile, spreads(row, figure), figure::text);
                }
            }
            plot(directory, "latency.svg", "Send to accepted", chart.svg());
        }
    }

    private void disk(List<Measured> rows) {
        if (!rows.isEmpty()) {
            text.paragraph(
                    "The disk alone, after each run: for each message, a block of 4 KiB overwrites an old one and is"
                            + " synced, without other load. No broker that syncs before the answer can be faster.");
            DISK.forEach(figure -> table(figure.title(), rows, figure));
        }
    }

    private void backlog(Path directory, Measured scenario) throws IOException {
        text.heading(
                2,
                scenario.title().substring(0, 1).toUpperCase(Locale.ROOT)
                        + scenario.title().substring(1));
        text.row(header("Filled, killed, started again, drained"));
        text.rule();
        for (Figure figure : BACKLOG) {
            if (scenario.has(figure)) {
                text.row(cells(figure.title(), scenario, figure));
            }
        }
        text.end();
        tenths(scenario, "Messages per second in each tenth", Findings.FILL_RATES, Findings.DRAIN_RATES, "%,.0f");
        tenths(scenario, "µs of server processor time", Findings.FILL_COSTS, Findings.DRAIN_COSTS, "%.1f");
        LineChart chart = new LineChart("Messages per second, " + scenario.title());
        for (int i = 0; i < brokers.size(); i++) {
            String broker = brokers.get(i);
            chart.add(broker + ", fill", i, false, scenario.series(broker, Findings.FILL_RATES));
            chart.add(broker + ", drain", i, true, scenario.series(broker, Findings.DRAIN_RATES));
        }
        plot(directory, scenario.id() + ".svg", "Messages per second", chart.svg());
    }

    private void tenths(Measured scenario, String title, String fill, String drain, String format) {
        List<String> header = new ArrayList<>(List.of(title));
        List<List<Double>> columns = new ArrayList<>();
        for (String name : List.of(fill, drain)) {
            for (String broker : brokers) {
                header.add(broker + (name.equals(fill) ? ", fill" : ", drain"));
                columns.add(scenario.series(broker, name));
            }
        }
        text.row(header);
        text.rule();
        int parts = columns.stream().mapToInt(List::size).max().orElse(0);
        for (int i = 0; i < parts; i++) {
            List<String> cells = new ArrayList<>(List.of(String.valueOf(i + 1)));
            for (List<Double> column : columns) {
                cells.add(i < column.size() ? String.format(Locale.ROOT, format, column.get(i)) : "");
            }
            text.row(cells);
        }
        text.end();
    }

    private void plot(Path directory, String file, String title, String svg) throws IOException {
        Files.writeString(directory.resolve(file), svg);
        text.paragraph("![" + title + "](" + file + ")");
    }
}
