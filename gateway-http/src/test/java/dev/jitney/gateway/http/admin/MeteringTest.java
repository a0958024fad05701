package dev.jitney.gateway.http.admin;

import static dev.jitney.gateway.http.admin.AdminFixture.detail;
import static dev.jitney.gateway.http.admin.AdminFixture.queue;
import static dev.jitney.gateway.http.admin.AdminFixture.rule;
import static dev.jitney.gateway.http.admin.AdminFixture.subscription;
import static dev.jitney.gateway.http.admin.AdminFixture.topic;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jitney.gateway.http.TestBroker;
import dev.jitney.model.AccessRule;
import java.net.http.HttpResponse;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The metering over HTTP, and its API (semantics 21.1). */
class MeteringTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PING_TYPE = "application/vnd.ms-servicebus-ping";

    private final AdminFixture f = new AdminFixture();

    @BeforeEach
    void entities() {
        f.created("/q", queue(""));
    }

    @AfterEach
    void stop() {
        f.close();
    }

    /** Returns the reading of a meter. */
    private JsonNode read(String path) {
        HttpResponse<String> answer = f.send("GET", path, null, "Authorization", f.token);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json; charset=utf-8");
        return parse(answer);
    }

    private static JsonNode parse(HttpResponse<String> answer) {
        try {
            return JSON.readTree(answer.body());
        } catch (JsonProcessingException e) {
            throw new AssertionError(answer.body(), e);
        }
    }

    private long operations(String path) {
        return read(path).get("operations").asLong();
    }

    /** Checks the changes of a call in the meters of the queue and of the namespace. */
    private HttpResponse<String> costs(
            int status, long own, long all, String what, Supplier<HttpResponse<String>> call) {
        long ownBefore = operations("/q/$metering");
        long allBefore = operations("/$metering");
        HttpResponse<String> answer = call.get();
        assertThat(answer.statusCode()).as(what + ": " + answer.body()).isEqualTo(status);
        assertThat(operations("/q/$metering") - ownBefore).as(what).isEqualTo(own);
        assertThat(operations("/$metering") - allBefore).as(what).isEqualTo(all);
        return answer;
    }

    private HttpResponse<String> send(String body, String... headers) {
        String[] all = new String[headers.length + 2];
        all[0] = "Authorization";
        all[1] = f.token;
        System.arraycopy(headers, 0, all, 2, headers.length);
        return f.send("POST", "/q/messages", body, all);
    }

    private HttpResponse<String> call(String method, String target) {
        return f.send(method, target, null, "Authorization", f.token);
    }

    private static String location(HttpResponse<String> answer) {
        String url = answer.headers().firstValue("location").orElseThrow();
        return url.substring(url.indexOf('/', url.indexOf("://") + 3));
    }

    @Test
    @DisplayName("MET-1, MET-3: the exact count for a script of twenty calls over HTTP, including pings")
    void script() {
        String head = "/q/messages/head?timeout=0";
        costs(200, 1, 1, "get the queue", () -> f.get("/q"));
        costs(200, 1, 1, "update it", () -> f.update("/q", queue("")));
        costs(409, 0, 0, "create it again", () -> f.create("/q", queue("")));
        costs(200, 0, 1, "get a queue that is not there", () -> f.get("/missing"));
        costs(200, 0, 1, "list queues", () -> f.get("/$Resources/queues"));
        costs(200, 0, 1, "namespace info", () -> f.get("/$namespaceinfo"));
        costs(201, 1, 1, "send", () -> send("one"));
        costs(
                201,
                2,
                2,
                "send a batch of two",
                () -> send(
                        "[{\"Body\":\"two\"},{\"Body\":\"three\"}]",
                        "Content-Type",
                        "application/vnd.microsoft.servicebus.json"));
        costs(201, 1, 1, "ping", () -> send("", "Content-Type", PING_TYPE));
        String lock = location(costs(201, 1, 1, "receive under a lock", () -> call("POST", head)));
        costs(200, 1, 1, "renew the lock", () -> call("POST", lock));
        costs(200, 0, 0, "unlock", () -> call("PUT", lock));
        String again = location(costs(201, 1, 1, "receive it again", () -> call("POST", head)));
        costs(200, 0, 0, "complete", () -> call("DELETE", again));
        costs(200, 1, 1, "receive and delete", () -> call("DELETE", head));
        costs(200, 1, 1, "receive and delete", () -> call("DELETE", head));
        costs(204, 1, 1, "receive that ends empty", () -> call("DELETE", head));
        costs(201, 2, 2, "send more than 64 KB", () -> send("x".repeat(64 * 1024)));
        costs(200, 2, 2, "receive it", () -> call("DELETE", head));
        costs(401, 0, 0, "send without a token", () -> f.send("POST", "/q/messages", "x"));
        JsonNode reading = read("/q/$metering");
        assertThat(reading.get("operations").asLong()).isEqualTo(16);
        assertThat(reading.get("operationsByKind").toString())
                .isEqualTo("{\"sends\":6,\"deliveries\":6,\"emptyReceives\":1,\"calls\":3,\"transfers\":0}");
        assertThat(operations("/$metering"))
                .as("with the creation of the queue")
                .isEqualTo(20);
    }

    @Test
    @DisplayName("MET-3: a ping adds incoming bytes, a delivery outgoing bytes")
    void bandwidth() {
        send("", "Content-Type", PING_TYPE);
        JsonNode pinged = read("/q/$metering");
        assertThat(pinged.get("bytesIn").asLong()).isGreaterThan(PING_TYPE.length());
        assertThat(pinged.get("bytesOut").asLong()).isZero();
        assertThat(f.entity("q").counts().total()).isZero();
        send("x".repeat(1_000));
        call("DELETE", "/q/messages/head?timeout=0");
        JsonNode now = read("/q/$metering");
        assertThat(now.get("bytesIn").asLong() - pinged.get("bytesIn").asLong()).isBetween(1_000L, 1_300L);
        assertThat(now.get("bytesOut").asLong()).isBetween(1_000L, 1_300L);
        assertThat(read("/$metering").get("bytesIn")).isEqualTo(now.get("bytesIn"));
    }

    @Test
    @DisplayName("MET-1: operations on subscriptions and rules count for the subscription; fan-out is free")
    void topics() {
        f.created("/t", topic(""));
        f.created("/t/subscriptions/s", subscription(""));
        f.created("/t/subscriptions/other", subscription(""));
        String path = "/t/Subscriptions/s";
        f.get(path);
        f.update(path, subscription(""));
        f.get(path + "/rules");
        f.create(path + "/rules/r", rule(""));
        f.get(path + "/rules/r");
        f.delete(path + "/rules/r");
        assertThat(operations(path + "/$metering")).isEqualTo(6);
        f.get("/t/subscriptions");
        f.send("POST", "/t/messages", "x", "Authorization", f.token);
        assertThat(operations("/t/$METERING")).isEqualTo(2);
        call("DELETE", path + "/messages/head?timeout=0");
        assertThat(operations(path + "/$metering")).isEqualTo(7);
        assertThat(operations("/t/subscriptions/other/$metering")).isZero();
        assertThat(read(path + "/$metering").get("entity").asText()).isEqualTo("t/Subscriptions/s");
    }

    @Test
    @DisplayName("MET-2: a meter has its start time by the broker's clock, and can be reset")
    void clockAndReset() {
        f.broker.nowMs.addAndGet(60_000);
        JsonNode reading = read("/q/$metering");
        assertThat(reading.get("namespace").asText()).isEqualTo("first");
        assertThat(reading.get("entity").asText()).isEqualTo("q");
        assertThat(reading.get("since").asText()).isEqualTo("2026-11-21T07:01:43Z");
        assertThat(reading.get("until").asText()).isEqualTo("2026-11-21T07:02:43Z");
        send("one");
        HttpResponse<String> last = call("DELETE", "/q/$metering");
        assertThat(last.statusCode()).isEqualTo(200);
        assertThat(parse(last).get("operations").asLong()).isEqualTo(1);
        f.broker.nowMs.addAndGet(1_000);
        reading = read("/q/$metering");
        assertThat(reading.get("since").asText()).isEqualTo("2026-11-21T07:02:43Z");
        assertThat(reading.get("operations").asLong() + reading.get("bytesIn").asLong())
                .isZero();
        assertThat(read("/$metering").has("entity")).isFalse();
        assertThat(operations("/$metering")).as("its own reset only").isEqualTo(2);

        f.created("/t", topic(""));
        f.created("/t/subscriptions/s", subscription(""));
        f.get("/t/subscriptions/s");
        send("two");
        assertThat(parse(call("DELETE", "/$metering")).get("operations").asLong())
                .isEqualTo(6);
        for (String path : new String[] {"", "/q", "/t", "/t/subscriptions/s"}) {
            assertThat(operations(path + "/$metering")).as(path).isZero();
            assertThat(read(path + "/$metering").get("since").asText()).isEqualTo("2026-11-21T07:02:44Z");
        }
    }

    @Test
    @DisplayName("HTTP 1.6: reading and resetting a meter needs Manage on its entity")
    void rights() {
        for (String method : new String[] {"GET", "DELETE"}) {
            for (String path : new String[] {"/$metering", "/q/$metering"}) {
                String listen = TestBroker.token("https://h", "listen", "listen-key");
                assertThat(detail(f.send(method, path, null, "Authorization", listen), 401))
                        .contains("'Manage' claim is required");
                assertThat(detail(f.send(method, path, null), 401)).startsWith("SubCode=40102.");
            }
            String own = TestBroker.token("https://h/q", AccessRule.ROOT_NAME, TestBroker.KEY);
            assertThat(f.send(method, "/q/$metering", null, "Authorization", own)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(f.send(method, "/$metering", null, "Authorization", own).statusCode())
                    .isEqualTo(401);
        }
        assertThat(detail(call("GET", "/missing/$metering"), 404)).contains("'missing' could not be found");
        assertThat(detail(call("GET", "/q/subscriptions/s/$metering"), 404)).startsWith("Entity '");
        assertThat(detail(call("GET", "/q/$DeadLetterQueue/$metering"), 404)).startsWith("SubCode=40400.");
        HttpResponse<String> put = f.create("/q/$metering", queue(""));
        assertThat(put.statusCode()).isEqualTo(405);
        assertThat(put.headers().firstValue("allow")).hasValue("GET, HEAD, DELETE");
        assertThat(detail(f.create("/t/subscriptions/$metering", subscription("")), 404))
                .isNotEmpty();
    }
}
