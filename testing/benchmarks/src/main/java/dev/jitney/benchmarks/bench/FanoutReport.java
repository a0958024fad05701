package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.load.Sending;
import dev.jitney.benchmarks.load.Spread;
import java.util.List;

/**
 * The comparison of runs of sends to a queue and to a topic: medians, and in brackets the smallest and the largest
 * value.
 *
 * @param queue runs with the queue, in order of time
 * @param topic runs with the topic in the same rounds
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

    /** Returns one line for programs. */
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
