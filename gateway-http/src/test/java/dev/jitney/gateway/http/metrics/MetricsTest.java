package dev.jitney.gateway.http.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.HttpGateway;
import dev.jitney.gateway.http.HttpGatewayOptions;
import dev.jitney.gateway.http.RawClient;
import dev.jitney.gateway.http.RecordingTunnels;
import dev.jitney.gateway.http.TestBroker;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MetricsTest {
    private final TestBroker broker = new TestBroker();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private HttpGateway gateway;

    @AfterEach
    void stop() {
        gateway.close();
        broker.close();
    }

    @Test
    @DisplayName("An open page needs no token, contains all namespaces, and has the format that the client accepts")
    void open() throws Exception {
        start(
                MetricsAccess.OPEN,
                (format, namespace, out) -> out.write((format + " " + namespace).getBytes(StandardCharsets.UTF_8)));
        HttpResponse<String> text = get("Accept", "*/*");
        assertThat(text.statusCode()).isEqualTo(200);
        assertThat(text.headers().firstValue("content-type")).hasValue("text/plain; version=0.0.4; charset=utf-8");
        assertThat(text.headers().firstValue("content-length")).hasValue("15");
        assertThat(text.body()).isEqualTo("PROMETHEUS null");
        HttpResponse<String> open = get("Accept", "application/openmetrics-text;version=1.0.0,text/plain;q=0.2");
        assertThat(open.headers().firstValue("content-type"))
                .hasValue("application/openmetrics-text; version=1.0.0; charset=utf-8");
        assertThat(open.body()).isEqualTo("OPEN_METRICS null");
    }

    @Test
    @DisplayName("A large page arrives completely, compressed if the client accepts that, otherwise plain")
    void large() throws Exception {
        byte[] text = "jitney_entity_messages{entity=\"q\"} 1\n".repeat(200_000).getBytes(StandardCharsets.UTF_8);
        start(MetricsAccess.OPEN, (format, namespace, out) -> out.write(text));
        HttpResponse<byte[]> zipped =
                client.send(request().header("Accept-Encoding", "gzip").build(), BodyHandlers.ofByteArray());
        assertThat(zipped.headers().firstValue("content-encoding")).hasValue("gzip");
        assertThat(zipped.body().length).isLessThan(text.length / 20);
        assertThat(new GZIPInputStream(new ByteArrayInputStream(zipped.body())).readAllBytes())
                .isEqualTo(text);
        HttpResponse<byte[]> plain = client.send(request().build(), BodyHandlers.ofByteArray());
        assertThat(plain.headers().firstValue("content-encoding")).isEmpty();
        assertThat(plain.body()).isEqualTo(text);
    }

    @Test
    @DisplayName("HTTP 1.5: an authorized page needs a token with Listen or Manage, and contains only its namespace")
    void authorized() throws Exception {
        start(
                MetricsAccess.AUTHORIZED,
                (format, namespace, out) -> out.write(String.valueOf(namespace).getBytes(StandardCharsets.UTF_8)));
        assertThat(get("Accept", "*/*").statusCode()).isEqualTo(401);
        assertThat(get("Authorization", TestBroker.token("https://h", "send", "send-key"))
                        .statusCode())
                .isEqualTo(401);
        assertThat(get("Authorization", TestBroker.token("https://h/q", "listen", "listen-key"))
                        .statusCode())
                .as("a token for one entity")
                .isEqualTo(401);
        HttpResponse<String> listen = get("Authorization", TestBroker.token("https://h", "listen", "listen-key"));
        assertThat(listen.statusCode()).isEqualTo(200);
        assertThat(listen.body()).isEqualTo("first");
        assertThat(get("Authorization", TestBroker.token()).statusCode()).isEqualTo(200);
    }

    @Test
    @DisplayName("Without metrics, the path is that of an entity, which needs a token")
    void off() throws Exception {
        start(MetricsAccess.OFF, (format, namespace, out) -> {});
        assertThat(get("Accept", "*/*").statusCode()).isEqualTo(401);
    }

    @Test
    @DisplayName("A request during the creation of a page waits for it; other requests are served meanwhile")
    void oneAtATime() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger made = new AtomicInteger();
        start(MetricsAccess.OPEN, (format, namespace, out) -> {
            begun.countDown();
            try {
                goOn.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            out.write(("page " + made.incrementAndGet()).getBytes(StandardCharsets.UTF_8));
        });
        List<RawClient> asking = new ArrayList<>();
        try (RawClient other = new RawClient(gateway.httpPort())) {
            for (int i = 0; i < 8; i++) {
                asking.add(new RawClient(gateway.httpPort()));
                assertHealthy(asking.get(i)); // so it is accepted
            }
            assertHealthy(other);
            for (RawClient each : asking) {
                each.send("GET /metrics HTTP/1.1\r\nHost: h\r\n\r\n");
            }
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            // After two iterations, the single event loop has read all data sent before.
            for (int i = 0; i < 3; i++) {
                assertHealthy(other);
            }
            goOn.countDown();
            for (RawClient each : asking) {
                assertThat(each.answer()).endsWith("\r\n\r\npage 1");
            }
        } finally {
            for (RawClient each : asking) {
                each.close();
            }
        }
        assertThat(made).hasValue(1);
    }

    private static void assertHealthy(RawClient client) throws IOException {
        assertThat(client.send("GET /health HTTP/1.1\r\nHost: h\r\n\r\n").answer())
                .startsWith("HTTP/1.1 200 ");
    }

    @Test
    @DisplayName("A page that fails returns 500 and is created again on the next request")
    void failure() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        start(MetricsAccess.OPEN, (format, namespace, out) -> {
            if (tries.incrementAndGet() == 1) {
                throw new IOException("no");
            }
        });
        assertThat(get("Accept", "*/*").statusCode()).isEqualTo(500);
        assertThat(get("Accept", "*/*").statusCode()).isEqualTo(200);
    }

    @Test
    @DisplayName("Requests count by route, method and status, and text from clients never becomes a label")
    void counts() throws Exception {
        start(MetricsAccess.OPEN, (format, namespace, out) -> {});
        get("Accept", "*/*");
        for (int i = 0; i < 3; i++) {
            client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.httpPort() + "/made-up-" + i))
                            .method("BREW", HttpRequest.BodyPublishers.noBody())
                            .build(),
                    BodyHandlers.ofString());
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (gateway.figures().requests().stream()
                                .mapToLong(HttpFigures.Requests::count)
                                .sum()
                        < 4
                && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(gateway.figures().requests())
                .contains(new HttpFigures.Requests("/metrics", "GET", 200, 1))
                .hasSize(2)
                .anySatisfy(other -> {
                    assertThat(other.route()).isEqualTo("administration");
                    assertThat(other.method()).isEqualTo("other");
                    assertThat(other.count()).isEqualTo(3);
                });
        assertThat(gateway.figures().connections()).isPositive();
        assertThat(gateway.figures().refusedConnections()).isZero();
    }

    private void start(MetricsAccess access, MetricsSource source) throws IOException {
        gateway = HttpGateway.start(
                new HttpGatewayOptions("127.0.0.1", 0, null, null),
                broker.broker,
                () -> null,
                new RecordingTunnels(),
                new HttpMetrics(access, source));
    }

    private HttpRequest.Builder request() {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.httpPort() + "/metrics"));
    }

    private HttpResponse<String> get(String header, String value) throws Exception {
        return client.send(request().header(header, value).build(), BodyHandlers.ofString());
    }
}
