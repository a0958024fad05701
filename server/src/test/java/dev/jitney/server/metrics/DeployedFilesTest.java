package dev.jitney.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jitney.runtime.security.SharedAccessSignature;
import dev.jitney.server.JitneyServer;
import dev.jitney.server.ServerOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard and the alert rules in {@code deploy/} use metrics of a started server. */
class DeployedFilesTest {
    private static final Path DASHBOARD = Path.of("../deploy/grafana/jitney.json");
    private static final Path RULES = Path.of("../deploy/prometheus/jitney-rules.yaml");
    private static final Pattern METRIC =
            Pattern.compile("\\b((?:jitney|jvm|process|system)_[a-z_0-9]+)(\\{[^}]*\\})?");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*(?:=~|!=|!~|=)\\s*\"");

    /** Labels that Prometheus adds, or that belong to histograms. */
    private static final Set<String> LABELS_OF_PROMETHEUS = Set.of("job", "instance");

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    Path dir;

    @Test
    @DisplayName("Every metric and every label of the dashboard and the alert rules is on the page of a server or node")
    void names() throws Exception {
        List<String> expressions = new ArrayList<>(dashboardExpressions());
        assertThat(expressions).hasSizeGreaterThan(20);
        int inDashboard = expressions.size();
        expressions.addAll(ruleExpressions());
        assertThat(expressions.size() - inDashboard).isGreaterThan(10);
        String page = page() + ClusterMetricsTest.page();
        Set<String> missing = new TreeSet<>();
        for (String expression : expressions) {
            assertThat(expression.chars().filter(c -> c == '(').count())
                    .as(expression)
                    .isEqualTo(expression.chars().filter(c -> c == ')').count());
            Matcher metrics = METRIC.matcher(expression);
            while (metrics.find()) {
                String samples = samples(page, metrics.group(1));
                if (samples.isEmpty()) {
                    missing.add(metrics.group(1));
                }
                Matcher labels = LABEL.matcher(metrics.group(2) == null ? "" : metrics.group(2));
                while (labels.find()) {
                    if (!LABELS_OF_PROMETHEUS.contains(labels.group(1)) && !samples.contains(labels.group(1) + "=\"")) {
                        missing.add(metrics.group(1) + "{" + labels.group(1) + "}");
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    @DisplayName("The page of a started server has the size and the free space of its store")
    void disk() throws Exception {
        String page = page();
        assertThat(value(page, "jitney_store_disk_free_bytes")).isPositive();
        assertThat(value(page, "jitney_store_log_size_bytes")).isPositive();
        assertThat(value(page, "jitney_store_size_bytes")).isNotNegative();
        assertThat(value(page, "jitney_store_until_refused_bytes"))
                .isBetween(0.0, value(page, "jitney_store_disk_free_bytes"));
    }

    private static double value(String page, String metric) {
        String line = samples(page, metric);
        return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1).strip());
    }

    private static String samples(String page, String metric) {
        StringBuilder found = new StringBuilder();
        page.lines()
                .filter(line -> line.startsWith(metric + "{") || line.startsWith(metric + " "))
                .forEach(line -> found.append(line).append('\n'));
        return found.toString();
    }

    private static List<String> dashboardExpressions() throws Exception {
        JsonNode dashboard = new ObjectMapper().readTree(Files.readString(DASHBOARD));
        List<String> all = new ArrayList<>();
        Set<Integer> ids = new TreeSet<>();
        for (JsonNode panel : dashboard.get("panels")) {
            assertThat(ids.add(panel.get("id").asInt()))
                    .as(panel.get("title").asText())
                    .isTrue();
            panel.path("targets").forEach(target -> all.add(target.get("expr").asText()));
        }
        dashboard.get("templating").get("list").forEach(variable -> {
            if (variable.has("definition")) {
                all.add(variable.get("definition").asText());
            }
        });
        return all;
    }

    private static List<String> ruleExpressions() throws Exception {
        return Pattern.compile("(?m)^        expr: '(.*)'$")
                .matcher(Files.readString(RULES))
                .results()
                .map(rule -> rule.group(1))
                .toList();
    }

    /** Returns the page of a server with a queue, a message in it and a topic. */
    private String page() throws Exception {
        try (JitneyServer server = JitneyServer.builder()
                .dataDir(dir)
                .amqpPort(0)
                .httpPort(0)
                .build()
                .start()) {
            String base = "http://localhost:" + server.httpPort();
            put(base + "/orders", "QueueDescription");
            put(base + "/events", "TopicDescription");
            HttpResponse<String> sent = client.send(
                    HttpRequest.newBuilder(URI.create(base + "/orders/messages"))
                            .header("Authorization", token())
                            .POST(BodyPublishers.ofString("hello"))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(sent.statusCode()).isEqualTo(201);
            String page = metrics(base);
            System.gc(); // pauses are shown after the first one since the first page
            long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (!page.contains("jvm_gc_pause_seconds_sum") && System.nanoTime() < deadlineNs) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
                page = metrics(base);
            }
            return page;
        }
    }

    private String metrics(String base) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(base + "/metrics")).build();
        return client.send(request, BodyHandlers.ofString()).body();
    }

    private void put(String uri, String element) throws Exception {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create(uri + "?api-version=2021-05"))
                        .header("Authorization", token())
                        .PUT(BodyPublishers.ofString(
                                "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\"><"
                                        + element
                                        + " xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\"/>"
                                        + "</content></entry>"))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    private static String token() {
        return SharedAccessSignature.create(
                "http://localhost/", "RootManageSharedAccessKey", ServerOptions.DEFAULT_SAS_KEY, 4_000_000_000L);
    }
}
