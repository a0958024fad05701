package dev.jitney.benchmarks.bench;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/**
 * Runs of sends to a queue and to a topic, compared: medians, and in brackets the smallest and the largest.
 *
 * @param queue one run after the other
 * @param topic the run of the same round
 */
record FanoutReport(List<Sending> queue, List<Sending> topic) {

    private enum Figure {
        RATE("messages/s", "messagesPerSecond", Sending::perSecond, "%,.0f"),
        CPU("us of server cpu/msg", "serverCpuMicrosPerMessage", Sending::cpuMicros, "%.2f"),
        STORE("store bytes/msg", "storeBytesPerMessage", Sending::storeBytes, "%,.0f"),
        DISK("disk bytes/msg", "diskBytesPerMessage", Sending::diskBytes, "%,.0f");

        private final String label;
        private final String key;
        private final ToDoubleFunction<Sending> value;
        private final DoubleFunction<String> format;

        Figure(String label, String key, ToDoubleFunction<Sending> value, String format) {
            this.label = label;
            this.key = key;
            this.value = value;
            this.format = number -> String.format(Locale.ROOT, format, number);
        }

        private Spread of(List<Sending> runs) {
            return new Spread(runs.stream().mapToDouble(value).toArray());
        }
    }

    String text() {
        StringBuilder text = new StringBuilder();
        line(text, "", "queue", "topic", "topic / queue");
        for (Figure figure : figures()) {
            Spread ofQueue = figure.of(queue);
            Spread ofTopic = figure.of(topic);
            line(
                    text,
                    figure.label,
                    ofQueue.text(figure.format),
                    ofTopic.text(figure.format),
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
        for (Figure figure : figures()) {
            Spread ofQueue = figure.of(queue);
            Spread ofTopic = figure.of(topic);
            json.append(",\"").append(figure.key).append("\":{\"queue\":").append(ofQueue.json());
            json.append(",\"topic\":").append(ofTopic.json());
            json.append(",\"ratio\":").append(ofTopic.over(ofQueue).json()).append('}');
        }
        return json.append('}').toString();
    }

    private List<Figure> figures() {
        boolean disk = queue.stream().allMatch(run -> run.diskBytes() > 0);
        return disk ? List.of(Figure.values()) : List.of(Figure.RATE, Figure.CPU, Figure.STORE);
    }

    private static void line(StringBuilder text, String... cells) {
        text.append(String.format(Locale.ROOT, "%-21s %-30s %-30s %s", (Object[]) cells)
                        .stripTrailing())
                .append(System.lineSeparator());
    }
}
