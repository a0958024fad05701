package dev.jitney.gateway.http.stores;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.HttpGateway;
import dev.jitney.gateway.http.HttpGatewayOptions;
import dev.jitney.gateway.http.RecordingTunnels;
import dev.jitney.gateway.http.TestBroker;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.store.Table;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("PART-56, PART-58: stores are listed, stopped and started over HTTP, and their entities show it")
class StoresTest {
    private static final String ROOT = "RootManageSharedAccessKey";
    private final TestBroker broker = TestBroker.onStores(2);
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpGateway gateway;

    @BeforeEach
    void open() throws IOException {
        gateway = HttpGateway.start(
                new HttpGatewayOptions("127.0.0.1", 0, null, null),
                broker.broker,
                broker.broker::trouble,
                new RecordingTunnels());
    }

    @AfterEach
    void close() {
        gateway.close();
        broker.close();
    }

    private HttpResponse<String> send(String method, String target, String token, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.httpPort() + target))
                .method(method, BodyPublishers.ofString(headers.length == 0 ? "" : entry()));
        if (token != null) {
            request.header("Authorization", token);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static String entry() {
        return "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\"><QueueDescription"
                + " xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\"><MaxDeliveryCount>3"
                + "</MaxDeliveryCount></QueueDescription></content></entry>";
    }

    private JsonObject json(String method, String target) throws Exception {
        HttpResponse<String> answer = send(method, target, TestBroker.token());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json; charset=utf-8");
        return new JsonObject(answer.body());
    }

    @Test
    @DisplayName("state, trouble and health show a stopped store and its return")
    void stopAndStart() throws Exception {
        assertThat(json("GET", "/$stores").getJsonArray("stores")).hasSize(2);
        assertThat(json("GET", "/$stores").getString("version")).isEqualTo("unknown");
        assertThat(json("GET", "/%24stores/1").getString("state")).isEqualTo("serving");
        JsonObject stopped = json("POST", "/$stores/1/stop");
        assertThat(stopped.getInteger("store")).isEqualTo(1);
        assertThat(stopped.getString("state")).isEqualTo("stopped");
        assertThat(stopped.getBoolean("acceptsMessages")).isFalse();
        assertThat(stopped.getString("trouble")).contains("store 1", "administrator");
        assertThat(json("GET", "/$stores/0").getString("state")).isEqualTo("serving");
        HttpResponse<String> health = send("GET", "/health", null);
        assertThat(health.statusCode()).isEqualTo(503);
        assertThat(health.body()).contains("store 1").doesNotContain("store 0");
        assertThat(json("POST", "/$stores/1/start").getString("state")).isEqualTo("serving");
        assertThat(send("GET", "/health", null).statusCode()).isEqualTo(200);
    }

    @Test
    @DisplayName(
            "a server without one of its stores is alive, ready and degraded; without any it is alive and not ready")
    void probes() throws Exception {
        assertThat(probe("/health/ready", 200).encode())
                .isEqualTo("{\"status\":\"ready\",\"degraded\":false,\"reasons\":[]}");
        json("POST", "/$stores/1/stop");
        JsonObject degraded = probe("/health/ready", 200);
        assertThat(degraded.getString("status")).isEqualTo("degraded");
        assertThat(degraded.getBoolean("degraded")).isTrue();
        assertThat(degraded.getJsonArray("reasons"))
                .containsExactly("Messaging store 1 was stopped by an administrator.");
        json("POST", "/$stores/0/stop");
        JsonObject unavailable = probe("/health/ready", 503);
        assertThat(unavailable.getString("status")).isEqualTo("unavailable");
        assertThat(unavailable.getJsonArray("reasons")).hasSize(2);
        assertThat(probe("/health/live", 200).encode()).isEqualTo("{\"status\":\"alive\",\"reasons\":[]}");
        assertThat(send("HEAD", "/health/live", null).statusCode()).isEqualTo(200);
        json("POST", "/$stores/0/start");
        json("POST", "/$stores/1/start");
        assertThat(probe("/health/ready", 200).getString("status")).isEqualTo("ready");
    }

    private JsonObject probe(String target, int status) throws Exception {
        HttpResponse<String> answer = send("GET", target, null);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("cache-control")).hasValue("no-store");
        return new JsonObject(answer.body());
    }

    @Test
    @DisplayName(
            "PART-56, PART-58: Get returns Limited and the known properties; updates and sends are refused as busy")
    void entitiesOfAStoppedStore() throws Exception {
        List<Entity> queues = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            queues.add(broker.create("q" + i));
        }
        json("POST", "/$stores/1/stop");
        int limited = 0;
        for (Entity queue : queues) {
            String target = "/" + queue.path() + "?api-version=2021-05";
            HttpResponse<String> got = send("GET", target, TestBroker.token());
            assertThat(got.statusCode()).isEqualTo(200);
            assertThat(got.body()).contains("<MessageCount>0</MessageCount>");
            boolean isLimited = got.body().contains("<EntityAvailabilityStatus>Limited</EntityAvailabilityStatus>");
            limited += isLimited ? 1 : 0;
            HttpResponse<String> updated = send("PUT", target, TestBroker.token(), "If-Match", "*");
            assertThat(updated.statusCode()).as(updated.body()).isEqualTo(isLimited ? 503 : 200);
            HttpResponse<String> sent = send("POST", "/" + queue.path() + "/messages", TestBroker.token());
            assertThat(sent.statusCode()).as(sent.body()).isEqualTo(isLimited ? 503 : 201);
        }
        assertThat(limited).isBetween(1, 19);
        assertThat(send("GET", "/$Resources/Queues?api-version=2021-05", TestBroker.token())
                        .body()
                        .split("<EntityAvailabilityStatus>Limited<", -1))
                .hasSize(limited + 1);
        json("POST", "/$stores/1/start");
        for (Entity queue : queues) {
            assertThat(send("GET", "/" + queue.path() + "?api-version=2021-05", TestBroker.token())
                            .body())
                    .contains("<EntityAvailabilityStatus>Available<");
        }
    }

    @Test
    @DisplayName("ADR 20: trouble, degraded health and Limited show corrupt entities of a working store")
    void damagedEntities() throws Exception {
        List<Entity> queues = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            queues.add(broker.create("q" + i));
        }
        json("POST", "/$stores/1/stop");
        broker.stores.get(1).damage(Table.FRAGMENTS, key -> true);
        JsonObject store = json("POST", "/$stores/1/start");
        assertThat(store.getString("state")).isEqualTo("serving");
        assertThat(store.getBoolean("acceptsMessages")).isTrue();
        assertThat(store.getString("trouble")).contains("Queue 'q", "of namespace 'first' is out of service");
        HttpResponse<String> health = send("GET", "/health", null);
        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body())
                .startsWith("{\"status\":\"degraded\",\"message\":\"Messaging store 1 has corrupt entities")
                .doesNotContain("'q");
        int limited = 0;
        for (Entity queue : queues) {
            String target = "/" + queue.path() + "?api-version=2021-05";
            boolean isLimited = send("GET", target, TestBroker.token()).body().contains(">Limited<");
            limited += isLimited ? 1 : 0;
            HttpResponse<String> sent = send("POST", "/" + queue.path() + "/messages", TestBroker.token());
            assertThat(sent.statusCode()).as(sent.body()).isEqualTo(isLimited ? 503 : 201);
            if (isLimited) {
                assertThat(sent.body()).contains("out of service");
                assertThat(send("DELETE", target, TestBroker.token()).statusCode())
                        .isEqualTo(200);
            }
        }
        assertThat(limited).isBetween(1, 19);
        assertThat(send("GET", "/health", null).body()).contains("\"healthy\"");
        assertThat(json("GET", "/$stores/1").getString("trouble")).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /$stores/2, 404",
        "GET, /$stores/-1, 404",
        "GET, /$stores/x, 404",
        "GET, /$stores/99999999999, 404",
        "POST, /$stores/2/stop, 404",
        "POST, /$stores/0/burn, 404",
        "POST, /$stores/0/stop/now, 404",
        "POST, /$stores, 405",
        "DELETE, /$stores/0, 405",
        "GET, /$stores/0/stop, 405",
    })
    @DisplayName("requests for missing stores and unknown actions are refused and change nothing")
    void refuses(String method, String target, int status) throws Exception {
        assertThat(send(method, target, TestBroker.token()).statusCode()).isEqualTo(status);
        assertThat(broker.broker.trouble()).isNull();
    }

    @Test
    @DisplayName("requests need the Manage right on the first namespace")
    void authorization() throws Exception {
        String[] wrong = {
            null,
            TestBroker.token("https://localhost", "listen", "listen-key"),
            TestBroker.token("https://localhost", "send", "send-key"),
            TestBroker.token("https://localhost/q", ROOT, TestBroker.KEY),
            TestBroker.token("https://localhost", ROOT, "wrong")
        };
        for (String token : wrong) {
            assertThat(send("POST", "/$stores/0/stop", token).statusCode()).isEqualTo(401);
            assertThat(send("GET", "/$stores", token).statusCode()).isEqualTo(401);
        }
        assertThat(broker.broker.trouble()).isNull();
    }
}
