package dev.jitney.conformance.observability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.TestBroker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The metrics page of a server. */
final class MetricsPage {
    private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-z][^#\\s{]*(?:\\{.*\\})?) (\\S+)$");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private MetricsPage() {}

    /** Returns values by name and labels, as the page shows them. */
    static Map<String, Double> samples(TestBroker broker) {
        try {
            HttpResponse<String> page = HTTP.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + broker.httpPort() + "/metrics"))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(page.statusCode()).isEqualTo(200);
            Function<MatchResult, String> name = match -> match.group(1);
            return SAMPLE.matcher(page.body())
                    .results()
                    .collect(Collectors.toMap(name, match -> Double.parseDouble(match.group(2))));
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
