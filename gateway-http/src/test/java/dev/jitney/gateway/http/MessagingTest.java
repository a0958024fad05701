package dev.jitney.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.AmqpWriter;
import dev.jitney.codec.IncomingMessageDecoder;
import dev.jitney.codec.Sections;
import dev.jitney.codec.ValueWriter;
import dev.jitney.core.Command;
import dev.jitney.model.MessageCounts;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP reference chapter 3 over a real listener and a whole broker. */
class MessagingTest extends MessagingScenario {
    // Sending and receiving

    @Test
    @DisplayName("HTTP 71, 72, 8: a sent message is received with a lock and a Location, which deletes it")
    void sendsLocksAndDeletes() throws Exception {
        HttpResponse<String> sent = http.send(
                "orders",
                "hello",
                "Content-Type",
                "text/plain",
                "BrokerProperties",
                "{\"MessageId\":\"m1\",\"Label\":\"L\",\"TimeToLive\":90}",
                "Priority",
                "\"High\"",
                "Count",
                "3");
        assertThat(sent.statusCode()).isEqualTo(201);
        assertThat(sent.body()).isEmpty();

        HttpResponse<String> locked = http.lock("orders", 0);
        assertThat(locked.statusCode()).isEqualTo(201);
        assertThat(locked.body()).isEqualTo("hello");
        assertThat(locked.headers().firstValue("Content-Type")).hasValue("text/plain");
        assertThat(locked.headers().firstValue("Priority")).hasValue("\"High\"");
        assertThat(locked.headers().firstValue("Count")).hasValue("3");
        JsonNode properties = properties(locked);
        String token = properties.get("LockToken").textValue();
        assertThat(properties.toString())
                .isEqualTo("{\"DeliveryCount\":1,\"EnqueuedSequenceNumber\":1,"
                        + "\"EnqueuedTimeUtc\":\"Sat, 21 Nov 2026 07:01:43 GMT\",\"Label\":\"L\",\"LockToken\":\""
                        + token + "\",\"LockedUntilUtc\":\"Sat, 21 Nov 2026 07:02:43 GMT\",\"MessageId\":\"m1\","
                        + "\"SequenceNumber\":1,\"State\":\"Active\",\"TimeToLive\":90}");
        String location = locked.headers().firstValue("Location").orElseThrow();
        assertThat(location).isEqualTo("http://localhost:" + gateway.httpPort() + "/orders/messages/1/" + token);

        assertThat(http.delete(location).statusCode()).isEqualTo(200);
        HttpResponse<String> again = http.delete(location);
        assertThat(again.statusCode()).isEqualTo(404);
        assertThat(again.body()).contains("<Code>404</Code><Detail>SubCode=40400. The lock supplied is invalid.");
        assertThat(counts().active()).isZero();
    }

    @Test
    @DisplayName("HTTP 74: receive-and-delete returns 200 without a lock, then 204")
    void receivesAndDeletes() throws Exception {
        http.send("orders", "once");
        HttpResponse<String> got = http.remove("orders", 0);
        assertThat(got.statusCode()).isEqualTo(200);
        assertThat(got.body()).isEqualTo("once");
        assertThat(got.headers().firstValue("Content-Type")).hasValue("application/atom+xml;type=entry;charset=utf-8");
        assertThat(got.headers().firstValue("Location")).isEmpty();
        assertThat(properties(got).has("LockToken")).isFalse();
        assertThat(properties(got).has("LockedUntilUtc")).isFalse();
        assertThat(properties(got).get("DeliveryCount").intValue()).isEqualTo(1);
        assertThat(properties(got).has("TimeToLive")).isFalse();
        assertThat(properties(got).get("MessageId").textValue()).hasSize(32);
        HttpResponse<String> none = http.remove("orders", 0);
        assertThat(none.statusCode()).isEqualTo(204);
        assertThat(none.body()).isEmpty();
        MessageCounts counts = counts();
        assertThat(counts.active()).isZero();
    }

    @Test
    @DisplayName("HTTP 72: a receive waits for a message until its timeout, and not at all with timeout 0")
    void waits() throws Exception {
        assertThat(http.lock("orders", 0).statusCode()).isEqualTo(204);
        long startNanos = System.nanoTime();
        assertThat(http.lock("orders", 1).statusCode()).isEqualTo(204);
        assertThat(System.nanoTime() - startNanos).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(900));
        CompletableFuture<HttpResponse<String>> waiting = http.start(http.lockRequest("orders", 30));
        awaitAttached();
        assertThat(waiting).isNotDone();
        http.send("orders", "at last");
        assertThat(waiting.get(30, TimeUnit.SECONDS).body()).isEqualTo("at last");
        for (String wrong : new String[] {"x", "-1", "1.5", ""}) {
            assertThat(http.call(http.to("/orders/messages/head?timeout=" + wrong)
                                    .DELETE())
                            .statusCode())
                    .isEqualTo(400);
        }
    }

    @Test
    @DisplayName("HTTP 73: unlocking makes a message available with a higher count, renewing moves the end of the lock")
    void unlocksAndRenews() throws Exception {
        http.send("orders", "a", "BrokerProperties", "{\"MessageId\":\"id with / and \\u00fc\"}");
        HttpResponse<String> first = http.lock("orders", 0);
        String location = first.headers().firstValue("Location").orElseThrow();
        broker.nowMs.addAndGet(30_000);
        HttpResponse<String> renewed = http.renew(location);
        assertThat(renewed.statusCode()).isEqualTo(200);
        assertThat(renewed.headers().firstValue("BrokerProperties"))
                .hasValue("{\"LockedUntilUtc\":\"Sat, 21 Nov 2026 07:03:13 GMT\"}");
        broker.nowMs.addAndGet(50_000);
        assertThat(http.lock("orders", 0).statusCode()).isEqualTo(204);
        assertThat(http.unlock(location).statusCode()).isEqualTo(200);
        HttpResponse<String> second = http.lock("orders", 0);
        assertThat(properties(second).get("DeliveryCount").intValue()).isEqualTo(2);
        assertThat(http.unlock(location).statusCode()).isEqualTo(404);
        assertThat(http.renew(location).statusCode()).isEqualTo(404);

        String token = properties(second).get("LockToken").textValue();
        for (String wrong : new String[] {"/orders/messages/2/" + token, "/orders/messages/other/" + token}) {
            assertThat(http.delete(wrong).statusCode()).isEqualTo(404);
        }
        assertThat(http.delete("/orders/messages/1/" + UUID.randomUUID()).statusCode())
                .isEqualTo(404);
        assertThat(http.delete("/orders/messages/id%20with%20%2F%20and%20%C3%BC/" + token)
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    @DisplayName("HTTP 3.2: every broker property is sent and received unchanged")
    void carriesBrokerProperties() throws Exception {
        String all = "{\"CorrelationId\":\"c\",\"ForcePersistence\":true,\"Label\":\"ü\\u00df\",\"MessageId\":\"m\","
                + "\"PartitionKey\":\"s\",\"ReplyTo\":\"r\",\"ReplyToSessionId\":\"rs\",\"SessionId\":\"s\","
                + "\"TimeToLive\":5000000.25,\"To\":\"t\",\"ViaPartitionKey\":\"v\",\"Unknown\":{\"x\":1},"
                + "\"SequenceNumber\":99,\"LockToken\":\"no\",\"DeliveryCount\":7,\"State\":\"Deferred\"}";
        // As most clients write it: the bytes of UTF-8.
        try (RawClient raw = new RawClient(gateway.httpPort())) {
            String utf8 = new String(
                    all.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                    java.nio.charset.StandardCharsets.ISO_8859_1);
            assertThat(raw.send("POST /orders/messages HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nAuthorization: "
                                    + TestBroker.token() + "\r\nBrokerProperties: " + utf8 + "\r\n\r\nx")
                            .answer())
                    .startsWith("HTTP/1.1 201");
        }
        HttpResponse<String> got = http.remove("orders", 0);
        assertThat(got.headers().firstValue("BrokerProperties").orElseThrow()).contains("\"Label\":\"\\u00FC\\u00DF\"");
        assertThat(properties(got).toString())
                .isEqualTo("{\"CorrelationId\":\"c\",\"DeliveryCount\":1,\"EnqueuedSequenceNumber\":1,"
                        + "\"EnqueuedTimeUtc\":\"Sat, 21 Nov 2026 07:01:43 GMT\",\"Label\":\"üß\",\"MessageId\":\"m\","
                        + "\"PartitionKey\":\"s\",\"ReplyTo\":\"r\",\"ReplyToSessionId\":\"rs\",\"SequenceNumber\":1,"
                        + "\"SessionId\":\"s\",\"State\":\"Active\",\"TimeToLive\":5000000.25,\"To\":\"t\","
                        + "\"ViaPartitionKey\":\"v\"}");
    }

    @Test
    @DisplayName("HTTP 3.2: a scheduled message arrives at its time and has that time")
    void schedules() throws Exception {
        http.send(
                "orders",
                "later",
                "BrokerProperties",
                "{\"ScheduledEnqueueTimeUtc\":\"Sat, 21 Nov 2026 07:03:43 GMT\"}");
        assertThat(http.lock("orders", 0).statusCode()).isEqualTo(204);
        broker.nowMs.addAndGet(120_000);
        HttpResponse<String> due = http.lock("orders", 30);
        assertThat(due.body()).isEqualTo("later");
        assertThat(properties(due).get("ScheduledEnqueueTimeUtc").textValue())
                .isEqualTo("Sat, 21 Nov 2026 07:03:43 GMT");
        assertThat(properties(due).get("EnqueuedTimeUtc").textValue()).isEqualTo("Sat, 21 Nov 2026 07:03:43 GMT");
    }

    @Test
    @DisplayName("HTTP 3.3, 80: properties keep their types, text is quoted, and no other header is without quotes")
    void carriesProperties() throws Exception {
        String[] sent = {
            "text", "\"a \\\"quoted\\\" C:\\\\x\"",
            "when", "\"Sun, 06 Nov 1994 08:49:37 GMT\"",
            "yes", "true",
            "no", "false",
            "whole", "-7",
            "decimal", "2.5",
            "exponent", "1e3",
            "loose", "no quotes",
            "empty", "\"\"",
            "huge", "99999999999999999999",
            "traceparent", "00-aa-bb-01",
            "X-Forwarded-For", "10.0.0.1",
        };
        assertThat(http.send("orders", "x", sent).statusCode()).isEqualTo(201);
        HttpResponse<String> got = http.remove("orders", 0);
        Map<String, String> expected = new LinkedHashMap<>();
        expected.put("text", "\"a \\\"quoted\\\" C:\\\\x\"");
        expected.put("when", "\"Sun, 06 Nov 1994 08:49:37 GMT\"");
        expected.put("yes", "true");
        expected.put("no", "false");
        expected.put("whole", "-7");
        expected.put("decimal", "2.5");
        expected.put("exponent", "1000.0");
        expected.put("loose", "\"no quotes\"");
        expected.put("empty", "\"\"");
        expected.put("huge", "\"99999999999999999999\"");
        Map<String, String> received = new LinkedHashMap<>();
        got.headers().map().forEach((name, values) -> received.put(name, values.get(0)));
        assertThat(received.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        union(expected.keySet(), List.of("content-type", "brokerproperties", "transfer-encoding")));
        expected.forEach((name, value) -> assertThat(received).containsEntry(name, value));
    }

    private static List<String> union(java.util.Collection<String> some, List<String> others) {
        List<String> all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }

    @Test
    @DisplayName(
            "HTTP 3.3: properties from AMQP clients have a header format or are omitted, and never break the response")
    void writesPropertiesOfOthers() throws Exception {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("int", 5);
        properties.put("uuid", new UUID(1, 2));
        properties.put("lines", "a\r\nSet-Cookie: x\u0001");
        properties.put("unicode", "grüße €");
        properties.put("binary", new byte[] {1});
        properties.put("none", null);
        properties.put("not a token", "x");
        properties.put("Location", "http://evil");
        properties.put("Content-Length", "0");
        properties.put("BrokerProperties", "{}");
        properties.put("nan", Double.NaN);
        amqp(null, properties);
        HttpResponse<byte[]> got = java.net.http.HttpClient.newHttpClient()
                .send(
                        http.to("/orders/messages/head?timeout=0").DELETE().build(),
                        HttpResponse.BodyHandlers.ofByteArray());
        assertThat(got.statusCode()).isEqualTo(200);
        assertThat(got.headers().firstValue("int")).hasValue("5");
        assertThat(got.headers().firstValue("uuid")).hasValue("\"" + new UUID(1, 2) + "\"");
        assertThat(got.headers().firstValue("lines")).hasValue("\"a\\u000d\\u000aSet-Cookie: x\\u0001\"");
        assertThat(got.headers().firstValue("nan")).hasValue("\"NaN\"");
        for (String leftOut : new String[] {"binary", "none", "Location", "Set-Cookie", "Content-Length"}) {
            assertThat(got.headers().firstValue(leftOut)).as(leftOut).isEmpty();
        }
        String unicode = got.headers().firstValue("unicode").orElseThrow();
        assertThat(new String(
                        unicode.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1),
                        java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo("\"grüße €\"");
        JsonNode told = new ObjectMapper()
                .readTree(got.headers().firstValue("BrokerProperties").orElseThrow());
        assertThat(told.get("OmittedProperties"))
                .extracting(JsonNode::asText)
                .containsExactly("binary", "none", "not a token", "Location", "Content-Length", "BrokerProperties");
        assertThat(told.get("OmittedPropertyCount").asInt()).isEqualTo(6);
    }

    @Test
    @DisplayName("HTTP 3.3: a response lists its omitted properties, with as many names as fit")
    void tellsOmittedProperties() throws Exception {
        amqp(null, Map.of("plain", "x"));
        assertThat(properties(http.remove("orders", 0)).has("OmittedProperties"))
                .isFalse();
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("name", "kept");
        properties.put("NAME", "differs by case only");
        properties.put("grüße", 1);
        amqp(null, properties);
        HttpResponse<String> got = http.lock("orders", 0);
        assertThat(got.headers().firstValue("name")).hasValue("\"kept\"");
        assertThat(properties(got).get("OmittedProperties"))
                .extracting(JsonNode::asText)
                .containsExactly("NAME", "grüße");
        properties.clear();
        for (int i = 0; i < 300; i++) {
            properties.put("not a token " + i, i);
        }
        amqp(null, properties);
        JsonNode many = properties(http.remove("orders", 0));
        assertThat(many.get("OmittedPropertyCount").asInt()).isEqualTo(300);
        assertThat(many.get("OmittedProperties").size()).isBetween(50, 299);
    }

    @Test
    @DisplayName("HTTP 3.2: no text from a sender breaks its response header")
    void writesAnyText() throws Exception {
        StringBuilder text = new StringBuilder();
        for (char c = 0; c < 0x180; c++) {
            text.append(c);
        }
        text.append("\u2028\ud83d\ude00\ud83d"); // a separator, a surrogate pair and half of one
        String json =
                new ObjectMapper().createArrayNode().add(text.toString()).get(0).toString();
        String escaped = json.chars()
                .mapToObj(c -> c < 0x20 || c > 0x7e ? String.format("\\u%04x", c) : String.valueOf((char) c))
                .collect(java.util.stream.Collectors.joining());
        http.batch(
                "orders",
                "[{\"Body\":\"x\",\"BrokerProperties\":{\"Label\":" + escaped + "},\"UserProperties\":{\"p\":" + escaped
                        + "}}]");
        HttpResponse<String> got = http.remove("orders", 0);
        assertThat(got.statusCode()).isEqualTo(200);
        String expected = text.substring(0, text.length() - 1) + "?";
        assertThat(properties(got).get("Label").textValue()).isEqualTo(expected);
        assertThat(got.headers().firstValue("p").orElseThrow())
                .startsWith("\"\\u0000")
                .endsWith("?\"");
    }

    @Test
    @DisplayName("HTTP 3.1: AMQP values are read as text, lists and maps as JSON")
    void readsBodiesOfOthers() throws Exception {
        Map<Object, Object> bodies = new LinkedHashMap<>();
        bodies.put("text ü", "text ü");
        bodies.put(42, "42");
        bodies.put(List.of(1, "b", List.of(true)), "[1,\"b\",[true]]");
        bodies.put(Map.of("k", new byte[] {1, 2}), "{\"k\":\"AQI=\"}");
        for (Map.Entry<Object, Object> body : bodies.entrySet()) {
            amqp(body.getKey(), Map.of());
            HttpResponse<String> got = http.remove("orders", 0);
            assertThat(got.statusCode()).isEqualTo(200);
            assertThat(got.body()).isEqualTo(body.getValue());
        }
    }

    /** Stores a message in the format of an AMQP client. */
    private void amqp(Object body, Map<String, ?> properties) throws Exception {
        AmqpWriter out = new AmqpWriter(256);
        if (!properties.isEmpty()) {
            out.writeSection(Sections.APPLICATION_PROPERTIES);
            ValueWriter.write(out, properties);
        }
        out.writeSection(Sections.AMQP_VALUE);
        ValueWriter.write(out, body);
        byte[] bytes = out.toByteArray();
        submit(new Command.SendMessages(
                new IncomingMessageDecoder(() -> "id").decode(new AmqpReader(bytes, 0, bytes.length), 0)));
    }

    // Batches

    @Test
    @DisplayName("HTTP 76: a batch of two arrives as two messages with their properties")
    void sendsBatches() throws Exception {
        assertThat(http.batch(
                                "orders",
                                "[{\"Body\":\"first\"},{\"Body\":\"second\",\"BrokerProperties\":{\"Label\":\"M2\","
                                        + "\"TimeToLiveTimeSpan\":\"0.00:00:40\"},\"UserProperties\":{\"Priority\":"
                                        + "\"High\",\"Count\":3,\"Half\":0.5,\"Yes\":true,\"None\":null}}]")
                        .statusCode())
                .isEqualTo(201);
        HttpResponse<String> first = http.remove("orders", 0);
        assertThat(first.body()).isEqualTo("first");
        assertThat(first.headers().firstValue("Content-Type")).isEmpty();
        HttpResponse<String> second = http.remove("orders", 0);
        assertThat(second.body()).isEqualTo("second");
        assertThat(properties(second).get("Label").textValue()).isEqualTo("M2");
        assertThat(properties(second).get("TimeToLive").intValue()).isEqualTo(40);
        assertThat(second.headers().firstValue("Priority")).hasValue("\"High\"");
        assertThat(second.headers().firstValue("Count")).hasValue("3");
        assertThat(second.headers().firstValue("Half")).hasValue("0.5");
        assertThat(second.headers().firstValue("Yes")).hasValue("true");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "[1]",
                "[{\"Body\":\"a\"},{\"Body\":1}]",
                "[{\"Body\":\"a\"},{}]",
                "[{\"Body\":\"a\"},1e99999999999]",
                "[{\"Body\":\"a\"}] x",
                "[{\"Body\":\"a\"},",
                "[{\"Body\":\"a\"},{\"Body\":\"b\",\"BrokerProperties\":{\"TimeToLive\":-1}}]",
                "[{\"Body\":\"a\"},{\"Body\":\"b\",\"BrokerProperties\":{\"TimeToLiveTimeSpan\":\"40\"}}]",
                "[{\"Body\":\"a\"},{\"Body\":\"b\",\"BrokerProperties\":{\"SessionId\":\"s\",\"PartitionKey\":\"t\"}}]",
                "[{\"Body\":\"a\"},{\"Body\":\"b\",\"UserProperties\":{\"x\":[1]}}]",
                "[{\"Body\":\"a\"},{\"Body\":\"b\",\"BrokerProperties\":[]}]",
            })
    @DisplayName("HTTP 76: an invalid element or invalid JSON refuses the whole batch")
    void refusesBatchesWhole(String json) throws Exception {
        assertThat(http.batch("orders", json).statusCode()).isEqualTo(400);
        assertThat(counts().active()).isZero();
    }

    @Test
    @DisplayName("HTTP 3.4: more than 100 entries, or more bytes than a message may have, are refused")
    void boundsBatches() throws Exception {
        String entry = "{\"Body\":\"x\"}";
        assertThat(http.batch("orders", "[" + (entry + ",").repeat(100) + entry + "]")
                        .statusCode())
                .isEqualTo(400);
        assertThat(http.batch("orders", "[" + (entry + ",").repeat(99) + entry + "]")
                        .statusCode())
                .isEqualTo(201);
        String large = "{\"Body\":\"" + "x".repeat(100_000) + "\"}";
        assertThat(http.batch("orders", "[" + large + "," + large + "," + large + "]")
                        .statusCode())
                .isEqualTo(403);
        assertThat(http.batch("orders", "[" + "[".repeat(100_000)).statusCode()).isEqualTo(400);
        assertThat(http.batch("orders", "[" + "1,".repeat(600_000) + "1]").statusCode())
                .isEqualTo(400);
        assertThat(counts().active()).isEqualTo(100);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[]",
                "7",
                "{} {}",
                "{\"TimeToLive\":0}",
                "{\"TimeToLive\":\"soon\"}",
                "{\"TimeToLive\":1e99999999999}",
                "{\"TimeToLive\":true}",
                "{\"MessageId\":{}}",
                "{\"ScheduledEnqueueTimeUtc\":\"tomorrow\"}",
                "{\"SessionId\":\"a\",\"PartitionKey\":\"b\"}",
            })
    @DisplayName("HTTP 3.2, 79: invalid BrokerProperties are refused with 400")
    void refusesBrokerProperties(String json) throws Exception {
        HttpResponse<String> refused = http.send("orders", "x", "BrokerProperties", json);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("<Code>400</Code><Detail>SubCode=40000. ");
        assertThat(counts().active()).isZero();
    }

    @Test
    @DisplayName("HTTP 3.2: numbers of any size are valid, even with huge exponents")
    void takesAnyNumber() throws Exception {
        for (String seconds : new String[] {"1e999999999", "1e-999999999", "922337203685.47754", "0.0001", "1E+3"}) {
            HttpResponse<String> sent =
                    http.send("orders", seconds, "BrokerProperties", "{\"TimeToLive\":" + seconds + "}");
            assertThat(sent.statusCode()).as(seconds).isEqualTo(201);
        }
    }

    // Sub-queues and names

    @Test
    @DisplayName("HTTP 77: messages of the dead-letter queue have reason and description as properties")
    void receivesDeadLetters() throws Exception {
        http.send("orders", "bad");
        String token = properties(http.lock("orders", 0)).get("LockToken").textValue();
        submit(new Command.DeadLetterMessages(List.of(UUID.fromString(token)), "why", "because", Map.of()));
        HttpResponse<String> dead = http.lock("orders/$deadletterqueue", 30);
        assertThat(dead.statusCode()).isEqualTo(201);
        assertThat(dead.headers().firstValue("DeadLetterReason")).hasValue("\"why\"");
        assertThat(dead.headers().firstValue("DeadLetterErrorDescription")).hasValue("\"because\"");
        String location = dead.headers().firstValue("Location").orElseThrow();
        assertThat(location).contains("/orders/$DeadLetterQueue/messages/1/");
        assertThat(http.delete(location).statusCode()).isEqualTo(200);
        assertThat(http.lock("orders/%24Transfer/%24DeadLetterQueue", 0).statusCode())
                .isEqualTo(204);
    }

    @Test
    @DisplayName("HTTP 2.1: names with slashes, even with a segment 'messages', are recognized by the end of the path")
    void findsNames() throws Exception {
        broker.create("a/messages/b");
        http.send("a%2Fmessages%2Fb", "deep");
        HttpResponse<String> got = http.lock("A/Messages/B", 0);
        assertThat(got.body()).isEqualTo("deep");
        String location = got.headers().firstValue("Location").orElseThrow();
        assertThat(location).contains("/A/Messages/B/messages/1/");
        assertThat(http.delete(location).statusCode()).isEqualTo(200);
    }
}
