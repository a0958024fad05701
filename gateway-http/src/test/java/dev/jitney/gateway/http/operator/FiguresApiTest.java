package dev.jitney.gateway.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.TestBroker;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Figures over time in the operator API")
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
        assertThat(overview.getInteger("connections")).isZero();
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
}
