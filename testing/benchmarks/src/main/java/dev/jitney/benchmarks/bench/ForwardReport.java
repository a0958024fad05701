package dev.jitney.benchmarks.bench;

import java.util.List;
import java.util.Locale;

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
        StringBuilder text = new StringBuilder();
        line(text, "", "queue", "one forward", hops + " forwards");
        for (Figure figure : Figure.of(queue)) {
            line(
                    text,
                    figure.label(),
                    figure.spread(queue).text(figure::text),
                    figure.spread(once).text(figure::text),
                    figure.spread(chain).text(figure::text));
        }
        text.append(String.format(
                "A forward costs %s times a send and a receive; in the chain %s times.%n",
                cost(once, 1).text(ForwardReport::ratio), cost(chain, hops).text(ForwardReport::ratio)));
        text.append(String.format(
                "Throughput of the chain / of the queue: %s.%n", throughput().text(ForwardReport::ratio)));
        return text.toString();
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

    private static String ratio(double ratio) {
        return String.format(Locale.ROOT, "%.2f", ratio);
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

    private static void line(StringBuilder text, String... cells) {
        text.append(String.format(Locale.ROOT, "%-21s %-30s %-30s %s", (Object[]) cells)
                        .stripTrailing())
                .append(System.lineSeparator());
    }
}
