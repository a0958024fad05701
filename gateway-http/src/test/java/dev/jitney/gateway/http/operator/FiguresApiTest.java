package dev.jitney.gateway.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.TestBroker;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ReceiveMode;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.client.ClientLink;
import dev.jitney.runtime.client.ConnectedClient;
import dev.jitney.runtime.client.ConnectedClients;
import dev.jitney.runtime.security.SharedAccessSignature;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Figures over time in the operator API")
@Timeout(120)
class FiguresApiTest extends OperatorScenario {
    private static final String ORDERS = "/entities/shop%2Forders";

    private JsonObject get(String target) throws Exception {
        HttpResponse<String> answer = send("GET", "/$operator/v1" + target, "", TestBroker.token());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    /** Waits until the queue has a sample, and moves the clock. */
    private void sampled() throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        broker.nowMs.addAndGet(10_000);
        while (!get(ORDERS + "/history").getBoolean("sampled")) {
            assertThat(System.nanoTime()).as("time of the first sample").isLessThan(deadline);
        }
    }

    private static List<?> paths(JsonObject attention) {
        return attention.getJsonArray("entities").stream()
                .map(entity -> ((JsonObject) entity).getString("path"))
                .toList();
    }

    @Test
    @DisplayName("entities have rates and receivers, and are sorted by them")
    void rates() throws Exception {
        broker.create("a");
        JsonObject unsampled = get(ORDERS).getJsonObject("incomingPerSecond");
        assertThat(unsampled.containsKey("oneMinute")).isTrue();
        sampled();
        message("1");
        message("2");
        broker.nowMs.addAndGet(4_000);
        JsonObject orders = get(ORDERS);
        double rate = orders.getJsonObject("incomingPerSecond").getDouble("oneMinute");
        assertThat(rate).isGreaterThan(0).isLessThanOrEqualTo(0.5);
        assertThat(orders.getJsonObject("incomingPerSecond").getDouble("fiveMinutes"))
                .isEqualTo(rate);
        assertThat(orders.getJsonObject("outgoingPerSecond").getDouble("oneMinute"))
                .isZero();
        assertThat(orders.getInteger("receivers")).isZero();
        assertThat(orders.getLong("oldestAgeSeconds")).isEqualTo(4);
        JsonObject page = get("/entities?sort=incomingPerSecond&max=1");
        assertThat(page.getJsonArray("entities").getJsonObject(0).getString("path"))
                .isEqualTo("shop/orders");
        assertThat(page.getString("next")).isNotNull();
    }

    @Test
    @DisplayName("the overview has sums, stores, and the entities that need attention with a link to their messages")
    void overview() throws Exception {
        broker.create("a");
        sampled();
        message("1");
        message("2");
        assertThat(send(
                                "POST",
                                "/$operator/v1" + ORDERS + "/messages/deadLetter",
                                "{\"sequenceNumbers\": [\"1\"]}",
                                TestBroker.token())
                        .statusCode())
                .isEqualTo(200);
        JsonObject overview = get("/overview");
        assertThat(overview.getString("namespace")).isEqualTo("first");
        assertThat(overview.getJsonObject("entities").getInteger("queues")).isEqualTo(2);
        assertThat(overview.getJsonObject("counts").getInteger("active")).isEqualTo(1);
        assertThat(overview.getJsonObject("counts").getInteger("deadLetter")).isEqualTo(1);
        assertThat(overview.getInteger("connections")).isEqualTo(3);
        assertThat(overview.getJsonArray("stores").getJsonObject(0).getString("state"))
                .isEqualTo("serving");
        JsonObject attention = overview.getJsonObject("attention");
        JsonObject growing = attention.getJsonObject("deadLettersGrow");
        assertThat(growing.getInteger("count")).isEqualTo(1);
        JsonObject orders = growing.getJsonArray("entities").getJsonObject(0);
        assertThat(orders.getString("path")).isEqualTo("shop/orders");
        assertThat(orders.getInteger("growth")).isEqualTo(1);
        HttpResponse<String> linked = send("GET", orders.getString("messages"), "", TestBroker.token());
        assertThat(new JsonObject(linked.body()).getJsonArray("messages")).hasSize(1);
        assertThat(paths(attention.getJsonObject("noReceiver"))).isEqualTo(List.of("shop/orders"));
        assertThat(paths(attention.getJsonObject("oldMessages"))).isEmpty();
        broker.nowMs.addAndGet(61_000);
        assertThat(paths(
                        get("/overview?olderThan=60").getJsonObject("attention").getJsonObject("oldMessages")))
                .isEqualTo(List.of("shop/orders"));
    }

    @Test
    @DisplayName(
            "the overview names the entities that forward messages or dead letters in a loop, and no others (FWD-5)")
    void loops() throws Exception {
        for (String name : List.of("a", "b", "c", "d")) {
            broker.create(name);
        }
        broker.create("before", queue -> queue.forwardTo("a"));
        broker.update("a", queue -> queue.forwardTo("b"));
        broker.update("b", queue -> queue.forwardDeadLetteredMessagesTo("c"));
        broker.update("c", queue -> queue.forwardTo("a"));
        broker.update("d", queue -> queue.forwardTo("before"));

        JsonObject loops = get("/overview").getJsonObject("attention").getJsonObject("forwardLoops");

        assertThat(paths(loops)).isEqualTo(List.of("a", "b", "c"));
        assertThat(loops.getJsonArray("entities").getJsonObject(0).getString("forwardsTo"))
                .isEqualTo("b");
    }

    @Test
    @DisplayName("at most 20 entities are listed for a reason, those with the largest values, and all are counted")
    void bound() throws Exception {
        for (int i = 0; i < 25; i++) {
            broker.create("q" + i);
            for (int messages = 0; messages <= (i == 7 ? 1 : 0); messages++) {
                send("POST", "/q" + i + "/messages", "x", TestBroker.token());
            }
        }
        JsonObject unreceived = get("/overview").getJsonObject("attention").getJsonObject("noReceiver");
        assertThat(unreceived.getInteger("count")).isEqualTo(25);
        assertThat(unreceived.getJsonArray("entities")).hasSize(20);
        assertThat(unreceived.getJsonArray("entities").getJsonObject(0).getString("path"))
                .isEqualTo("q7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/overview?olderThan=0", "/overview?olderThan=x", ORDERS + "/history?step=1h"})
    @DisplayName("a wrong parameter is refused by name")
    void wrong(String target) throws Exception {
        HttpResponse<String> answer = send("GET", "/$operator/v1" + target, "", TestBroker.token());
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).containsAnyOf("'olderThan'", "'step'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/overview", ORDERS + "/history"})
    @DisplayName("the right to Listen is needed")
    void rights(String target) throws Exception {
        String path = "/$operator/v1" + target;
        assertThat(send("GET", path, "", null).statusCode()).isEqualTo(401);
        assertThat(send("GET", path, "", TestBroker.token("https://localhost", "send", "send-key"))
                        .statusCode())
                .isEqualTo(401);
        assertThat(send("GET", path, "", TestBroker.token("https://localhost", "listen", "listen-key"))
                        .statusCode())
                .isEqualTo(200);
    }

    @Override
    ConnectedClients clients() {
        return new ConnectedClients() {
            @Override
            public int connections(Namespace namespace) {
                return 3;
            }

            @Override
            public CompletionStage<List<ConnectedClient>> of(
                    Entity entity, EntityAddress address, long after, int max) {
                List<ConnectedClient> found = LongStream.rangeClosed(after + 1, 3)
                        .limit(max)
                        .mapToObj(FiguresApiTest::client)
                        .toList();
                return CompletableFuture.supplyAsync(() -> found);
            }
        };
    }

    private static ConnectedClient client(long number) {
        ClientLink link = new ClientLink("link", ReceiveMode.PEEK_LOCK, "shop/orders", null, 10, 2, 1_795_244_503_000L);
        return new ConnectedClient(
                number, "c" + number, "10.0.0.1:5", "sdk", "1.2", "", "", 1_795_244_503_000L, 2, 1, List.of(link));
    }

    @Test
    @DisplayName("connected clients are listed page by page")
    void connected() throws Exception {
        JsonObject page = get(ORDERS + "/clients?max=2");
        assertThat(page.getString("path")).isEqualTo("shop/orders");
        assertThat(page.getJsonArray("clients")).hasSize(2);
        JsonObject client = page.getJsonArray("clients").getJsonObject(0);
        assertThat(client.getString("containerId")).isEqualTo("c1");
        assertThat(client.getString("product")).isEqualTo("sdk");
        JsonObject link = client.getJsonArray("links").getJsonObject(0);
        assertThat(link.getString("direction")).isEqualTo("receive");
        assertThat(link.getInteger("locksHeld")).isEqualTo(2);
        assertThat(link.getString("since")).isEqualTo("2026-11-21T07:01:43Z");
        JsonObject last = get(ORDERS + "/clients?max=2&after=" + page.getString("next"));
        assertThat(last.getJsonArray("clients")).hasSize(1);
        assertThat(last.getString("next")).isNull();
        assertThat(get("/overview").getInteger("connections")).isEqualTo(3);
    }

    @Test
    @DisplayName("only the right to Manage shows connected clients, and without it nothing about the entity")
    void clientRights() throws Exception {
        String listen = TestBroker.token("https://localhost", "listen", "listen-key");
        for (String target : List.of(ORDERS, "/entities/nothing")) {
            assertThat(send("GET", "/$operator/v1" + target + "/clients", "", listen)
                            .statusCode())
                    .isEqualTo(401);
        }
        assertThat(send("GET", "/$operator/v1/entities/nothing/clients", "", TestBroker.token())
                        .statusCode())
                .isEqualTo(404);
        assertThat(send("GET", "/$operator/v1" + ORDERS + "/clients?max=101", "", TestBroker.token())
                        .statusCode())
                .isEqualTo(400);
    }

    /** Opens a stream of events. */
    private HttpResponse<InputStream> events(String token) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(
                                        URI.create("http://127.0.0.1:" + port() + "/$operator/v1/overview/events"))
                                .header("Authorization", token)
                                .build(),
                        HttpResponse.BodyHandlers.ofInputStream());
    }

    private static JsonObject data(BufferedReader reader, String event) throws Exception {
        assertThat(reader.readLine()).isEqualTo("event: " + event);
        String data = reader.readLine();
        assertThat(data).startsWith("data: ");
        assertThat(reader.readLine()).isEmpty();
        return new JsonObject(data.substring("data: ".length()));
    }

    @Test
    @DisplayName("a stream sends the sums and what has changed, and ends when its token expires")
    void stream() throws Exception {
        long expirySeconds = broker.nowMs.get() / 1_000 + 60;
        String token = SharedAccessSignature.create("https://localhost", "listen", "listen-key", expirySeconds);
        HttpResponse<InputStream> answer = events(token);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type")).hasValue("text/event-stream");
        assertThat(answer.headers().firstValue("cache-control")).hasValue("no-store");
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            assertThat(data(reader, "figures").getJsonObject("counts").getInteger("active"))
                    .isZero();
            message("1");
            JsonObject changed = data(reader, "figures");
            while (changed.getJsonArray("changed").isEmpty()) {
                changed = data(reader, "figures");
            }
            assertThat(changed.getJsonObject("counts").getInteger("active")).isEqualTo(1);
            assertThat(changed.getJsonArray("changed").getJsonObject(0).getString("path"))
                    .isEqualTo("shop/orders");
            broker.nowMs.addAndGet(120_000);
            String line = reader.readLine();
            while (line.equals("event: figures")) { // made before the clock was set
                reader.readLine();
                reader.readLine();
                line = reader.readLine();
            }
            assertThat(line).isEqualTo("event: end");
            assertThat(reader.readLine()).contains("token has expired");
            assertThat(reader.readLine()).isEmpty();
            assertThat(reader.readLine()).as("after the end").isNull();
        }
    }

    @Test
    @DisplayName("one stream too many is refused, and a closed one makes place for another")
    void streamsMax() throws Exception {
        List<InputStream> open = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            HttpResponse<InputStream> answer = events(TestBroker.token());
            assertThat(answer.statusCode()).isEqualTo(200);
            open.add(answer.body());
        }
        HttpResponse<InputStream> refused = events(TestBroker.token());
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(new String(refused.body().readAllBytes(), StandardCharsets.UTF_8))
                .contains("at most 16 streams");
        open.get(0).close();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        HttpResponse<InputStream> next = events(TestBroker.token());
        while (next.statusCode() == 503) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            next = events(TestBroker.token());
        }
        assertThat(next.statusCode()).isEqualTo(200);
        next.body().close();
        for (InputStream stream : open) {
            stream.close();
        }
    }
}
