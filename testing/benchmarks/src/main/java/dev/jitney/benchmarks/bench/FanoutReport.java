package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.load.Sending;
import dev.jitney.benchmarks.load.Spread;
import java.util.List;

/**
 * Runs of sends to a queue and to a topic, compared: medians, and in brackets the smallest and the largest.
 *
 * @param queue one run after the other
 * @param topic the run of the same round
 */
record FanoutReport(List<Sending> queue, List<Sending> topic) {

    String text() {
        Table table = new Table();
        table.line("", "queue", "topic", "topic / queue");
        for (Figure figure : Figure.of(queue)) {
            Spread ofQueue = figure.spread(queue);
            Spread ofTopic = figure.spread(topic);
            table.line(
                    figure.label(),
                    ofQueue.text(figure::text),
                    ofTopic.text(figure::text),
                    ofTopic.over(ofQueue).ratioText() + ", all " + Spread.ratio(ofTopic.mean() / ofQueue.mean()));
        }
        return table.toString();
    }

    /** One line for programs. */
    String json(int subscriptions, String rules, int sizeBytes) {
        StringBuilder json = new StringBuilder("{\"mode\":\"fanout\",\"subscriptions\":")
                .append(subscriptions)
                .append(",\"rules\":\"")
                .append(rules)
                .append("\",\"sizeBytes\":")
                .append(sizeBytes);
        for (Figure figure : Figure.of(queue)) {
            Spread ofQueue = figure.spread(queue);
            Spread ofTopic = figure.spread(topic);
            json.append(",\"").append(figure.key()).append("\":{\"queue\":").append(ofQueue.json());
            json.append(",\"topic\":").append(ofTopic.json());
            json.append(",\"ratio\":").append(ofTopic.over(ofQueue).json()).append('}');
        }
        return json.append('}').toString();
    }
}
