package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.load.Sending;
import dev.jitney.benchmarks.load.Spread;
import java.util.List;

/**
 * The comparison of simultaneous sends and receives on a queue, through one forward, and through a chain: medians, and
 * in brackets the smallest and the largest value.
 *
 * @param queue runs with one queue, in order of time
 * @param once runs of the same rounds through one forward
 * @param chain runs of the same rounds through {@code hops} forwards
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

    /** Returns the processor time of one forward as a multiple of the processor time of a send and a receive. */
    private Spread cost(List<Sending> runs, int forwards) {
        return Figure.CPU
                .spread(runs)
                .with(Figure.CPU.spread(queue), (with, without) -> (with - without) / forwards / without);
    }

    private Spread throughput() {
        return Figure.RATE.spread(chain).over(Figure.RATE.spread(queue));
    }

    /** Returns one line for programs. */
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
