package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.load.Sending;
import dev.jitney.benchmarks.load.Spread;
import java.util.List;

/**
 * The comparison of simultaneous sends and receives on an ordinary queue and on one with fragments: medians, and in
 * brackets the smallest and the largest value.
 *
 * @param ordinary runs with the ordinary queue, in order of time
 * @param partitioned runs of the same rounds with fragments
 */
record PartitionedReport(List<Sending> ordinary, List<Sending> partitioned) {

    String text() {
        Table table = new Table();
        table.line("", "one sequence", "fragments");
        for (Figure figure : Figure.of(ordinary)) {
            table.line(
                    figure.label(),
                    figure.spread(ordinary).text(figure::text),
                    figure.spread(partitioned).text(figure::text));
        }
        table.sentence("Throughput of the fragments / of one sequence: "
                + ratio(Figure.RATE).ratioText());
        table.sentence("Processor time of the fragments / of one sequence: "
                + ratio(Figure.CPU).ratioText());
        return table.toString();
    }

    private Spread ratio(Figure figure) {
        return figure.spread(partitioned).over(figure.spread(ordinary));
    }

    /** Returns one line for programs. */
    String json(int sizeBytes) {
        StringBuilder json = new StringBuilder("{\"mode\":\"partitioned\",\"sizeBytes\":").append(sizeBytes);
        for (Figure figure : Figure.of(ordinary)) {
            json.append(",\"").append(figure.key()).append("\":{\"ordinary\":");
            json.append(figure.spread(ordinary).json());
            json.append(",\"partitioned\":").append(figure.spread(partitioned).json());
            json.append(",\"ratio\":").append(ratio(figure).json()).append('}');
        }
        return json.append('}').toString();
    }
}
