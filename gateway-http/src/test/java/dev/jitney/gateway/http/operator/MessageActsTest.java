package dev.jitney.gateway.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.jitney.gateway.http.TestBroker;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

@DisplayName("An operator who has chosen messages")
class MessageActsTest extends OperatorScenario {
    private static final String DEAD = "shop%2Forders%2F$DeadLetterQueue";

    @BeforeEach
    void createBills() throws Exception {
        broker.create("shop/bills");
    }

    private List<JsonObject> messages(String entity) throws Exception {
        HttpResponse<String> answer =
                send("GET", "/$operator/v1/entities/" + entity + "/messages", "", TestBroker.token());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        JsonArray found = new JsonObject(answer.body()).getJsonArray("messages");
        return IntStream.range(0, found.size()).mapToObj(found::getJsonObject).toList();
    }

    private HttpResponse<String> post(String entity, String act, JsonObject body, String token) throws Exception {
        return send("POST", "/$operator/v1/entities/" + entity + "/messages/" + act, body.encode(), token);
    }

    /** Performs an act on messages, and returns the document of results. */
    private JsonObject act(String entity, String act, Map<String, Object> members, long... numbers) throws Exception {
        JsonArray chosen = new JsonArray();
        for (long number : numbers) {
            chosen.add(Long.toString(number));
        }
        JsonObject body = new JsonObject(new HashMap<>(members)).put("sequenceNumbers", chosen);
        HttpResponse<String> answer = post(entity, act, body, TestBroker.token());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private void done(JsonObject results, int count) {
        assertThat(results.getInteger("done")).as(results.encode()).isEqualTo(count);
        assertThat(results.getInteger("refused")).isZero();
    }

    private String refusal(JsonObject results) {
        assertThat(results.getInteger("done")).as(results.encode()).isZero();
        return results.getJsonArray("results").getJsonObject(0).getString("message");
    }

    @Test
    @DisplayName("deletes them, and the answer names those that were not there")
    void deletes() throws Exception {
        message("a");
        message("b");

        JsonObject results = act("shop%2Forders", "delete", Map.of(), 1, 7);

        assertThat(results.getInteger("done")).isEqualTo(1);
        assertThat(results.getInteger("refused")).isEqualTo(1);
        JsonObject missing = results.getJsonArray("results").getJsonObject(1);
        assertThat(missing.getString("sequenceNumber")).isEqualTo("7");
        assertThat(missing.getBoolean("done")).isFalse();
        assertThat(missing.getInteger("status")).isEqualTo(404);
        assertThat(missing.getString("message")).contains("There is no message with the sequence number 7");
        assertThat(messages("shop%2Forders")).hasSize(1);
    }

    @Test
    @DisplayName("is in the audit log with the messages that were changed, and with the reason if none was")
    void audited() throws Exception {
        message("a");
        message("b");
        Logger audit = (Logger) LoggerFactory.getLogger("audit");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        audit.setLevel(Level.INFO);
        lines.start();
        audit.addAppender(lines);
        try {
            act("shop%2Forders", "move", Map.of("to", "shop/bills"), 1, 2, 7);
            act("shop%2Forders", "delete", Map.of(), 7);
            HttpResponse<String> next = send("GET", "/health", "", TestBroker.token()); // after the end of the requests
            assertThat(next.statusCode()).isEqualTo(200);
        } finally {
            audit.detachAppender(lines);
            audit.setLevel(null);
        }

        assertThat(lines.list).extracting(ILoggingEvent::getLoggerName).containsExactly("audit", "audit.refused");
        assertThat(lines.list.get(0).getFormattedMessage()).isEqualTo("Done: move messages");
        assertThat(lines.list.get(0).getKeyValuePairs())
                .extracting(pair -> pair.key + "=" + pair.value)
                .contains("entity=shop/orders", "changed=to 'shop/bills', 2 of 3 messages: [1, 2]");
        assertThat(lines.list.get(1).getKeyValuePairs())
                .extracting(pair -> pair.key + "=" + pair.value)
                .contains("action=delete messages")
                .anyMatch(pair -> pair.startsWith("reason=There is no message with the sequence number 7"));
    }

    @Test
    @DisplayName("resubmits dead letters, which carry how often and from where")
    void resubmits() throws Exception {
        message("{\"id\": 1}", "color", "\"red\"");
        for (int round = 1; round <= 2; round++) {
            long number = Long.parseLong(messages("shop%2Forders").get(0).getString("sequenceNumber"));
            done(act("shop%2Forders", "deadLetter", Map.of("reason", "Poison", "description", "by hand"), number), 1);
            JsonObject dead = messages(DEAD).get(0);
            assertThat(dead.getString("deadLetterReason")).isEqualTo("Poison");
            assertThat(dead.getString("deadLetterErrorDescription")).isEqualTo("by hand");

            JsonObject results = act(DEAD, "resubmit", Map.of(), number);

            done(results, 1);
            assertThat(messages(DEAD)).isEmpty();
            JsonObject again = messages("shop%2Forders").get(0);
            assertThat(again.getString("sequenceNumber"))
                    .isEqualTo(results.getJsonArray("results").getJsonObject(0).getString("newSequenceNumber"));
            assertThat(again.getString("body")).isEqualTo("{\"id\": 1}");
            assertThat(again.getString("deadLetterReason")).isNull();
            JsonObject properties = again.getJsonObject("applicationProperties");
            assertThat(properties.getString("color")).isEqualTo("red");
            assertThat(properties.getJsonObject("x-jitney-resubmitted").getString("type"))
                    .isEqualTo("int");
            assertThat(properties.getJsonObject("x-jitney-resubmitted").getInteger("value"))
                    .isEqualTo(round);
            assertThat(properties.getString("x-jitney-resubmitted-from")).isEqualTo("shop/orders/$DeadLetterQueue");
        }
        assertThat(post("shop%2Forders", "resubmit", new JsonObject("{\"sequenceNumbers\": [1]}"), TestBroker.token())
                        .body())
                .contains("only dead letters are resubmitted");
    }

    @Test
    @DisplayName("sees dead letters in groups of the same cause, the largest first")
    void groups() throws Exception {
        for (int i = 1; i <= 5; i++) {
            message("m", "BrokerProperties", "{\"Label\": \"" + (i == 5 ? "bill" : "order") + "\"}");
            Map<String, Object> why = i == 4
                    ? Map.of("reason", "Timeout")
                    : Map.of(
                            "reason",
                            "Poison",
                            "description",
                            "order " + i + " of 0f8fad5b-d9cb-469f-a165-70867728950e");
            done(act("shop%2Forders", "deadLetter", why, i), 1);
        }

        JsonObject answer =
                new JsonObject(send("GET", "/$operator/v1/entities/" + DEAD + "/groups", "", TestBroker.token())
                        .body());

        JsonArray groups = answer.getJsonArray("groups");
        assertThat(groups).as(answer.encode()).hasSize(3);
        JsonObject first = groups.getJsonObject(0);
        assertThat(first.getString("reason")).isEqualTo("Poison");
        assertThat(first.getString("description")).isEqualTo("order # of #");
        assertThat(first.getString("subject")).isEqualTo("order");
        assertThat(first.getInteger("count")).isEqualTo(3);
        assertThat(first.getString("sample")).isEqualTo("3");
        assertThat(answer.getInteger("scanned")).isEqualTo(5);
        assertThat(answer.getString("next")).isNull();
        JsonObject timeouts = new JsonObject(send(
                        "GET",
                        "/$operator/v1/entities/" + DEAD + "/groups?filter=DeadLetterReason%20%3D%20'Timeout'",
                        "",
                        TestBroker.token())
                .body());
        assertThat(timeouts.getJsonArray("groups")).hasSize(1);
        assertThat(first.getInteger("lastHour")).isEqualTo(3);
        assertThat(first.getInteger("hourBefore")).isZero();
    }

    @Test
    @DisplayName("writes a note on a group, which the list of groups shows until it is deleted")
    void notes() throws Exception {
        message("m");
        done(act("shop%2Forders", "deadLetter", Map.of("reason", "Poison"), 1), 1);
        String group = firstGroup().getString("id");
        String note = "/$operator/v1/entities/" + DEAD + "/groups/" + group + "/note";

        assertThat(send("PUT", note, "{\"text\": \"BUG-123, on hold\"}", TestBroker.token())
                        .statusCode())
                .isEqualTo(200);

        JsonObject shown = firstGroup().getJsonObject("note");
        assertThat(shown.getString("text")).isEqualTo("BUG-123, on hold");
        assertThat(shown.getString("author")).isEqualTo("RootManageSharedAccessKey");
        assertThat(send("PUT", note, "{\"text\": \"\"}", TestBroker.token()).body())
                .contains("in 'text'");
        assertThat(send("PUT", note.replace(group, "zz"), "{\"text\": \"x\"}", TestBroker.token())
                        .body())
                .contains("Expected the id of a group");
        assertThat(send("DELETE", note, "", TestBroker.token()).statusCode()).isEqualTo(200);
        assertThat(firstGroup().getJsonObject("note")).isNull();
    }

    @Test
    @DisplayName("writes at most 200 notes; those on deleted entities make room")
    void notesAreBounded() throws Exception {
        for (int i = 0; i < 200; i++) {
            assertThat(send("PUT", noteOf(i), "{\"text\": \"n\"}", TestBroker.token())
                            .statusCode())
                    .isEqualTo(200);
        }

        assertThat(send("PUT", noteOf(200), "{\"text\": \"n\"}", TestBroker.token())
                        .body())
                .contains("Expected at most 200 notes");
        assertThat(send("PUT", noteOf(7), "{\"text\": \"again\"}", TestBroker.token())
                        .statusCode())
                .isEqualTo(200);
        broker.broker
                .namespace(null)
                .deleteEntity("shop/orders")
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        assertThat(send(
                                "PUT",
                                "/$operator/v1/entities/shop%2Fbills%2F%24DeadLetterQueue/groups/0000000000000000/note",
                                "{\"text\": \"n\"}",
                                TestBroker.token())
                        .statusCode())
                .isEqualTo(200);
    }

    private static String noteOf(int group) {
        return "/$operator/v1/entities/" + DEAD + "/groups/" + String.format("%016x", group) + "/note";
    }

    private JsonObject firstGroup() throws Exception {
        return new JsonObject(send("GET", "/$operator/v1/entities/" + DEAD + "/groups", "", TestBroker.token())
                        .body())
                .getJsonArray("groups")
                .getJsonObject(0);
    }

    @Test
    @DisplayName("moves and copies them to another queue")
    void moves() throws Exception {
        message("a", "BrokerProperties", "{\"MessageId\": \"m-1\"}");
        message("b");

        done(act("shop%2Forders", "copy", Map.of("to", "shop/bills", "newMessageId", true), 1), 1);
        done(act("shop%2Forders", "move", Map.of("to", "shop/bills"), 1, 2), 2);

        assertThat(messages("shop%2Forders")).isEmpty();
        List<JsonObject> bills = messages("shop%2Fbills");
        assertThat(bills).extracting(bill -> bill.getString("body")).containsExactly("a", "a", "b");
        assertThat(bills.get(0).getString("messageId")).isNotEqualTo("m-1");
        assertThat(bills.get(1).getString("messageId")).isEqualTo("m-1");
        HttpResponse<String> nowhere = post(
                "shop%2Fbills",
                "move", new JsonObject("{\"sequenceNumbers\": [\"1\"], \"to\": \"shop/nowhere\"}"), TestBroker.token());
        assertThat(nowhere.statusCode()).isEqualTo(404);
        assertThat(nowhere.body()).contains("no queue or topic 'shop/nowhere'");
    }

    @Test
    @DisplayName("delivers scheduled ones now, or gives them another time")
    void reschedules() throws Exception {
        String later = Instant.ofEpochMilli(broker.nowMs.get() + 3_600_000).toString();
        String muchLater = Instant.ofEpochMilli(broker.nowMs.get() + 7_200_000).toString();
        for (String body : List.of("a", "b")) {
            message(
                    body,
                    "BrokerProperties",
                    "{\"ScheduledEnqueueTimeUtc\": \""
                            + java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME.format(
                                    Instant.parse(later).atOffset(java.time.ZoneOffset.UTC))
                            + "\"}");
        }
        assertThat(messages("shop%2Forders"))
                .extracting(m -> m.getString("state"))
                .containsOnly("Scheduled");

        done(act("shop%2Forders", "deliverNow", Map.of(), 1), 1);
        done(act("shop%2Forders", "reschedule", Map.of("scheduledEnqueueTime", muchLater), 2), 1);

        List<JsonObject> now = messages("shop%2Forders");
        assertThat(now).extracting(m -> m.getString("state")).containsExactly("Active", "Scheduled");
        assertThat(Instant.parse(now.get(1).getString("scheduledEnqueueTime"))).isEqualTo(Instant.parse(muchLater));
        assertThat(refusal(act("shop%2Forders", "deliverNow", Map.of(), 3))).contains("is not scheduled");
    }

    @Test
    @DisplayName("unlocks one whose receiver does not come back, and changes no locked one")
    void unlocks() throws Exception {
        message("a");
        assertThat(send("POST", "/shop/orders/messages/head?timeout=1", "", TestBroker.token())
                        .statusCode())
                .isEqualTo(201);
        assertThat(refusal(act("shop%2Forders", "delete", Map.of(), 1))).contains("is locked until");
        assertThat(refusal(act("shop%2Forders", "move", Map.of("to", "shop/bills"), 1)))
                .contains("is locked until");

        done(act("shop%2Forders", "unlock", Map.of(), 1), 1);

        assertThat(messages("shop%2Forders").get(0).getString("state")).isEqualTo("Active");
        assertThat(refusal(act("shop%2Forders", "unlock", Map.of(), 1))).contains("is not locked");
    }

    @Test
    @DisplayName("edits one and sends it, and the original is gone in the same commit")
    void edits() throws Exception {
        message("{\"amount\": \"12,5\"}", "color", "\"red\"", "count", "5");
        String edit =
                "{\"body\": \"{}\", \"subject\": \"repaired\", \"applicationProperties\": {\"color\": null, \"size\":"
                        + " {\"type\": \"int\", \"value\": 9}}}";

        HttpResponse<String> kept = send(
                "POST",
                "/$operator/v1/entities/shop%2Forders/messages/1/edit?keepOriginal=true&to=shop%2Fbills",
                edit,
                TestBroker.token());
        assertThat(kept.statusCode()).as(kept.body()).isEqualTo(200);
        assertThat(messages("shop%2Forders")).hasSize(1);
        HttpResponse<String> answer =
                send("POST", "/$operator/v1/entities/shop%2Forders/messages/1/edit", edit, TestBroker.token());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);

        for (String queue : List.of("shop%2Forders", "shop%2Fbills")) {
            assertThat(messages(queue)).hasSize(1);
            JsonObject changed = messages(queue).get(0);
            assertThat(changed.getString("body")).isEqualTo("{}");
            assertThat(changed.getString("subject")).isEqualTo("repaired");
            assertThat(changed.getJsonObject("applicationProperties").fieldNames())
                    .containsExactlyInAnyOrder("count", "size");
        }
        HttpResponse<String> wrong = send(
                "POST", "/$operator/v1/entities/shop%2Forders/messages/2/edit", "{\"colour\": 1}", TestBroker.token());
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("colour");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "delete|[]|Expected a JSON object",
                "delete|{}|1 to 250 sequence numbers",
                "delete|{\"sequenceNumbers\": []}|1 to 250 sequence numbers",
                "delete|{\"sequenceNumbers\": [\"x\"]}|1 to 250 sequence numbers",
                "delete|{\"sequenceNumbers\": [1.5]}|1 to 250 sequence numbers",
                "delete|{\"sequenceNumbers\": [-1]}|1 to 250 sequence numbers",
                "delete|{\"sequenceNumbers\": [1], \"force\": true}|Expected the members [sequenceNumbers]",
                "move|{\"sequenceNumbers\": [1]}|in 'to'",
                "move|{\"sequenceNumbers\": [1], \"to\": 5}|in 'to'",
                "copy|{\"sequenceNumbers\": [1], \"to\": \"shop/bills\", \"newMessageId\": \"yes\"}|true or false",
                "reschedule|{\"sequenceNumbers\": [1], \"scheduledEnqueueTime\": \"tomorrow\"}|a time such as"
            })
    @DisplayName("gets an error that names the member, and nothing changes")
    void badBodies(String act, String body, String expected) throws Exception {
        message("a");
        HttpResponse<String> answer =
                send("POST", "/$operator/v1/entities/shop%2Forders/messages/" + act, body, TestBroker.token());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(new JsonObject(answer.body()).getJsonObject("error").getString("message"))
                .contains(expected);
        assertThat(messages("shop%2Forders")).hasSize(1);
    }

    @Test
    @DisplayName("needs Manage to delete, move, dead-letter and unlock, and Listen and Send to resubmit, copy and edit")
    void rights() throws Exception {
        message("a");
        String listen = TestBroker.token("https://localhost", "listen", "listen-key");
        String sender = TestBroker.token("https://localhost", "send", "send-key");
        JsonObject body = new JsonObject("{\"sequenceNumbers\": [1], \"to\": \"shop/bills\"}");
        for (String act : List.of("move", "copy")) {
            for (String token : List.of(listen, sender)) {
                assertThat(post("shop%2Forders", act, body, token).statusCode())
                        .as(act)
                        .isEqualTo(401);
            }
        }
        JsonObject chosen = new JsonObject("{\"sequenceNumbers\": [1]}");
        for (String act : List.of("delete", "deadLetter", "unlock", "deliverNow")) {
            for (String token : List.of(listen, sender)) {
                assertThat(post("shop%2Forders", act, chosen, token).statusCode())
                        .as(act)
                        .isEqualTo(401);
            }
        }
        assertThat(post(DEAD, "resubmit", chosen, listen).statusCode()).isEqualTo(401);
        assertThat(send("POST", "/$operator/v1/entities/shop%2Forders/messages/1/edit", "{}", listen)
                        .statusCode())
                .isEqualTo(401);
        assertThat(messages("shop%2Forders")).hasSize(1);
    }

    @Test
    @DisplayName("gets the method of an act with the refusal of another one, and finds all acts in the description")
    void description() throws Exception {
        HttpResponse<String> put =
                send("PUT", "/$operator/v1/entities/shop%2Forders/messages/delete", "", TestBroker.token());
        assertThat(put.statusCode()).isEqualTo(405);
        assertThat(put.headers().firstValue("allow")).hasValue("GET, POST");

        JsonObject paths = new JsonObject(send("GET", "/$operator/v1/openapi.json", "", TestBroker.token())
                        .body())
                .getJsonObject("paths");
        for (String act :
                List.of("delete", "deadLetter", "resubmit", "move", "copy", "deliverNow", "reschedule", "unlock")) {
            JsonObject schema = paths.getJsonObject("/entities/{entity}/messages/" + act)
                    .getJsonObject("post")
                    .getJsonObject("requestBody")
                    .getJsonObject("content")
                    .getJsonObject("application/json")
                    .getJsonObject("schema");
            assertThat(schema.getJsonArray("required").contains("sequenceNumbers"))
                    .isTrue();
        }
    }
}
