package dev.jitney.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.messaging.AmqpSequence;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.DeliveryAnnotations;
import org.apache.qpid.protonj2.types.messaging.Footer;
import org.apache.qpid.protonj2.types.messaging.Header;
import org.apache.qpid.protonj2.types.messaging.MessageAnnotations;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Section;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IncomingMessageDecoderTest {
    private static final int BATCH = 0x8001_3700;
    private static final String DATA = "00 53 75 a0 01 2a";

    private final IncomingMessageDecoder decoder = new IncomingMessageDecoder(() -> "fresh");

    @Test
    @DisplayName("40: properties, application properties, body and footer stay byte for byte")
    void keepsBytes() throws Exception {
        Properties properties = new Properties();
        properties.setMessageId("id");
        properties.setUserId(new Binary(new byte[] {1}));
        properties.setGroupId("group");
        properties.setReplyToGroupId("reply");
        ProtonBuffer propertiesBytes = Wire.encode(properties);
        ProtonBuffer applicationBytes = Wire.encode(new ApplicationProperties(Map.of("a", 'c')));
        ProtonBuffer bodyBytes =
                Wire.encode(new Data(new byte[300]), new Data(new byte[2]), new Footer(Map.of(Symbol.valueOf("f"), 1)));
        byte[] all = Wire.concat(
                Wire.bytes(Wire.encode(new Header(), new DeliveryAnnotations(Map.of(Symbol.valueOf("x"), 1)))),
                Wire.bytes(propertiesBytes),
                Wire.bytes(applicationBytes),
                Wire.bytes(bodyBytes));
        IncomingMessage message = decode(all);
        assertThat(bytes(message.content().properties())).isEqualTo(Wire.bytes(propertiesBytes));
        assertThat(bytes(message.content().applicationProperties())).isEqualTo(Wire.bytes(applicationBytes));
        assertThat(bytes(message.content().body())).isEqualTo(Wire.bytes(bodyBytes));
        assertThat(message.content().annotations().remaining()).isZero();
        assertThat(message.sessionId()).isEqualTo("group");
        assertThat(message.replyToSessionId()).isEqualTo("reply");
        assertThat(message.encodedSizeBytes()).isEqualTo(all.length);
        assertThat(message.headerSizeBytes())
                .isEqualTo(propertiesBytes.getReadableBytes() + applicationBytes.getReadableBytes());
        assertThat(message.largestPropertySizeBytes()).isEqualTo(3 + 5); // "a" and a char with their codes
    }

    @Test
    @DisplayName("4.1: value bodies, sequence bodies and empty bodies are also kept")
    void keepsEveryKindOfBody() throws Exception {
        for (Section<?> body :
                List.of(new AmqpValue<>(Map.of("k", List.of(1, "two"))), new AmqpSequence<>(List.of(1L, 2.0, true)))) {
            assertThat(bytes(decode(body).content().body())).isEqualTo(Wire.bytes(Wire.encode(body)));
        }
        assertThat(decode(new Properties()).content().body().remaining()).isZero();
    }

    @Test
    @DisplayName("4.2: header fields durable and priority are kept, the delivery count is ignored")
    void readsTheHeader() throws Exception {
        Header header = new Header();
        header.setDurable(true);
        header.setPriority((byte) 200);
        header.setDeliveryCount(9);
        IncomingMessage message = decode(header, new Data(new byte[1]));
        assertThat(message.content().durable()).isTrue();
        assertThat(message.content().priority()).isEqualTo(200);
        assertThat(decode(new Data(new byte[1])).content().priority()).isEqualTo(4);
    }

    @Test
    @DisplayName("45: every kind of message id keeps its type and is available as text")
    void readsMessageIds() throws Exception {
        UUID uuid = UUID.randomUUID();
        Map<Object, String> ids = new LinkedHashMap<>();
        ids.put("ünï", "ünï");
        ids.put(UnsignedLong.MAX_VALUE, "18446744073709551615");
        ids.put(UnsignedLong.valueOf(7L), "7");
        ids.put(uuid, uuid.toString());
        ids.put(new Binary(new byte[] {0x0a, (byte) 0xff}), "0aff");
        for (Map.Entry<Object, String> id : ids.entrySet()) {
            Properties properties = new Properties();
            properties.setMessageId(id.getKey());
            IncomingMessage message = decode(properties);
            assertThat(message.messageId()).isEqualTo(id.getValue());
            assertThat(Wire.section(Wire.buffer(bytes(message.content().properties())), Properties.class)
                            .getMessageId())
                    .isEqualTo(id.getKey());
        }
    }

    @Test
    @DisplayName("MSG-3, DUP-7: a message without an id gets one and keeps its other properties; the id as sent is"
            + " absent")
    void assignsMessageIds() throws Exception {
        assertThat(idReceived(decode(new Data(new byte[1])))).isEqualTo("fresh");
        Properties properties = new Properties();
        properties.setSubject("subject");
        properties.setReplyToGroupId("g");
        IncomingMessage message = decode(properties);
        assertThat(message.messageId()).isNull();
        assertThat(idReceived(message)).isEqualTo("fresh");
        Properties kept = Wire.section(Wire.buffer(bytes(message.content().properties())), Properties.class);
        assertThat(kept.getSubject()).isEqualTo("subject");
        assertThat(kept.getReplyToGroupId()).isEqualTo("g");
    }

    private static Object idReceived(IncomingMessage message) {
        return Wire.section(Wire.buffer(bytes(message.content().properties())), Properties.class)
                .getMessageId();
    }

    @ParameterizedTest(name = "ttl {0}, creation {1}, expiry {2} -> {3}")
    @CsvSource(
            nullValues = "-",
            value = {
                "-, -, -, -",
                "60000, -, -, 60000",
                "0, -, -, 0",
                "0, 1000, 9000, 0",
                "4294967295, -, -, -",
                "4294967295, 1000, 5184001000, 5184000000",
                "-, 1000, 3000, 2000",
                "-, -, 3000, -",
                "-, 3000, 1000, -",
                "60000, 1000, 61000, 60000",
                "60000, 1000, 91000, 60000",
                "4294967295, 1000, 4294968295, -",
                "4294967295, 1000, 253402300799999, -",
                "-, 1000, 253402214399999, -",
                "60000, 1000, 2000, 60000",
                "-, -9223372036854775808, 9223372036854775807, -",
            })
    @DisplayName("MSG-7: the time to live is header.ttl, or the difference of the times if header.ttl is not set")
    void readsTimeToLive(Long ttl, Long creation, Long expiry, Long expected) throws Exception {
        Header header = new Header();
        if (ttl != null) {
            header.setTimeToLive(ttl);
        }
        Properties properties = new Properties();
        if (creation != null) {
            properties.setCreationTime(creation);
        }
        if (expiry != null) {
            properties.setAbsoluteExpiryTime(expiry);
        }
        assertThat(decode(header, properties).timeToLiveMs())
                .isEqualTo(expected == null ? MessageView.NEVER : expected);
    }

    @Test
    @DisplayName("MSG-5, 4.4: annotations that only the broker sets are dropped, all others come back")
    void filtersAnnotations() throws Exception {
        Map<Symbol, Object> sent = new LinkedHashMap<>();
        sent.put(Symbol.valueOf("x-opt-sequence-number"), 99L);
        sent.put(Symbol.valueOf("x-opt-partition-key"), "key");
        sent.put(Symbol.valueOf("x-opt-enqueue-sequence-number"), 99L);
        sent.put(Symbol.valueOf("x-opt-enqueued-time"), new Date(1));
        sent.put(Symbol.valueOf("x-opt-scheduled-enqueue-time"), new Date(5_000));
        sent.put(Symbol.valueOf("x-opt-via-partition-key"), "via");
        sent.put(Symbol.valueOf("x-opt-locked-until"), new Date(1));
        sent.put(Symbol.valueOf("x-opt-deadletter-source"), "q");
        sent.put(Symbol.valueOf("x-opt-message-state"), 1);
        sent.put(Symbol.valueOf("x-opt-own"), List.of(1));
        sent.put(Symbol.valueOf("x-opt-partition-id"), (short) 1);
        sent.put(Symbol.valueOf("x-opt-transfer-hop-count"), 3);
        sent.put(Symbol.valueOf("x-opt-lock-token"), UUID.randomUUID());
        IncomingMessage message = decode(new MessageAnnotations(sent));
        assertThat(message.partitionKey()).isEqualTo("key");
        assertThat(message.viaPartitionKey()).isEqualTo("via");
        assertThat(message.scheduledEnqueueTimeMs()).isEqualTo(5_000);

        Map<Symbol, Object> received = Wire.section(
                        Wire.buffer(new OutgoingMessageEncoder().encode(Views.delivered(message))),
                        MessageAnnotations.class)
                .getValue();
        assertThat(received)
                .containsEntry(Symbol.valueOf("x-opt-sequence-number"), 7L)
                .containsEntry(Symbol.valueOf("x-opt-partition-key"), "key")
                .containsEntry(Symbol.valueOf("x-opt-via-partition-key"), "via")
                .containsEntry(Symbol.valueOf("x-opt-scheduled-enqueue-time"), 5_000L)
                .containsEntry(Symbol.valueOf("x-opt-own"), List.of(1))
                .hasSize(9);
    }

    @Test
    @DisplayName("SCHED-2: a time before the epoch means past, a null means absent")
    void readsOddScheduledTimes() throws Exception {
        Symbol key = Symbol.valueOf("x-opt-scheduled-enqueue-time");
        assertThat(decode(new MessageAnnotations(Map.of(key, new Date(-5)))).scheduledEnqueueTimeMs())
                .isEqualTo(1);
        Map<Symbol, Object> none = new LinkedHashMap<>();
        none.put(key, null);
        assertThat(decode(new MessageAnnotations(none)).scheduledEnqueueTimeMs())
                .isZero();
        assertRefused(ErrorCode.ARGUMENT, Wire.bytes(Wire.encode(new MessageAnnotations(Map.of(key, 5L)))), 0);
        assertRefused(
                ErrorCode.ARGUMENT,
                Wire.bytes(Wire.encode(new MessageAnnotations(Map.of(Symbol.valueOf("x-opt-partition-key"), 5L)))),
                0);
    }

    @Test
    @DisplayName("wire 4.1: string keys of annotations and footers are accepted, and come back as symbols")
    void takesStringKeysOfAnnotations() throws Exception {
        byte[] sent = Wire.concat(
                map(0x71, 2, Wire.concat(Wire.encodeValue("x-opt-lock-token"), Wire.encodeValue("t"))),
                map(
                        0x72,
                        10,
                        Wire.concat(
                                Wire.encodeValue("x-opt-partition-key"),
                                Wire.encodeValue("p"),
                                Wire.encodeValue("x-opt-sequence-number"),
                                Wire.encodeValue(99L),
                                Wire.encodeValue("x-opt-scheduled-enqueue-time"),
                                Wire.encodeValue(1_700_000_000_000L),
                                Wire.encodeValue("\u00e9"),
                                Wire.encodeValue("v"),
                                Wire.encodeValue("own"),
                                Wire.encodeValue("w"))),
                Wire.hex(DATA),
                map(0x78, 2, Wire.concat(Wire.encodeValue("f"), Wire.encodeValue("v"))));
        byte[] before = sent.clone();
        IncomingMessage message = decode(sent);
        assertThat(sent).as("the input is not changed").isEqualTo(before);
        assertThat(message.partitionKey()).isEqualTo("p");
        assertThat(message.scheduledEnqueueTimeMs()).isEqualTo(1_700_000_000_000L);
        assertThat(bytes(message.content().annotations()))
                .isEqualTo(Wire.concat(
                        Wire.encodeValue(Symbol.valueOf("x-opt-partition-key")),
                        Wire.encodeValue("p"),
                        Wire.encodeValue(Symbol.valueOf("x-opt-scheduled-enqueue-time")),
                        Wire.encodeValue(new Date(1_700_000_000_000L)),
                        Wire.encodeValue("\u00e9"), // not possible in a symbol
                        Wire.encodeValue("v"),
                        Wire.encodeValue(Symbol.valueOf("own")),
                        Wire.encodeValue("w")));
        assertThat(bytes(message.content().body()))
                .isEqualTo(Wire.concat(
                        Wire.hex(DATA),
                        map(0x78, 2, Wire.concat(Wire.encodeValue(Symbol.valueOf("f")), Wire.encodeValue("v")))));
        assertThat(new ContentReader(message.content()).annotations()).containsEntry("\u00e9", "v");
    }

    private static byte[] map(int section, int count, byte[] pairs) {
        return Wire.concat(Wire.hex("00 53 %02x d1 %08x %08x".formatted(section, pairs.length + 4, count)), pairs);
    }

    @Test
    @DisplayName("wire 4.1: the sections before the body come in any order")
    void doesNotJudgeTheOrderBeforeTheBody() throws Exception {
        byte[] properties = Wire.hex("00 53 73 c0 04 01 a1 01 6d");
        byte[] application = Wire.hex("00 53 74 c1 07 02 a1 01 61 a1 01 62");
        IncomingMessage message = decode(Wire.concat(
                application,
                properties,
                Wire.hex("00 53 71 c1 01 00"),
                Wire.hex("00 53 70 c0 02 01 41"),
                Wire.hex(DATA)));
        assertThat(message.messageId()).isEqualTo("m");
        assertThat(message.content().durable()).isTrue();
        assertThat(bytes(message.content().properties())).isEqualTo(properties);
        assertThat(bytes(message.content().applicationProperties())).isEqualTo(application);
    }

    @Test
    @DisplayName("Wire 4.1: a footer before the body, as uamqp writes it, is moved after the body")
    void takesAFooterBeforeTheBody() throws Exception {
        byte[] footer = Wire.hex("00 53 78 c1 05 02 a3 01 61 40");
        byte[] body = Wire.hex(DATA);
        IncomingMessage message = decode(Wire.concat(footer, Wire.hex("00 53 73 c0 04 01 a1 01 6d"), body));
        assertThat(message.messageId()).isEqualTo("m");
        assertThat(bytes(message.content().body())).isEqualTo(Wire.concat(body, footer));
        assertThat(bytes(decode(Wire.concat(body, footer)).content().body())).isEqualTo(Wire.concat(body, footer));
        assertThat(bytes(decode(footer).content().body())).isEqualTo(footer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/vnd.ms-servicebus-ping", "Application/VND.ms-ServiceBus-Ping"})
    @DisplayName("PAIR-32: a ping is recognized by its content type in any case")
    void recognisesPings(String contentType) throws Exception {
        Properties properties = new Properties();
        properties.setContentType(contentType);
        assertThat(decode(properties).ping()).isTrue();
        properties.setContentType(contentType + "s");
        assertThat(decode(properties).ping()).isFalse();
        assertThat(decode(new Properties()).ping()).isFalse();
    }

    @Test
    @DisplayName("MSG-6: described values of the three known kinds are accepted as properties, others and compounds"
            + " are refused")
    void restrictsApplicationProperties() throws Exception {
        String map = "00 53 74 d1 %08x 00000002 a1 01 61 %s";
        byte[] uri = described("com.microsoft:uri", "a1 01 78");
        byte[] span = described("com.microsoft:timespan", "81 0000000000000001");
        byte[] offset = described("com.microsoft:datetime-offset", "55 01");
        for (byte[] value : List.of(uri, span, offset, Wire.hex("40"), Wire.hex("94" + "00".repeat(16)))) {
            byte[] section = property(map, value);
            assertThat(bytes(decode(section).content().applicationProperties())).isEqualTo(section);
        }
        for (byte[] value : List.of(
                described("com.microsoft:uri", "71 00000001"),
                described("com.example:other", "a1 01 78"),
                Wire.hex("00 53 10 a1 01 78"),
                Wire.hex("45"),
                Wire.hex("c1 01 00"),
                Wire.hex("e0 03 01 50 01"))) {
            assertRefused(ErrorCode.ARGUMENT, property(map, value), 0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "40",
                "00 53 6f 45", // no section
                "00 53 79 45",
                "00 53 70 45 00 53 70 45", // header twice
                "00 53 73 45 00 53 71 c1 01 00 00 53 73 45", // properties twice
                DATA + "00 53 73 45", // properties after body
                DATA + "00 53 77 40", // two kinds of body
                "00 53 77 40 00 53 77 40", // two values
                DATA + "00 53 78 c1 01 00" + DATA, // body after footer
                DATA + "00 53 78 c1 01 00 00 53 70 45", // header after footer
                DATA + "00 53 78 c1 01 00 00 53 78 c1 01 00", // footer twice
                "00 53 75 40", // null data
                "00 53 75 a1 01 61", // data that is a string
                "00 53 76 c1 01 00", // sequence that is a map
                "00 53 75 a0 02 2a", // data beyond the end
                "00 53 75 b0 7fffffff 2a",
                "00 53 75 b0 ffffffff 2a",
                "00 53 77 d0 00000008 7fffffff 40 40 40 40", // a huge count
                "00 53 77 f0 00000005 7fffffff 40", // a huge count of nothing
                "00 53 77 c1 02 01 40", // half a pair
                "00 53 77 c0 04 01 40 40 40", // more than counted
                "00 53 77 c0 02 02 40", // less than counted
                "00 53 77 3f", // unknown code
                "00 53 70 c0 02 01 a1", // header with a wrong type
                "00 53 70 c0 07 06 40 40 40 40 40 40", // too many header fields
                "00 53 73 c0 0f 0e 40 40 40 40 40 40 40 40 40 40 40 40 40 40", // too many properties
                "00 53 73 c0 03 01 54 01", // message id of type int
                "00 53 72 c1 05 02 53 01 61 40", // annotation with a number as its key
                "00 53 71 c1 05 02 53 01 61 40",
                "00 53 78 c1 05 02 53 01 61 40",
                "00 53 72 c1 05 02 a1 01 ff 40", // not UTF-8
                "00 53 74 c1 05 02 a3 01 61 40", // property with a symbol key
                "00 53 74 c1 05 02 a1 01 ff 40", // not UTF-8
                "00 53 74 c0 01 00", // properties that are a list
            })
    @DisplayName("4.1: bytes that are not a message are refused as decode errors")
    void refusesDamagedMessages(String hex) {
        assertRefused(ErrorCode.DECODE_ERROR, Wire.hex(hex), 0);
    }

    @Test
    @DisplayName("4.1: values may be nested 64 levels deep and no deeper")
    void limitsNesting() throws Exception {
        assertThat(decode(Wire.concat(Wire.hex("00 53 77"), nested(60)))).isNotNull();
        assertRefused(ErrorCode.DECODE_ERROR, Wire.concat(Wire.hex("00 53 77"), nested(65)), 0);
        assertRefused(ErrorCode.DECODE_ERROR, Wire.concat(Wire.hex("00 53 77"), new byte[200_000]), 0);
        assertRefused(ErrorCode.DECODE_ERROR, Wire.concat(Wire.hex("00 53 77"), nested(20_000)), 0);
    }

    @Test
    @DisplayName("1.5: long and symbolic descriptors are understood and replaced by short ones")
    void shortensDescriptors() throws Exception {
        byte[] symbolic = Wire.concat(
                Wire.hex("00 a3 14"),
                "amqp:properties:list".getBytes(StandardCharsets.US_ASCII),
                Wire.hex("c0 04 01 a1 01 6d"));
        byte[] longs = Wire.hex("00 80 0000000000000075 a0 01 2a 00 53 75 a0 01 2b");
        IncomingMessage message = decode(Wire.concat(symbolic, longs));
        assertThat(message.messageId()).isEqualTo("m");
        assertThat(bytes(message.content().properties())).isEqualTo(Wire.hex("00 53 73 c0 04 01 a1 01 6d"));
        assertThat(bytes(message.content().body())).isEqualTo(Wire.hex("00 53 75 a0 01 2a 00 53 75 a0 01 2b"));
    }

    @Test
    @DisplayName("MSG-8, 41: a batch consists of its data sections in order, and its other sections are ignored")
    void readsBatches() throws Exception {
        Properties envelope = new Properties();
        envelope.setMessageId("envelope");
        Properties first = new Properties();
        first.setMessageId("first");
        byte[] inner = Wire.bytes(Wire.encode(first, new Data(new byte[400])));
        byte[] second = Wire.bytes(Wire.encode(new AmqpValue<>("x")));
        ProtonBuffer batch = Wire.encode(
                new MessageAnnotations(Map.of(Symbol.valueOf("x-opt-partition-key"), "p")),
                envelope,
                new Data(inner),
                new Data(second));
        List<IncomingMessage> messages = decoder.decode(Wire.reader(batch), BATCH);
        assertThat(messages).extracting(IncomingMessage::messageId).containsExactly("first", null);
        assertThat(idReceived(messages.get(1))).isEqualTo("fresh");
        assertThat(messages).extracting(IncomingMessage::encodedSizeBytes).containsExactly(inner.length, second.length);
        assertThat(messages).extracting(IncomingMessage::partitionKey).containsOnlyNulls();
        assertThat(bytes(messages.get(1).content().body())).isEqualTo(second);
    }

    @Test
    @DisplayName("4.7: an empty batch, a batch with other bodies and a batch of garbage are refused")
    void refusesDamagedBatches() {
        byte[] good = Wire.bytes(Wire.encode(new Data(Wire.bytes(Wire.encode(new AmqpValue<>("x"))))));
        assertRefused(ErrorCode.DECODE_ERROR, new byte[0], BATCH);
        assertRefused(ErrorCode.DECODE_ERROR, Wire.bytes(Wire.encode(new Properties())), BATCH);
        assertRefused(ErrorCode.DECODE_ERROR, Wire.bytes(Wire.encode(new AmqpValue<>("x"))), BATCH);
        assertRefused(ErrorCode.DECODE_ERROR, Wire.concat(good, Wire.hex(DATA)), BATCH);
        assertRefused(ErrorCode.DECODE_ERROR, Wire.concat(good, Wire.hex("00 53 75 a0 00")), BATCH);
        assertRefused(ErrorCode.DECODE_ERROR, Wire.concat(good, new byte[] {7}), BATCH);
        assertRefused(ErrorCode.DECODE_ERROR, Wire.concat(good, Wire.bytes(Wire.encode(new Properties()))), BATCH);
    }

    @Test
    @DisplayName("4.7: an unknown message format is refused")
    void refusesUnknownFormats() {
        for (int format : new int[] {1, -1, 0x8001_3701}) {
            assertRefused(ErrorCode.NOT_IMPLEMENTED, Wire.hex(DATA), format);
        }
    }

    private IncomingMessage decode(Section<?>... sections) throws MessageFormatException {
        return decoder.decode(Wire.reader(Wire.encode(sections)), 0).get(0);
    }

    private IncomingMessage decode(byte[] bytes) throws MessageFormatException {
        return decoder.decode(Wire.reader(bytes), 0).get(0);
    }

    private void assertRefused(ErrorCode code, byte[] bytes, int format) {
        assertThatThrownBy(() -> decoder.decode(Wire.reader(bytes), format))
                .isInstanceOfSatisfying(MessageFormatException.class, refused -> {
                    assertThat(refused.rejection().code()).isEqualTo(code);
                    assertThat(refused.rejection().description()).isNotBlank();
                });
    }

    private static byte[] nested(int levels) {
        ByteBuffer lists = ByteBuffer.allocate(levels * 9 + 1);
        for (int i = 0; i < levels; i++) {
            int rest = (levels - i - 1) * 9 + 1;
            lists.put((byte) 0xd0).putInt(rest + 4).putInt(1);
        }
        return lists.put((byte) 0x40).array();
    }

    private static byte[] described(String descriptor, String value) {
        return Wire.concat(
                Wire.hex(String.format("00 a3 %02x", descriptor.length())),
                descriptor.getBytes(StandardCharsets.US_ASCII),
                Wire.hex(value));
    }

    private static byte[] property(String map, byte[] value) {
        StringBuilder digits = new StringBuilder();
        for (byte octet : value) {
            digits.append(String.format("%02x", octet));
        }
        return Wire.hex(String.format(map, 4 + 3 + value.length, digits));
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    @Test
    @DisplayName("QUOTA-8: a batch of tiny messages is limited by the memory of its messages")
    void limitsTheMemoryOfABatch() throws Exception {
        String tiny = "005375 a004 00537740";
        byte[] batch = Wire.hex(tiny.repeat(1_000));
        long memory = batch.length + 1_000L * IncomingMessage.OBJECT_BYTES;
        assertThat(new IncomingMessageDecoder(() -> "fresh", memory)
                        .decode(Wire.reader(batch), IncomingMessageDecoder.FORMAT_BATCH))
                .hasSize(1_000);
        assertThatThrownBy(() -> new IncomingMessageDecoder(() -> "fresh", memory - 1)
                        .decode(Wire.reader(batch), IncomingMessageDecoder.FORMAT_BATCH))
                .isInstanceOfSatisfying(
                        MessageFormatException.class,
                        refused -> assertThat(refused.rejection().code()).isEqualTo(ErrorCode.MESSAGE_SIZE_EXCEEDED));
    }
}
