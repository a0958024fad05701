package dev.jitney.benchmarks.bench;

import java.util.List;
import java.util.Locale;

/**
 * Runs of sends to a queue and to a topic, compared: medians, and in brackets the smallest and the largest.
 *
 * @param queue one run after the other
 * @param topic the run of the same round
 */
record FanoutReport(List<Sending> queue, List<Sending> topic) {

    String text() {
        StringBuilder text = new StringBuilder();
        line(text, "", "queue", "topic", "topic / queue");
        for (Figure figure : Figure.of(queue)) {
            Spread ofQueue = figure.spread(queue);
            Spread ofTopic = figure.spread(topic);
            line(
                    text,
                    figure.label(),
                    ofQueue.text(figure::text),
                    ofTopic.text(figure::text),
                    ofTopic.over(ofQueue).text(FanoutReport::ratio) + ", all "
                            + ratio(ofTopic.mean() / ofQueue.mean()));
        }
        return text.toString();
    }

    private static String ratio(double ratio) {
        return String.format(Locale.ROOT, "%.2f", ratio);
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

    private static void line(StringBuilder text, String... cells) {
        text.append(String.format(Locale.ROOT, "%-21s %-30s %-30s %s", (Object[]) cells)
                        .stripTrailing())
                .append(System.lineSeparator());
    }
}
