package dev.jitney.codec;

import static dev.jitney.codec.Views.ENQUEUED_MS;
import static dev.jitney.codec.Views.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedInteger;
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

class OutgoingMessageEncoderTest {
    private final OutgoingMessageEncoder encoder = new OutgoingMessageEncoder();
    private final IncomingMessageDecoder decoder = new IncomingMessageDecoder(() -> "fresh");

    @Test
    @DisplayName("wire 4.2, 38: the header is complete even when every field has its default")
    void writesACompleteHeader() {
        byte[] bytes = Wire.bytes(encode(Views.locked(emptyContent())));
        assertThat(Arrays.copyOf(bytes, 16)).isEqualTo(Wire.hex("00 53 70 c0 0b 05 42 50 04 70 ffffffff 42 43"));
    }

    @Test
    @DisplayName("wire 4.4, 4.6: the lock token travels as a uuid delivery annotation in network order")
    void writesTheLockToken() {
        byte[] bytes = Wire.bytes(encode(Views.locked(emptyContent())));
        assertThat(Arrays.copyOfRange(bytes, 16, 57))
                .isEqualTo(Wire.concat(
                        Wire.hex("00 53 71 c1 24 02 a3 10"),
                        ascii("x-opt-lock-token"),
                        Wire.hex("98 01020304 0506 0708 090a 0b0c0d0e0f10")));
    }

    @Test
    @DisplayName("wire 4.4, 39: annotations have symbol keys and the types clients cast to")
    void writesAnnotationsByType() {
        byte[] bytes = Wire.bytes(encode(Views.locked(emptyContent())));
        assertThat(Arrays.copyOfRange(bytes, 57, 57 + 160))
                .isEqualTo(Wire.concat(
                        Wire.hex("00 53 72 c1 9b 0a a3 15"),
                        ascii("x-opt-sequence-number"),
                        Wire.hex("81 0000000000000007 a3 1d"),
                        ascii("x-opt-enqueue-sequence-number"),
                        Wire.hex("81 0000000000000005 a3 13"),
                        ascii("x-opt-enqueued-time"),
                        Wire.hex("83 0000018bcfe56800 a3 13"),
                        ascii("x-opt-message-state"),
                        Wire.hex("54 00 a3 12"),
                        ascii("x-opt-locked-until"),
                        Wire.hex("83 0000018bcfe65260")));
    }

    @Test
    @DisplayName(
            "MSG-4, wire 4.4: only messages of partitioned entities have the number of their partition, as a short")
    void writesThePartition() {
        OutgoingMessageEncoder partitioned = new OutgoingMessageEncoder(true);
        Symbol annotation = Symbol.valueOf("x-opt-partition-id");
        for (int partition : new int[] {0, 1, 15, 0x7fff, 0xffff}) {
            for (UUID token : Arrays.asList(TOKEN, null)) {
                MessageView view = new MessageView(
                        MessageEnvelope.builder()
                                .sequenceNumber((long) partition << 48 | 3)
                                .build(),
                        MessageState.ACTIVE,
                        token,
                        ENQUEUED_MS,
                        emptyContent());
                assertThat(Wire.section(Wire.buffer(partitioned.encode(view)), MessageAnnotations.class)
                                .getValue())
                        .containsEntry(annotation, (short) partition)
                        .containsEntry(Symbol.valueOf("x-opt-sequence-number"), view.sequenceNumber())
                        .containsEntry(Symbol.valueOf("x-opt-message-state"), 0)
                        .hasSize(token == null ? 5 : 6);
                assertThat(Wire.section(encode(view), MessageAnnotations.class).getValue())
                        .doesNotContainKey(annotation);
            }
        }
    }

    @Test
    @DisplayName("STATE-9, PEEK-1: a peeked message shows its state and has no lock")
    void writesPeekedMessages() {
        MessageView peeked = new MessageView(
                MessageEnvelope.builder()
                        .sequenceNumber(9)
                        .enqueuedSequenceNumber(9)
                        .enqueuedTimeMs(ENQUEUED_MS)
                        .deliveryCount(3)
                        .deadLetterSource("q1")
                        .build(),
                MessageState.SCHEDULED,
                null,
                0,
                emptyContent());
        ProtonBuffer encoded = encode(peeked);
        assertThat(Wire.decode(encoded)).noneMatch(DeliveryAnnotations.class::isInstance);
        assertThat(Wire.section(encoded, Header.class).getDeliveryCount()).isEqualTo(3);
        assertThat(Wire.section(encoded, MessageAnnotations.class).getValue())
                .containsEntry(Symbol.valueOf("x-opt-message-state"), 2)
                .containsEntry(Symbol.valueOf("x-opt-deadletter-source"), "q1")
                .doesNotContainKey(Symbol.valueOf("x-opt-locked-until"));
    }

    @Test
    @DisplayName("wire 4.1: sections come in the order of the specification")
    void keepsTheOrderOfSections() throws Exception {
        MessageView view = Views.delivered(decode(
                new Header(),
                new MessageAnnotations(Map.of(Symbol.valueOf("x-opt-partition-key"), "k")),
                new Properties(),
                new ApplicationProperties(Map.of("a", 1)),
                new Data(new byte[3]),
                new Data(new byte[4]),
                new Footer(Map.of(Symbol.valueOf("f"), 1))));
        assertThat(Wire.decode(encode(view)))
                .extracting(section -> section.getClass().getSimpleName())
                .containsExactly(
                        "Header",
                        "DeliveryAnnotations",
                        "MessageAnnotations",
                        "Properties",
                        "ApplicationProperties",
                        "Data",
                        "Data",
                        "Footer");
    }

    @Test
    @DisplayName("MSG-7, 42: a message that expires carries ttl, creation-time and absolute-expiry-time")
    void writesExpiryIntoProperties() throws Exception {
        Header header = new Header();
        header.setTimeToLive(60_000);
        Properties properties = new Properties();
        properties.setMessageId("m");
        properties.setGroupSequence(4);
        ProtonBuffer encoded = encode(Views.delivered(decode(header, properties)));
        assertThat(Wire.section(encoded, Header.class).getTimeToLive()).isEqualTo(60_000);
        Properties out = Wire.section(encoded, Properties.class);
        assertThat(out.getCreationTime()).isEqualTo(ENQUEUED_MS);
        assertThat(out.getAbsoluteExpiryTime()).isEqualTo(ENQUEUED_MS + 60_000);
        assertThat(out.getMessageId()).isEqualTo("m");
        assertThat(out.getGroupSequence()).isEqualTo(4);
    }

    @Test
    @DisplayName("TTL-15, MSG-11: a capped time to live appears in header and properties, by the broker's clock")
    void rewritesCappedExpiry() throws Exception {
        Header header = new Header();
        header.setTimeToLive(60_000);
        Properties properties = new Properties();
        properties.setMessageId("m");
        properties.setCreationTime(1_000);
        properties.setAbsoluteExpiryTime(61_000);
        properties.setReplyToGroupId("r");
        IncomingMessage message = decode(header, properties);
        assertThat(message.content().expiryInProperties()).isTrue();

        ProtonBuffer asSent = encode(Views.delivered(message));
        assertThat(Wire.section(asSent, Properties.class).getAbsoluteExpiryTime())
                .isEqualTo(ENQUEUED_MS + 60_000);

        ProtonBuffer capped = encode(Views.view(message.content(), ENQUEUED_MS + 10_000, Map.of()));
        assertThat(Wire.section(capped, Header.class).getTimeToLive()).isEqualTo(10_000);
        Properties out = Wire.section(capped, Properties.class);
        assertThat(out.getCreationTime()).isEqualTo(ENQUEUED_MS);
        assertThat(out.getAbsoluteExpiryTime()).isEqualTo(ENQUEUED_MS + 10_000);
        assertThat(out.getReplyToGroupId()).isEqualTo("r");
    }

    @Test
    @DisplayName("MSG-7: a time to live beyond a uint appears as the difference of the times")
    void writesLongLifetimes() throws Exception {
        long sixtyDays = 60L * 24 * 3600 * 1000;
        Header header = new Header();
        header.setTimeToLive(UnsignedInteger.MAX_VALUE.longValue());
        Properties properties = new Properties();
        properties.setCreationTime(1_000);
        properties.setAbsoluteExpiryTime(1_000 + sixtyDays);
        ProtonBuffer encoded = encode(Views.delivered(decode(header, properties)));
        assertThat(Wire.section(encoded, Header.class).getTimeToLive()).isEqualTo(0xffff_ffffL);
        Properties out = Wire.section(encoded, Properties.class);
        assertThat(out.getAbsoluteExpiryTime() - out.getCreationTime()).isEqualTo(sixtyDays);
    }

    @Test
    @DisplayName("wire 4.2, 4.3: a message without an expiry has the largest ttl and the latest expiry time")
    void tellsThatAMessageDoesNotExpire() throws Exception {
        ProtonBuffer encoded = encode(Views.delivered(decode(new Properties())));
        assertThat(Wire.section(encoded, Header.class).getTimeToLive()).isEqualTo(0xffff_ffffL);
        Properties out = Wire.section(encoded, Properties.class);
        assertThat(out.getAbsoluteExpiryTime()).isEqualTo(253_402_300_799_999L);
        assertThat(out.getCreationTime()).isEqualTo(ENQUEUED_MS);

        Properties sent = new Properties();
        sent.setMessageId("m");
        sent.setCreationTime(1_000);
        sent.setReplyToGroupId("r");
        Properties kept = Wire.section(encode(Views.delivered(decode(sent))), Properties.class);
        assertThat(kept.getAbsoluteExpiryTime()).isEqualTo(253_402_300_799_999L);
        assertThat(kept.getCreationTime()).isEqualTo(1_000);
        assertThat(kept.getMessageId()).isEqualTo("m");
        assertThat(kept.getReplyToGroupId()).isEqualTo("r");
    }

    @Test
    @DisplayName("MSG-7: a copy of a delivery that does not expire does not expire either")
    void copiesOfEndlessMessagesAreEndless() throws Exception {
        ProtonBuffer delivered = encode(Views.delivered(decode(new Properties())));
        assertThat(decode(Wire.section(delivered, Header.class), Wire.section(delivered, Properties.class))
                        .timeToLiveMs())
                .isEqualTo(MessageView.NEVER);
    }

    @Test
    @DisplayName("MSG-11: the expiry time of a delivery is by the broker's clock, regardless of the sender's clock")
    void expiresByTheBrokersClock() throws Exception {
        Header header = new Header();
        header.setTimeToLive(60_000);
        Properties properties = new Properties();
        properties.setCreationTime(ENQUEUED_MS - 3_600_000);
        properties.setAbsoluteExpiryTime(ENQUEUED_MS - 3_600_000 + 60_000);
        Properties out = Wire.section(encode(Views.delivered(decode(header, properties))), Properties.class);
        assertThat(out.getAbsoluteExpiryTime()).isEqualTo(ENQUEUED_MS + 60_000);
        assertThat(out.getAbsoluteExpiryTime() - out.getCreationTime()).isEqualTo(60_000);
    }

    @Test
    @DisplayName("TTL-3: an expiry beyond the largest date is shown as the largest date")
    void saturatesAtTheLargestDate() {
        ProtonBuffer encoded = encode(Views.view(emptyContent(), Long.MAX_VALUE - 1, Map.of()));
        Properties out = Wire.section(encoded, Properties.class);
        assertThat(out.getAbsoluteExpiryTime()).isEqualTo(253_402_300_799_999L);
        assertThat(out.getCreationTime()).isEqualTo(ENQUEUED_MS);
    }

    @Test
    @DisplayName("wire 5.4: properties set later replace the sender's properties, and others stay byte for byte")
    void mergesOverrides() throws Exception {
        Map<String, Object> sent = new LinkedHashMap<>();
        sent.put("keep", UUID.randomUUID());
        sent.put("change", 1L);
        sent.put("keep2", 2.5);
        Map<String, EncodedValue> overrides = new LinkedHashMap<>();
        overrides.put("DeadLetterReason", EncodedValue.ofString("because"));
        overrides.put("change", new EncodedValue(Wire.encodeValue(true)));
        overrides.put("nothing", new EncodedValue(Wire.hex("40")));
        IncomingMessage message = decode(new ApplicationProperties(sent), new AmqpValue<>("body"));
        ProtonBuffer encoded = encode(Views.view(message.content(), MessageView.NEVER, overrides));

        Map<String, Object> expected = new LinkedHashMap<>(sent);
        expected.put("change", true);
        expected.put("DeadLetterReason", "because");
        expected.put("nothing", null);
        Map<String, Object> received =
                Wire.section(encoded, ApplicationProperties.class).getValue();
        assertThat(received).isEqualTo(expected);
        assertThat(List.copyOf(received.keySet())).isEqualTo(List.copyOf(expected.keySet()));
        assertThat(Wire.section(encoded, AmqpValue.class).getValue()).isEqualTo("body");
    }

    @Test
    @DisplayName("DLQ: overrides create an application-properties section if there was none")
    void addsOverridesToNothing() {
        Map<String, EncodedValue> overrides = Map.of("DeadLetterReason", EncodedValue.ofString("x".repeat(300)));
        ProtonBuffer encoded = encode(Views.view(emptyContent(), MessageView.NEVER, overrides));
        assertThat(Wire.section(encoded, ApplicationProperties.class).getValue())
                .isEqualTo(Map.of("DeadLetterReason", "x".repeat(300)));
    }

    @Test
    @DisplayName("4.6: a delivery tag is the token in the byte order of .NET")
    void convertsLockTokens() {
        byte[] tag = LockTokens.toDeliveryTag(TOKEN);
        assertThat(tag).isEqualTo(Wire.hex("04030201 0605 0807 090a0b0c0d0e0f10"));
        assertThat(LockTokens.fromDeliveryTag(tag)).isEqualTo(TOKEN);
        UUID random = UUID.fromString("fedcba98-f1e2-8d7c-89ab-cdef01234567");
        assertThat(LockTokens.fromDeliveryTag(LockTokens.toDeliveryTag(random))).isEqualTo(random);
    }

    private ProtonBuffer encode(MessageView view) {
        return Wire.buffer(encoder.encode(view));
    }

    private IncomingMessage decode(Section<?>... sections) throws MessageFormatException {
        return decoder.decode(Wire.reader(Wire.encode(sections)), 0).get(0);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static MessageContent emptyContent() {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        return MessageContent.of(false, 4, false, nothing, nothing, nothing, nothing);
    }
}
