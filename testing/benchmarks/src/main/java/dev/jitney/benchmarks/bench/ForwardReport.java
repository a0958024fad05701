package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.load.Sending;
import dev.jitney.benchmarks.load.Spread;
import java.util.List;

/**
 * Runs of sends and receives at once on a queue, through one forward, and through a chain, compared: medians, and in
 * brackets the smallest and the largest.
 *
 * @param queue one run after the other
 * @param once the runs of the same rounds through one forward
 * @param chain the runs of the same rounds through {@code hops} forwards
 */
record ForwardReport(List<Sending> queue, List<Sending> once, List<Sending> chain, int hops) {

    String text() {
        Table table = new Table();
        table.line("", "queue", "one forward", hops + " forwards");
        for (Figure figure : Figure.of(queue)) {
            table.line(
                    figure.label(),
                    figure.spread(queue).text(figure::text),
                    figure.spread(once).text(figure::text),
                    figure.spread(chain).text(figure::text));
        }
        table.sentence("A forward costs " + cost(once, 1).ratioText() + " times a send and a receive; in the chain "
                + cost(chain, hops).ratioText() + " times.");
        table.sentence("Throughput of the chain / of the queue: " + throughput().ratioText() + ".");
        return table.toString();
    }

    /** Processor time of one forward, in times of what a send and a receive take. */
    private Spread cost(List<Sending> runs, int forwards) {
        return Figure.CPU
                .spread(runs)
                .with(Figure.CPU.spread(queue), (with, without) -> (with - without) / forwards / without);
    }

    private Spread throughput() {
        return Figure.RATE.spread(chain).over(Figure.RATE.spread(queue));
    }

    /** One line for programs. */
    String json(int sizeBytes) {
        StringBuilder json = new StringBuilder("{\"mode\":\"forward\",\"hops\":")
                .append(hops)
                .append(",\"sizeBytes\":")
                .append(sizeBytes);
        for (Figure figure : Figure.of(queue)) {
            json.append(",\"").append(figure.key()).append("\":{\"queue\":");
            json.append(figure.spread(queue).json());
            json.append(",\"once\":").append(figure.spread(once).json());
            json.append(",\"chain\":").append(figure.spread(chain).json()).append('}');
        }
        json.append(",\"costRatio\":{\"once\":").append(cost(once, 1).json());
        json.append(",\"chain\":").append(cost(chain, hops).json());
        return json.append("},\"throughputRatio\":")
                .append(throughput().json())
                .append('}')
                .toString();
    }
}
