package dev.jitney.gateway.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.TestBroker;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("An operator who sends messages")
class NewMessagesTest extends OperatorScenario {
    private static final String MESSAGES = "/$operator/v1/entities/shop%2Forders/messages";

    private HttpResponse<String> post(String body) throws Exception {
        return send("POST", MESSAGES, body, TestBroker.token());
    }

    private JsonObject ok(String body) throws Exception {
        HttpResponse<String> answer = post(body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private List<JsonObject> found() throws Exception {
        JsonArray messages = new JsonObject(send("GET", MESSAGES + "?max=250", "", TestBroker.token())
                        .body())
                .getJsonArray("messages");
        return IntStream.range(0, messages.size())
                .mapToObj(messages::getJsonObject)
                .toList();
    }

    @Test
    @DisplayName("sends several messages with all their properties in one request")
    void sends() throws Exception {
        String later = Instant.ofEpochMilli(broker.nowMs.get() + 3_600_000).toString();
        JsonObject answer = ok("{\"messages\": [{\"messageId\": \"m1\", \"subject\": \"new\", \"contentType\":"
                + " \"application/json\", \"sessionId\": \"s\", \"timeToLive\": 60000, \"applicationProperties\":"
                + " {\"n\": {\"type\": \"int\", \"value\": 5}, \"ok\": true}, \"body\": \"{}\"},"
                + " {\"scheduledEnqueueTime\": \"" + later
                + "\", \"body\": {\"type\": \"data\", \"base64\": \"AAEC\"}}]}");
        assertThat(answer.getInteger("sent")).isEqualTo(2);
        assertThat(answer.getInteger("duplicates")).isZero();
        List<JsonObject> found = found();
        assertThat(found)
                .extracting(message -> message.getString("sequenceNumber"))
                .containsExactlyElementsOf(answer.getJsonArray("sequenceNumbers").stream()
                        .map(String::valueOf)
                        .toList());
        assertThat(found.get(0).getString("messageId")).isEqualTo("m1");
        assertThat(found.get(0).getString("subject")).isEqualTo("new");
        assertThat(found.get(0).getString("sessionId")).isEqualTo("s");
        assertThat(found.get(0).getString("body")).isEqualTo("{}");
        assertThat(found.get(0).getJsonObject("applicationProperties").getValue("ok"))
                .isEqualTo(true);
        assertThat(found.get(1).getString("state")).isEqualTo("Scheduled");
        assertThat(found.get(1).getString("messageId")).isNotEmpty();
    }

    @Test
    @DisplayName("sends copies with different ids, and the audit trail has their number and no content")
    void copies() throws Exception {
        assertThat(ok("{\"messages\": [{\"body\": \"secret\"}, {\"body\": \"b\"}], \"count\": 125}")
                        .getInteger("sent"))
                .isEqualTo(250);
        List<JsonObject> found = found();
        assertThat(found).hasSize(250);
        assertThat(found.stream().map(message -> message.getString("messageId")).distinct())
                .hasSize(250);
        String trail =
                send("GET", "/$operator/v1/audit", "", TestBroker.token()).body();
        JsonObject entry = new JsonObject(trail).getJsonArray("entries").getJsonObject(0);
        assertThat(entry.getString("action")).isEqualTo("send messages");
        assertThat(entry.getString("entity")).isEqualTo("shop/orders");
        assertThat(entry.getString("details")).isEqualTo("250 messages");
        assertThat(trail).doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|messages",
                "{\"messages\": []}|messages",
                "{\"messages\": {}}|messages",
                "{\"messages\": [7]}|messages[0]",
                "{\"messages\": [{}], \"count\": 0}|count",
                "{\"messages\": [{}], \"count\": 251}|count",
                "{\"messages\": [{}, {}], \"count\": 126}|count",
                "{\"messages\": [{}], \"count\": \"2\"}|count",
                "{\"messages\": [{}], \"copies\": 2}|copies",
                "{\"messages\": [{\"body\": \"ok\"}, {\"timeToLive\": -1}]}|messages[1].timeToLive",
                "{\"messages\": [{\"body\": \"ok\"}, {\"color\": \"red\"}]}|messages[1].color",
                "{\"messages\": [{\"scheduledEnqueueTime\": \"soon\"}]}|messages[0].scheduledEnqueueTime",
                "{\"messages\": [{\"applicationProperties\": {\"n\": {\"type\": \"int\", \"value\": \"x\"}}}]}|messages[0].applicationProperties"
            })
    @DisplayName("gets the field that is wrong, and no message is sent")
    void wrong(String body, String field) throws Exception {
        HttpResponse<String> answer = post(body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        JsonArray fields = new JsonObject(answer.body()).getJsonObject("error").getJsonArray("fields");
        assertThat(fields.size()).isEqualTo(1);
        assertThat(fields.getJsonObject(0).getString("field")).isEqualTo(field);
        assertThat(found()).isEmpty();
    }

    @Test
    @DisplayName("gets one error for each wrong member of each message")
    void allWrong() throws Exception {
        HttpResponse<String> answer = post("{\"messages\": [{\"timeToLive\": \"x\", \"body\": 7}, {\"subject\": 1}]}");
        JsonArray fields = new JsonObject(answer.body()).getJsonObject("error").getJsonArray("fields");
        assertThat(IntStream.range(0, fields.size())
                        .mapToObj(i -> fields.getJsonObject(i).getString("field")))
                .containsExactly("messages[0].timeToLive", "messages[0].body", "messages[1].subject");
    }

    @Test
    @DisplayName("sends all messages or none if the broker refuses one of them")
    void allOrNothing() throws Exception {
        HttpResponse<String> answer =
                post("{\"messages\": [{\"body\": \"ok\"}, {\"sessionId\": \"" + "s".repeat(200) + "\"}]}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("SessionId of at most 128");
        assertThat(found()).isEmpty();
        String large = "x".repeat(100_000);
        HttpResponse<String> many = post("{\"messages\": [{\"body\": \"" + large + "\"}], \"count\": 3}");
        assertThat(many.statusCode()).as(many.body()).isEqualTo(403);
        assertThat(found()).isEmpty();
        assertThat(ok("{\"messages\": [{\"body\": \"" + large + "\"}], \"count\": 2}")
                        .getInteger("sent"))
                .isEqualTo(2);
    }

    @Test
    @DisplayName("gets the number of messages that were dropped as duplicates")
    void duplicates() throws Exception {
        broker.create("once", queue -> queue.requiresDuplicateDetection(true));
        String body = "{\"messages\": [{\"messageId\": \"a\"}], \"count\": 3}";
        HttpResponse<String> answer = send("POST", "/$operator/v1/entities/once/messages", body, TestBroker.token());
        assertThat(new JsonObject(answer.body()).getInteger("sent")).isEqualTo(1);
        assertThat(new JsonObject(answer.body()).getInteger("duplicates")).isEqualTo(2);
    }

    @Test
    @DisplayName("needs the right to Send, and a queue or topic")
    void rights() throws Exception {
        String listen = TestBroker.token("https://localhost", "listen", "listen-key");
        String send = TestBroker.token("https://localhost", "send", "send-key");
        String body = "{\"messages\": [{}]}";
        assertThat(send("POST", MESSAGES, body, listen).statusCode()).isEqualTo(401);
        assertThat(send("POST", MESSAGES, body, null).statusCode()).isEqualTo(401);
        assertThat(found()).isEmpty();
        assertThat(send("POST", MESSAGES, body, send).statusCode()).isEqualTo(200);
        assertThat(send("POST", MESSAGES.replace("/messages", "%2F$DeadLetterQueue/messages"), body, send)
                        .statusCode())
                .isEqualTo(400);
        assertThat(send("POST", "/$operator/v1/entities/missing/messages", body, send)
                        .statusCode())
                .isEqualTo(404);
    }
}
