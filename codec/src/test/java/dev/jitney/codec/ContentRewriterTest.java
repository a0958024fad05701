package dev.jitney.codec;

import static dev.jitney.codec.Views.ENQUEUED_MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageView;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.messaging.AmqpSequence;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.Footer;
import org.apache.qpid.protonj2.types.messaging.Header;
import org.apache.qpid.protonj2.types.messaging.MessageAnnotations;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Section;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Content with changes, as receivers get it")
final class ContentRewriterTest {
    private static final Symbol PARTITION_KEY = Symbol.valueOf("x-opt-partition-key");
    private static final Symbol VIA_PARTITION_KEY = Symbol.valueOf("x-opt-via-partition-key");
    private static final Symbol SCHEDULED = Symbol.valueOf("x-opt-scheduled-enqueue-time");
    private static final PropertyField[] TEXTS = {
        PropertyField.MESSAGE_ID,
        PropertyField.TO,
        PropertyField.SUBJECT,
        PropertyField.REPLY_TO,
        PropertyField.CORRELATION_ID,
        PropertyField.CONTENT_TYPE,
        PropertyField.CONTENT_ENCODING,
        PropertyField.GROUP_ID,
        PropertyField.REPLY_TO_GROUP_ID
    };

    private static MessageContent content(Section<?>... sections) {
        return decode(Wire.encode(sections)).content();
    }

    private static IncomingMessage decode(ProtonBuffer encoded) {
        try {
            return new IncomingMessageDecoder(() -> "fresh")
                    .decode(Wire.reader(encoded), 0)
                    .get(0);
        } catch (MessageFormatException mistake) {
            throw new AssertionError(mistake);
        }
    }

    private static ProtonBuffer encode(MessageContent content, long expiresAtMs) {
        return Wire.buffer(new OutgoingMessageEncoder().encode(Views.view(content, expiresAtMs, Map.of())));
    }

    private static Properties properties(MessageContent content) {
        return Wire.section(encode(content, MessageView.NEVER), Properties.class);
    }

    private static Map<Symbol, Object> annotations(MessageContent content) {
        return Wire.section(encode(content, MessageView.NEVER), MessageAnnotations.class)
                .getValue();
    }

    private static Properties ids() {
        Properties sent = new Properties();
        sent.setMessageId(UnsignedLong.valueOf(7));
        sent.setCorrelationId(UUID.fromString("01020304-0506-0708-090a-0b0c0d0e0f10"));
        return sent;
    }

    @Test
    @DisplayName("RULE-8: every text field can be set, whether it is present or absent")
    void setsFields() {
        ContentRewriter rewriter = new ContentRewriter(content(new Properties(), new Data(new byte[] {1})));
        for (PropertyField field : TEXTS) {
            rewriter.setField(field, "value of " + field);
        }
        Properties received = properties(rewriter.rewritten());
        assertThat(received.getMessageId()).isEqualTo("value of MESSAGE_ID");
        assertThat(received.getTo()).isEqualTo("value of TO");
        assertThat(received.getSubject()).isEqualTo("value of SUBJECT");
        assertThat(received.getReplyTo()).isEqualTo("value of REPLY_TO");
        assertThat(received.getCorrelationId()).isEqualTo("value of CORRELATION_ID");
        assertThat(received.getContentType()).isEqualTo("value of CONTENT_TYPE");
        assertThat(received.getContentEncoding()).isEqualTo("value of CONTENT_ENCODING");
        assertThat(received.getGroupId()).isEqualTo("value of GROUP_ID");
        assertThat(received.getReplyToGroupId()).isEqualTo("value of REPLY_TO_GROUP_ID");
        assertThat(received.getCreationTime()).isEqualTo(ENQUEUED_MS);
        assertThat(received.hasGroupSequence()).isFalse();
    }

    @Test
    @DisplayName("wire 4.3: ids of other types keep their types when another field is set")
    void keepsTypesOfIds() {
        ContentRewriter rewriter = new ContentRewriter(content(ids()));
        rewriter.setField(PropertyField.REPLY_TO_GROUP_ID, "r");
        Properties received = properties(rewriter.rewritten());
        assertThat(received.getMessageId()).isEqualTo(UnsignedLong.valueOf(7));
        assertThat(received.getCorrelationId()).isEqualTo(ids().getCorrelationId());
        assertThat(received.getReplyToGroupId()).isEqualTo("r");
    }

    @Test
    @DisplayName("RULE-8: a cleared field is absent, long texts fit, and the body stays")
    void clearsFields() {
        Properties sent = ids();
        sent.setGroupId("g");
        sent.setSubject("s");
        ContentRewriter rewriter = new ContentRewriter(content(sent, new Data(new byte[] {1, 2})));
        rewriter.setField(PropertyField.GROUP_ID, null);
        rewriter.setField(PropertyField.SUBJECT, "é".repeat(300));
        rewriter.setField(PropertyField.TO, null);
        MessageContent rewritten = rewriter.rewritten();
        assertThat(properties(rewritten).getGroupId()).isNull();
        assertThat(properties(rewritten).getSubject()).isEqualTo("é".repeat(300));
        assertThat(new ContentReader(rewritten).body().data()).containsExactly(1, 2);
        assertThat(MessageContent.wrap(rewritten.bytes())).isEqualTo(rewritten);
    }

    @Test
    @DisplayName("RULE-8: a content type is a symbol, and some fields are not text")
    void refusesWhatCannotBe() {
        ContentRewriter rewriter = new ContentRewriter(content(ids()));
        assertThat(ContentRewriter.isSymbol("text/plain")).isTrue();
        assertThat(ContentRewriter.isSymbol("täxt")).isFalse();
        assertThatThrownBy(() -> rewriter.setField(PropertyField.CONTENT_TYPE, "täxt"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> rewriter.setField(PropertyField.CREATION_TIME, "now"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("RULE-8: annotations are set, replaced and removed; others stay")
    void changesAnnotations() {
        Map<Symbol, Object> sent = new LinkedHashMap<>();
        sent.put(PARTITION_KEY, "old");
        sent.put(Symbol.valueOf("x-mine"), 1);
        sent.put(SCHEDULED, new Date(5));
        MessageContent original = content(new MessageAnnotations(sent));
        ContentRewriter rewriter = new ContentRewriter(original);
        rewriter.setPartitionKey("new");
        rewriter.setViaPartitionKey("via");
        rewriter.setScheduledEnqueueTime(1_000);
        MessageContent rewritten = rewriter.rewritten();
        assertThat(annotations(rewritten))
                .containsEntry(PARTITION_KEY, "new")
                .containsEntry(VIA_PARTITION_KEY, "via")
                .containsEntry(Symbol.valueOf("x-mine"), 1)
                .containsEntry(SCHEDULED, 1_000L);
        IncomingMessage again = decode(encode(rewritten, MessageView.NEVER));
        assertThat(again.partitionKey()).isEqualTo("new");
        assertThat(again.scheduledEnqueueTimeMs()).isEqualTo(1_000);

        rewriter = new ContentRewriter(original);
        rewriter.setPartitionKey(null);
        rewriter.setScheduledEnqueueTime(0);
        assertThat(new ContentReader(rewriter.rewritten()).annotations()).containsOnly(Map.entry("x-mine", 1));
    }

    @Test
    @DisplayName("RULE-9: application properties are set by their exact name; without properties there is no section")
    void removesProperties() {
        Map<String, Object> sent = new LinkedHashMap<>();
        sent.put("a", 1);
        sent.put("A", 2);
        MessageContent original = content(ids(), new ApplicationProperties(sent), new Data(new byte[] {1}));
        ContentRewriter rewriter = new ContentRewriter(original);
        rewriter.removeApplicationProperty("a");
        MessageContent rewritten = rewriter.rewritten();
        assertThat(new ContentReader(rewritten).applicationProperties(Map.of())).containsOnly(Map.entry("A", 2));
        rewriter.removeApplicationProperty("A");
        assertThat(Wire.decode(encode(rewriter.rewritten(), MessageView.NEVER)))
                .noneMatch(ApplicationProperties.class::isInstance)
                .anyMatch(Data.class::isInstance);
    }

    @Test
    @DisplayName("a property that is removed after it was set is absent, and one that is set again has the last value")
    void appliesChangesInTheirOrder() {
        ContentRewriter rewriter = new ContentRewriter(content(ids()));
        rewriter.setApplicationProperty("a", EncodedValue.ofString("1"));
        rewriter.setApplicationProperty("b", EncodedValue.ofString("1"));
        rewriter.removeApplicationProperty("a");
        rewriter.removeApplicationProperty("b");
        rewriter.setApplicationProperty("b", EncodedValue.ofString("2"));
        assertThat(new ContentReader(rewriter.rewritten()).applicationProperties(Map.of()))
                .containsOnly(Map.entry("b", "2"));
    }

    @Test
    @DisplayName(
            "AMQP 3.2.9: a new body replaces all old sections and the footer, which may have a hash of the old body")
    void replacesTheBody() throws Exception {
        MessageContent original = content(
                ids(),
                new Data(new byte[] {1}),
                new Data(new byte[] {2}),
                new Footer(Map.of(Symbol.valueOf("hash"), 3)));

        ContentRewriter data = new ContentRewriter(original);
        data.setData(new byte[300]);
        assertThat(new ContentReader(data.rewritten()).body().data()).isEqualTo(new byte[300]);
        assertThat(Wire.decode(encode(data.rewritten(), MessageView.NEVER)))
                .noneMatch(Footer.class::isInstance)
                .anyMatch(Data.class::isInstance);
        assertThat(properties(data.rewritten()).getMessageId()).isEqualTo(UnsignedLong.valueOf(7));

        ContentRewriter value = new ContentRewriter(original);
        value.setValue(EncodedValue.ofString("v"));
        assertThat(Wire.section(encode(value.rewritten(), MessageView.NEVER), AmqpValue.class)
                        .getValue())
                .isEqualTo("v");

        ContentRewriter sequence = new ContentRewriter(original);
        sequence.setSequence(TypedValueWriter.encodeList(List.of("a", true)));
        assertThat(Wire.section(encode(sequence.rewritten(), MessageView.NEVER), AmqpSequence.class)
                        .getValue())
                .isEqualTo(List.of("a", true));
        assertThatThrownBy(() -> sequence.setSequence(EncodedValue.ofString("no list")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("RULE-8: the old time to live is removed from the properties, and deliveries show the new one")
    void clearsExpiry() {
        Properties sent = ids();
        sent.setCreationTime(1_000);
        sent.setAbsoluteExpiryTime(3_000);
        MessageContent original = content(sent);
        assertThat(original.expiryInProperties()).isTrue();
        ContentRewriter rewriter = new ContentRewriter(original);
        rewriter.clearExpiry();
        MessageContent rewritten = rewriter.rewritten();
        assertThat(rewritten.expiryInProperties()).isFalse();
        assertThat(new ContentReader(rewritten).properties()).doesNotContainKey(PropertyField.ABSOLUTE_EXPIRY_TIME);
        Properties received = Wire.section(encode(rewritten, ENQUEUED_MS + 500), Properties.class);
        assertThat(received.getAbsoluteExpiryTime() - received.getCreationTime())
                .isEqualTo(500);
    }

    @Test
    @DisplayName("If no change has an effect, the result is the original itself, so that copies share it")
    void sharesWhatIsEqual() {
        Properties sent = ids();
        sent.setSubject("s");
        MessageContent original =
                content(durable(), sent, new ApplicationProperties(new LinkedHashMap<>(Map.of("a", 1))));
        ContentRewriter rewriter = new ContentRewriter(original);
        assertThat(rewriter.rewritten()).isSameAs(original);
        rewriter.setField(PropertyField.SUBJECT, "s");
        rewriter.setField(PropertyField.REPLY_TO_GROUP_ID, null);
        rewriter.clearExpiry();
        rewriter.setPartitionKey(null);
        rewriter.setDurable(true);
        rewriter.removeApplicationProperty("A");
        assertThat(rewriter.rewritten()).isSameAs(original);
        rewriter.setDurable(false);
        assertThat(rewriter.rewritten().durable()).isFalse();
    }

    private static Header durable() {
        Header header = new Header();
        header.setDurable(true);
        return header;
    }

    @Test
    @DisplayName("RULE-8, RULE-9: in random messages only the intended parts change")
    void changesNothingElse() {
        long seed = Long.getLong("jitney.seed", System.nanoTime());
        Random random = new Random(seed);
        RandomMessages messages = new RandomMessages(random);
        for (int round = 0; round < 3_000; round++) {
            MessageContent original = content(messages.next().toArray(new Section<?>[0]));
            ContentReader before = new ContentReader(original);
            Map<PropertyField, Object> fields = before.properties();
            Map<String, @Nullable Object> annotations = before.annotations();
            Map<String, @Nullable Object> properties = before.applicationProperties(Map.of());
            ContentRewriter rewriter = new ContentRewriter(original);
            for (PropertyField field : TEXTS) {
                String text = "x".repeat(random.nextInt(300));
                switch (random.nextInt(4)) {
                    case 0 -> {
                        rewriter.setField(field, text);
                        fields.put(field, text);
                    }
                    case 1 -> {
                        if (field != PropertyField.MESSAGE_ID) { // would come back with a new id
                            rewriter.setField(field, null);
                            fields.remove(field);
                        }
                    }
                    default -> {}
                }
            }
            if (random.nextBoolean()) {
                rewriter.setPartitionKey("p");
                annotations.put("x-opt-partition-key", "p");
            }
            if (random.nextBoolean()) {
                rewriter.setScheduledEnqueueTime(round + 1);
                annotations.put("x-opt-scheduled-enqueue-time", Instant.ofEpochMilli(round + 1));
            }
            for (String name : List.copyOf(properties.keySet())) {
                if (random.nextInt(3) == 0) {
                    rewriter.removeApplicationProperty(name);
                    properties.remove(name);
                }
            }
            MessageContent received =
                    decode(encode(rewriter.rewritten(), MessageView.NEVER)).content();
            ContentReader after = new ContentReader(received);
            String hint = "-Djitney.seed=" + seed + ", round " + round;
            fields.put(PropertyField.ABSOLUTE_EXPIRY_TIME, Instant.ofEpochMilli(253_402_300_799_999L));
            fields.putIfAbsent(PropertyField.CREATION_TIME, Instant.ofEpochMilli(ENQUEUED_MS));
            assertThat(after.properties()).as(hint).usingRecursiveComparison().isEqualTo(fields);
            assertThat(after.annotations()).as(hint).usingRecursiveComparison().isEqualTo(annotations);
            assertThat(after.applicationProperties(Map.of()))
                    .as(hint)
                    .usingRecursiveComparison()
                    .isEqualTo(properties);
            assertThat(received.body()).as(hint).isEqualTo(original.body());
            assertThat(received.durable()).as(hint).isEqualTo(original.durable());
            assertThat(received.priority()).as(hint).isEqualTo(original.priority());
        }
    }
}
