package dev.jitney.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The probes of a server that starts, closes or has a closed listener. */
class ProbesTest {
    private final HttpClient client = HttpClient.newHttpClient();
    private final TestBroker broker = new TestBroker();
    private volatile ServerHealth.Phase phase = ServerHealth.Phase.SERVING;
    private volatile @Nullable String listenerTrouble;
    private HttpGateway gateway;

    @BeforeEach
    void start() throws Exception {
        ServerHealth health = new ServerHealth() {
            @Override
            public @Nullable String trouble() {
                return null;
            }

            @Override
            public Phase phase() {
                return phase;
            }

            @Override
            public @Nullable String listenerTrouble() {
                return listenerTrouble;
            }
        };
        gateway = HttpGateway.start(
                new HttpGatewayOptions("127.0.0.1", 0, null, null), broker.broker, health, new RecordingTunnels());
    }

    @AfterEach
    void stop() {
        gateway.close();
        broker.close();
    }

    @Test
    @DisplayName("a server that starts or closes is alive and not ready")
    void startAndClose() throws Exception {
        phase = ServerHealth.Phase.STARTING;
        assertThat(get("/health/ready", 503).getString("status")).isEqualTo("starting");
        assertThat(get("/health/live", 200).getString("status")).isEqualTo("alive");
        phase = ServerHealth.Phase.CLOSING;
        JsonObject closing = get("/health/ready", 503);
        assertThat(closing.getString("status")).isEqualTo("closing");
        assertThat(closing.getJsonArray("reasons")).containsExactly("The server is shutting down.");
        assertThat(get("/health/live", 200).getString("status")).isEqualTo("alive");
    }

    @Test
    @DisplayName("a server without a cluster is in sync as long as it is healthy")
    void synced() throws Exception {
        assertThat(get("/health/synced", 200)).isEqualTo(get("/health", 200));
    }

    @Test
    @DisplayName("a port for health pages has nothing else")
    void ownPort() throws Exception {
        try (HttpGateway other = HttpGateway.start(
                new HttpGatewayOptions("127.0.0.1", 0, null, null).withHealthPort(0),
                broker.broker,
                () -> null,
                new RecordingTunnels())) {
            Integer port = other.healthPort();
            assertThat(port).isNotNull();
            for (String path : List.of("/health", "/health/ready", "/health/live", "/health/synced")) {
                assertThat(status(port, path)).as(path).isEqualTo(200);
            }
            for (String path :
                    List.of("/", "/metrics", "/$Resources/queues", "/orders", "/health?api-version=2021-05")) {
                assertThat(status(port, path)).as(path).isEqualTo(404);
            }
            assertThat(status(other.httpPort(), "/health")).isEqualTo(200);
        }
    }

    private int status(int port, String path) throws Exception {
        return client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    @DisplayName("a server with a closed listener is not ready")
    void listener() throws Exception {
        listenerTrouble = "A listener for AMQP has closed.";
        JsonObject body = get("/health/ready", 503);
        assertThat(body.getString("status")).isEqualTo("unavailable");
        assertThat(body.getJsonArray("reasons")).containsExactly("A listener for AMQP has closed.");
    }

    private JsonObject get(String path, int status) throws Exception {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.httpPort() + path))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return new JsonObject(answer.body());
    }
}
