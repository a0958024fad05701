package dev.jitney.crash.greedy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** The metrics of a server about its memory. Missing metrics are absent. */
record MetricsPage(List<String> lines) {
    static final String BUDGET = "jitney_memory_budget_bytes";
    static final String CLAIMED = "jitney_memory_claimed_bytes";

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    /** Reads the metrics. Returns an empty page if the server does not reply in time. */
    static MetricsPage of(int httpPort) throws InterruptedException {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + "/metrics"))
                    .timeout(PATIENCE)
                    .build();
            HttpResponse<String> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            return new MetricsPage(
                    answer.statusCode() == 200 ? answer.body().lines().toList() : List.of());
        } catch (IOException unanswered) {
            return new MetricsPage(List.of());
        }
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }

    /** Returns the metrics of a queue and of the shards that are not zero. */
    String about(String queue) {
        return lines.stream()
                .filter(line -> line.contains("entity=\"" + queue + "\"") || line.startsWith("jitney_shard"))
                .filter(line -> value(line) != 0 && !line.contains("_bucket"))
                .collect(Collectors.joining("\n"));
    }

    /** Returns the sum of a metric over all its labels. */
    OptionalDouble sum(String name) {
        List<String> found = of(name);
        return found.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        found.stream().mapToDouble(MetricsPage::value).sum());
    }

    /** Returns the used bytes of the Java heap, including garbage. */
    OptionalDouble heapBytes() {
        List<String> heap = of("jvm_memory_used_bytes").stream()
                .filter(line -> line.contains("area=\"heap\""))
                .toList();
        return heap.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        heap.stream().mapToDouble(MetricsPage::value).sum());
    }

    /** Returns the claimed bytes by purpose, without zeros. */
    Map<String, Long> claimed() {
        Map<String, Long> claimed = new LinkedHashMap<>();
        for (String line : of(CLAIMED)) {
            int from = line.indexOf("purpose=\"");
            String purpose = from < 0 ? "all" : line.substring(from + 9, line.indexOf('"', from + 9));
            if (value(line) != 0) {
                claimed.merge(purpose, (long) value(line), Long::sum);
            }
        }
        return claimed;
    }

    private List<String> of(String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .toList();
    }

    private static double value(String line) {
        return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    }
}
