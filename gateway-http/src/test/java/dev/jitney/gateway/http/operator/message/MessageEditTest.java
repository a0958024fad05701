package dev.jitney.gateway.http.operator.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.AmqpWriter;
import dev.jitney.codec.Codes;
import dev.jitney.codec.ContentReader;
import dev.jitney.codec.ContentReader.BodyKind;
import dev.jitney.codec.IncomingMessageDecoder;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.PropertyField;
import dev.jitney.codec.Symbol;
import dev.jitney.codec.TypedValueWriter;
import dev.jitney.codec.Unsigned;
import dev.jitney.codec.ValueWriter;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.privacy.BodyAccess;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An edit of a stored message")
class MessageEditTest {
    private static final long ENQUEUED_MS = 1_700_000_000_000L;
    private static final long SCHEDULED_MS = 1_700_000_060_000L;

    /** Returns the content of a message as an SDK sends it, with all fields that an edit can change. */
    private static MessageContent content(Map<String, ?> properties, Consumer<AmqpWriter> body) {
        AmqpWriter out = new AmqpWriter(512);
        out.writeSection(Codes.MESSAGE_ANNOTATIONS);
        int map = out.beginMap(2);
        out.writeSymbol("x-opt-partition-key");
        out.writeString("s");
        out.writeSymbol("x-opt-scheduled-enqueue-time");
        out.writeTimestamp(SCHEDULED_MS);
        out.endCompound(map);
        out.writeSection(Codes.PROPERTIES);
        ValueWriter.write(
                out,
                Arrays.asList(
                        Unsigned.ofLong(7), // message-id
                        null,
                        "to",
                        "subject",
                        "reply-to",
                        "correlation",
                        new Symbol("text/plain"),
                        new Symbol("gzip"),
                        null,
                        null,
                        "s", // group-id
                        null,
                        "reply-to-session"));
        out.writeSection(Codes.APPLICATION_PROPERTIES);
        ValueWriter.write(out, properties);
        body.accept(out);
        return decoded(out).content();
    }

    private static IncomingMessage decoded(AmqpWriter out) {
        try {
            return new IncomingMessageDecoder(() -> "fresh")
                    .decode(new AmqpReader(out.toByteArray(), 0, out.size()), IncomingMessageDecoder.FORMAT_SINGLE)
                    .get(0);
        } catch (MessageFormatException wrong) {
            throw new AssertionError(wrong);
        }
    }

    private static void data(AmqpWriter out) {
        out.writeSection(Codes.DATA);
        out.writeBinary(new byte[] {'o', 'l', 'd'});
    }

    private static MessageView view(MessageContent content, Map<String, EncodedValue> overrides) {
        return view(content, overrides, MessageState.ACTIVE, MessageView.NEVER);
    }

    private static MessageView view(
            MessageContent content, Map<String, EncodedValue> overrides, MessageState state, long expiresAtMs) {
        MessageEnvelope envelope = MessageEnvelope.builder()
                .sequenceNumber(7)
                .enqueuedSequenceNumber(5)
                .enqueuedTimeMs(ENQUEUED_MS)
                .expiresAtMs(expiresAtMs)
                .scheduledEnqueueTimeMs(SCHEDULED_MS)
                .deliveryCount(3)
                .sessionId("s")
                .deadLetterSource("orders")
                .propertyOverrides(overrides)
                .hops(2)
                .build();
        return new MessageView(envelope, state, null, 0, content);
    }

    private static MessageView original() {
        Map<String, EncodedValue> overrides = new LinkedHashMap<>();
        overrides.put("set", EncodedValue.ofString("later"));
        overrides.put("DeadLetterReason", EncodedValue.ofString("reason"));
        overrides.put("DeadLetterErrorDescription", EncodedValue.ofString("description"));
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("set", "before");
        properties.put("color", "red");
        properties.put("amount", 250);
        properties.put("DeadLetterReason", "an older reason");
        return view(content(properties, MessageEditTest::data), overrides);
    }

    private static MessageEdit edit(String json) throws RefusedException {
        return MessageEdit.parse(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static IncomingMessage edited(String json) throws RefusedException {
        return edit(json).applyTo(original());
    }

    private static Map<PropertyField, Object> fields(IncomingMessage message) {
        return new ContentReader(message.content()).properties();
    }

    private static Map<String, Object> properties(IncomingMessage message) {
        return new ContentReader(message.content()).applicationProperties(Map.of());
    }

    private static Map<String, Object> annotations(IncomingMessage message) {
        return new ContentReader(message.content()).annotations();
    }

    private static String refusal(String json) {
        RefusedException refused = catchThrowableOfType(RefusedException.class, () -> edited(json));
        assertThat(refused).as(json).isNotNull();
        assertThat(refused.error().status()).isEqualTo(400);
        return refused.error().sentence();
    }

    @Test
    @DisplayName(
            "without members sends the same message as a new one, without its history and its reason of a dead letter")
    void changesNothing() throws Exception {
        IncomingMessage again = edited("{}");

        assertThat(fields(again)).isEqualTo(new ContentReader(original().content()).properties());
        assertThat(properties(again)).isEqualTo(Map.of("set", "later", "color", "red", "amount", 250));
        assertThat(new ContentReader(again.content()).body().data()).asString().isEqualTo("old");
        assertThat(again.messageId()).isEqualTo("7");
        assertThat(again.sessionId()).isEqualTo("s");
        assertThat(again.partitionKey()).isEqualTo("s");
        assertThat(again.timeToLiveMs()).isEqualTo(MessageView.NEVER);
        assertThat(again.envelope()).isEqualTo(MessageEnvelope.sent("s", SCHEDULED_MS));
        assertThat(again.headerSizeBytes())
                .isEqualTo(again.content().properties().remaining()
                        + again.content().applicationProperties().remaining());
        assertThat(again.largestPropertySizeBytes()).isEqualTo(2 + "amount".length() + 5);
        assertThat(again.encodedSizeBytes()).isGreaterThan(again.headerSizeBytes());
    }

    @ParameterizedTest
    @CsvSource({
        "messageId, MESSAGE_ID",
        "subject, SUBJECT",
        "contentType, CONTENT_TYPE",
        "contentEncoding, CONTENT_ENCODING",
        "correlationId, CORRELATION_ID",
        "to, TO",
        "replyTo, REPLY_TO",
        "replyToSessionId, REPLY_TO_GROUP_ID",
    })
    @DisplayName("sets and clears a field of text, and leaves the others as they are")
    void changesFields(String member, PropertyField field) throws Exception {
        Map<PropertyField, Object> expected = fields(edited("{}"));
        expected.put(field, "new");
        assertThat(fields(edited("{'" + member + "': 'new'}"))).isEqualTo(expected);

        IncomingMessage cleared = edited("{'" + member + "': null}");
        if (field == PropertyField.MESSAGE_ID) {
            assertThat(fields(cleared).get(field)).asString().hasSize(32); // a new id
        } else {
            expected.remove(field);
            assertThat(fields(cleared)).isEqualTo(expected);
        }
    }

    @Test
    @DisplayName("sets and clears the session id and the partition key, for the broker and for receivers")
    void changesSessionAndPartition() throws Exception {
        IncomingMessage moved = edited("{'sessionId': 't', 'partitionKey': 't', 'messageId': 'm'}");
        assertThat(moved.sessionId()).isEqualTo("t");
        assertThat(moved.partitionKey()).isEqualTo("t");
        assertThat(moved.messageId()).isEqualTo("m");
        assertThat(fields(moved)).containsEntry(PropertyField.GROUP_ID, "t");
        assertThat(annotations(moved)).containsEntry("x-opt-partition-key", "t");

        IncomingMessage free = edited("{'sessionId': null, 'partitionKey': null}");
        assertThat(free.sessionId()).isNull();
        assertThat(free.partitionKey()).isNull();
        assertThat(annotations(free)).containsOnlyKeys("x-opt-scheduled-enqueue-time");
    }

    @Test
    @DisplayName("PAIR-32: a content type can make the message a ping")
    void canBeAPing() throws Exception {
        assertThat(edited("{}").ping()).isFalse();
        assertThat(edited("{'contentType': 'application/vnd.ms-servicebus-ping'}")
                        .ping())
                .isTrue();
    }

    @Test
    @DisplayName("schedules the message for another time, or sends it without one")
    void changesTheScheduledTime() throws Exception {
        IncomingMessage later = edited("{'scheduledEnqueueTime': '2030-01-31T12:00:00+01:00'}");
        Instant expected = Instant.parse("2030-01-31T11:00:00Z");
        assertThat(later.scheduledEnqueueTimeMs()).isEqualTo(expected.toEpochMilli());
        assertThat(annotations(later)).containsEntry("x-opt-scheduled-enqueue-time", expected);

        IncomingMessage now = edited("{'scheduledEnqueueTime': null}");
        assertThat(now.scheduledEnqueueTimeMs()).isZero();
        assertThat(annotations(now)).containsOnlyKeys("x-opt-partition-key");
    }

    @Test
    @DisplayName("TTL-33, TTL-12: the time to live starts again, that of a scheduled message from its scheduled time")
    void keepsTheTimeToLive() throws Exception {
        MessageContent content = original().content();
        MessageView active = view(content, Map.of(), MessageState.ACTIVE, ENQUEUED_MS + 5_000);
        MessageView expired = view(content, Map.of(), MessageState.ACTIVE, ENQUEUED_MS);
        MessageView waiting = view(content, Map.of(), MessageState.SCHEDULED, SCHEDULED_MS + 5_000);
        assertThat(edit("{}").applyTo(active).timeToLiveMs()).isEqualTo(5_000);
        assertThat(edit("{}").applyTo(expired).timeToLiveMs()).isEqualTo(1);
        assertThat(edit("{}").applyTo(waiting).timeToLiveMs()).isEqualTo(5_000);
        assertThat(edit("{'timeToLive': 9000}").applyTo(active).timeToLiveMs()).isEqualTo(9_000);
        assertThat(edit("{'timeToLive': 922337203685477}").applyTo(active).timeToLiveMs())
                .isEqualTo(922_337_203_685_477L);
        assertThat(edit("{'timeToLive': null}").applyTo(active).timeToLiveMs()).isEqualTo(MessageView.NEVER);
    }

    @Test
    @DisplayName("sets application properties with their types, removes those that are null, and keeps the others")
    void changesProperties() throws Exception {
        IncomingMessage message = edited("{'applicationProperties': {'color': null, 'set': 'now', 'absent': null,"
                + " 'amount': {'type': 'long', 'value': '251'}, 'DeadLetterReason': 'mine', 'ready': true,"
                + " 'price': {'type': 'double', 'value': 1e-3}, 'zero': {'type': 'float', 'value': -0.0}}}");
        Map<String, Object> expected = new LinkedHashMap<>();
        expected.put("set", "now");
        expected.put("amount", 251L);
        expected.put("DeadLetterReason", "mine");
        expected.put("ready", true);
        expected.put("price", 0.001);
        expected.put("zero", -0.0f);
        assertThat(properties(message)).isEqualTo(expected);
    }

    @Test
    @DisplayName("replaces the body by text, bytes, a value or a sequence, and removes the footer")
    void changesTheBody() throws Exception {
        MessageContent content = content(Map.of(), out -> {
            data(out);
            out.writeSection(Codes.FOOTER);
            int map = out.beginMap(1);
            out.writeSymbol("hash");
            out.writeInt(1);
            out.endCompound(map);
        });
        MessageView signed = view(content, Map.of());
        assertThat(edit("{'subject': 'x'}").applyTo(signed).content().body()).isEqualTo(content.body());

        MessageContent text = edit("{'body': 'über'}").applyTo(signed).content();
        assertThat(new ContentReader(text).body().data()).isEqualTo("über".getBytes(StandardCharsets.UTF_8));
        assertThat(text.body().remaining()).as("without the footer").isEqualTo(3 + 2 + 5);

        assertThat(body("{'type': 'data', 'base64': 'AP8='}", BodyKind.DATA).data())
                .containsExactly(0, 0xff);
        assertThat(body("''", BodyKind.DATA).data()).isEmpty();
        assertThat(body("{'type': 'value', 'value': null}", BodyKind.VALUE).values())
                .containsExactly((Object) null);
        assertThat(body(
                                "{'type': 'value', 'value': {'type': 'map', 'value': [['a', {'type': 'int', 'value': 1}]]}}",
                                BodyKind.VALUE)
                        .values())
                .containsExactly(Map.of("a", 1));
        assertThat(body(
                                "{'type': 'sequence', 'value': ['a', {'type': 'uuid', 'value': '" + new UUID(1, 2)
                                        + "'}]}",
                                BodyKind.SEQUENCE)
                        .values())
                .containsExactly(List.of("a", new UUID(1, 2)));
    }

    private static ContentReader.Body body(String json, BodyKind kind) throws RefusedException {
        ContentReader.Body body =
                new ContentReader(edited("{'body': " + json + "}").content()).body();
        assertThat(body.kind()).isEqualTo(kind);
        return body;
    }

    static List<String[]> refusals() {
        return List.of(
                new String[] {"", "Expected a JSON object in the body of the request."},
                new String[] {"[]", "Expected a JSON object in the body of the request."},
                new String[] {"{'subject': 'x'", "Expected a JSON object in the body of the request, but: "},
                new String[] {"{} {}", "but more content follows it."},
                new String[] {"{'subject': 'x', 'subject': 'y'}", "has /subject twice."},
                new String[] {
                    "{'applicationProperties': {'a': {'type': 'int', 'type': 'int'}}}",
                    "has /applicationProperties/a/type twice."
                },
                new String[] {"{'Subject': 'x'}", "but got 'Subject'."},
                new String[] {"{'sequenceNumber': '7'}", "Expected the members [applicationProperties, body, "},
                new String[] {"{'subject': 5}", "Expected text or null in the member 'subject', but got 5."},
                new String[] {"{'messageId': {}}", "Expected text or null in the member 'messageId', but got an object."
                },
                new String[] {"{'partitionKey': []}", "in the member 'partitionKey', but got an array."},
                new String[] {
                    "{'sessionId': '\\ud800'}", "in the member 'sessionId', but it has half of a surrogate pair."
                },
                new String[] {"{'contentType': 'täxt'}", "Expected only ASCII characters in the member 'contentType'"},
                new String[] {"{'timeToLive': 0}", "from 1 to 922337203685477 in the member 'timeToLive', but got 0."},
                new String[] {"{'timeToLive': 1.5}", "in the member 'timeToLive', but got 1.5."},
                new String[] {"{'timeToLive': '5'}", "in the member 'timeToLive', but got '5'."},
                new String[] {"{'timeToLive': 99999999999999999999}", "in the member 'timeToLive'"},
                new String[] {"{'timeToLive': 1e99999999999}", "one is out of range."},
                new String[] {
                    "{'scheduledEnqueueTime': 'soon'}", "in the member 'scheduledEnqueueTime', but got 'soon'."
                },
                new String[] {"{'scheduledEnqueueTime': 5}", "in the member 'scheduledEnqueueTime', but got 5."},
                new String[] {
                    "{'scheduledEnqueueTime': '+400000000-01-01T00:00:00Z'}", "in the member 'scheduledEnqueueTime'"
                },
                new String[] {
                    "{'applicationProperties': null}", "Expected an object in the member 'applicationProperties'"
                },
                new String[] {
                    "{'applicationProperties': {'n': {'type': 'byte', 'value': 128}}}",
                    "in a value of type byte, but got 128. The value is in the member 'applicationProperties.n'."
                },
                new String[] {"{'applicationProperties': {'n': 5}}", "in the member 'applicationProperties.n'."},
                new String[] {
                    "{'applicationProperties': {'n': {'type': 'list', 'value': []}}}",
                    "Expected a simple value in application property 'n', but got a list."
                },
                new String[] {"{'applicationProperties': {'\\udc00': 'x'}}", "surrogate"},
                new String[] {
                    "{'body': null}", "Expected text or an object with a type in the member 'body', but got null."
                },
                new String[] {"{'body': {'type': 'text'}}", "[data, value, sequence] in the member 'body.type'"},
                new String[] {"{'body': {'type': 'data', 'value': ''}}", "Expected the members [type, base64]"},
                new String[] {"{'body': {'type': 'data', 'base64': '?'}}", "Expected base64 in the member 'body.base64'"
                },
                new String[] {
                    "{'body': {'type': 'sequence', 'value': 'a'}}", "Expected an array in the member 'body.value'"
                },
                new String[] {
                    "{'body': {'type': 'value', 'value': {'type': 'int', 'value': 'a'}}}",
                    "in a value of type int, but got 'a'. The value is in the member 'body.value'."
                });
    }

    @ParameterizedTest
    @MethodSource("refusals")
    @DisplayName("with a wrong member is refused, and the text names the member")
    void refuses(String json, String expected) {
        assertThat(refusal(json)).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{'type':'list','value':["})
    @DisplayName("with too many levels is refused")
    void limitsTheDepth(String level) {
        assertThat(refusal("{'body': {'type': 'value', 'value': " + level.repeat(300)))
                .startsWith("Expected ");
    }

    @Test
    @DisplayName("with too many parts is refused before they take memory")
    void limitsTheCount() {
        assertThat(refusal("{'body': {'type': 'sequence', 'value': [" + "null,".repeat(100_000) + "null]}}"))
                .isEqualTo(
                        "Expected at most 100000 values, but there are more. The value is in the member 'body.value'.");
        assertThat(refusal("{'body': {'type': 'sequence', 'value': [" + "1,".repeat(1_000_000)))
                .startsWith("Expected a JSON object in the body of the request, but: ");
    }

    @Test
    @DisplayName("with all values of a document changes nothing")
    void readsDocuments() throws Exception {
        Map<String, Object> simple = new LinkedHashMap<>();
        for (Map<String, Object> value : List.<Map<String, Object>>of(
                Map.of("type", "byte", "value", -1),
                Map.of("type", "short", "value", -2),
                Map.of("type", "int", "value", -3),
                Map.of("type", "long", "value", "9007199254740993"),
                Map.of("type", "ubyte", "value", 255),
                Map.of("type", "ushort", "value", 65_535),
                Map.of("type", "uint", "value", 4_294_967_295L),
                Map.of("type", "ulong", "value", "18446744073709551615"),
                Map.of("type", "float", "value", 0.1),
                Map.of("type", "double", "value", -1e300),
                Map.of("type", "decimal32", "value", "a0000001"),
                Map.of("type", "decimal64", "value", "1"),
                Map.of("type", "decimal128", "value", "f".repeat(32)),
                Map.of("type", "char", "value", "\ud83d\ude00"),
                Map.of("type", "symbol", "value", "s"),
                Map.of("type", "uri", "value", "http://a/"),
                Map.of("type", "binary", "value", "AP8="),
                Map.of("type", "uuid", "value", new UUID(1, 2).toString()),
                Map.of("type", "timestamp", "value", "1969-12-31T23:59:59.999Z"),
                Map.of("type", "datetime-offset", "value", "2026-01-31T12:00:00.0000001Z"),
                Map.of("type", "duration", "value", "PT-0.5S"))) {
            simple.put(value.get("type").toString(), TypedValueWriter.encode(value));
        }
        simple.put("string", "t\u0000\"\u00fc");
        simple.put("boolean", false);
        List<Object> elements = List.of(simple, List.copyOf(simple.values()));
        for (Consumer<AmqpWriter> body : List.<Consumer<AmqpWriter>>of(
                MessageEditTest::data,
                out -> {
                    out.writeSection(Codes.DATA);
                    out.writeBinary(new byte[] {(byte) 0xff});
                },
                out -> {
                    out.writeSection(Codes.AMQP_VALUE);
                    ValueWriter.write(out, elements);
                },
                out -> {
                    out.writeSection(Codes.AMQP_SEQUENCE);
                    ValueWriter.write(out, elements);
                })) {
            MessageContent sent = content(simple, body);
            JsonObject document = document(view(sent, Map.of()));
            JsonObject same = new JsonObject();
            for (String member : List.of(
                    "subject",
                    "contentType",
                    "contentEncoding",
                    "correlationId",
                    "sessionId",
                    "partitionKey",
                    "to",
                    "replyTo",
                    "replyToSessionId",
                    "scheduledEnqueueTime",
                    "applicationProperties",
                    "body")) {
                same.put(member, document.getValue(member));
            }
            assertThat(same.getMap()).doesNotContainValue(null);

            MessageContent again =
                    edit(same.encode()).applyTo(view(sent, Map.of())).content();

            assertThat(again.properties()).isEqualTo(sent.properties());
            assertThat(again.applicationProperties()).isEqualTo(sent.applicationProperties());
            assertThat(again.body()).isEqualTo(sent.body());
            assertThat(new ContentReader(again).annotations()).isEqualTo(new ContentReader(sent).annotations());
        }
    }

    private static JsonObject document(MessageView message) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = new JsonFactory().createGenerator(bytes)) {
            MessageDocument.write(out, message, Long.MAX_VALUE, BodyAccess.ALL);
        }
        return new JsonObject(bytes.toString(StandardCharsets.UTF_8));
    }

    @Test
    @DisplayName("can be absent: the message gets further properties, and is delivered at its time or now")
    void sendsAgain() throws Exception {
        Map<String, EncodedValue> additional = Map.of("x-mark", EncodedValue.ofString("yes"));

        IncomingMessage kept = MessageEdit.unchanged(original(), additional, true);
        assertThat(properties(kept)).isEqualTo(Map.of("set", "later", "color", "red", "amount", 250, "x-mark", "yes"));
        assertThat(kept.scheduledEnqueueTimeMs()).isEqualTo(SCHEDULED_MS);
        assertThat(kept.content().properties()).isEqualTo(original().content().properties());
        assertThat(kept.content().body()).isEqualTo(original().content().body());

        IncomingMessage now = MessageEdit.unchanged(original(), additional, false);
        assertThat(now.scheduledEnqueueTimeMs()).isZero();
        assertThat(now.envelope()).isEqualTo(MessageEnvelope.sent("s", 0));
        assertThat(annotations(now)).containsOnlyKeys("x-opt-partition-key");
        assertThat(MessageEdit.unchanged(original(), Map.of(), true).content())
                .isEqualTo(edit("{}").applyTo(original()).content());
    }

    @Test
    @DisplayName("can be applied to several messages")
    void isReusable() throws Exception {
        MessageEdit edit =
                edit("{'subject': 'x', 'partitionKey': 's', 'body': 'b', 'applicationProperties': {'a': 'b'}}");
        assertThat(edit.applyTo(original())).isEqualTo(edit.applyTo(original()));
        assertThat(properties(edit.applyTo(original(), Map.of("c", EncodedValue.ofString("d")))))
                .containsEntry("a", "b")
                .containsEntry("c", "d");
    }
}
