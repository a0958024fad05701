package dev.jitney.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.model.MessageView;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.Header;
import org.apache.qpid.protonj2.types.messaging.MessageAnnotations;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Section;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A stored message that is sent again")
final class StoredMessagesTest {
    private static final String PING = "application/vnd.ms-servicebus-ping";

    private static IncomingMessage decode(Section<?>... sections) throws MessageFormatException {
        return new IncomingMessageDecoder(() -> "fresh")
                .decode(Wire.reader(Wire.encode(sections)), 0)
                .get(0);
    }

    private static IncomingMessage again(MessageContent content, long timeToLiveMs) throws MessageFormatException {
        return StoredMessages.sentAgain(content, timeToLiveMs, () -> "other");
    }

    @Test
    @DisplayName("has everything that the first send of the same message had")
    void equalsTheFirstSend() throws Exception {
        Header header = new Header();
        header.setDurable(true);
        header.setPriority((byte) 9);
        header.setTimeToLive(5_000);
        Map<Symbol, Object> annotations = new LinkedHashMap<>();
        annotations.put(Symbol.valueOf("x-opt-partition-key"), "g");
        annotations.put(Symbol.valueOf("x-opt-scheduled-enqueue-time"), new Date(77_000));
        annotations.put(Symbol.valueOf("x-mine"), 5);
        Properties properties = new Properties();
        properties.setMessageId("m");
        properties.setGroupId("g");
        properties.setContentType(PING);
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("small", 1);
        values.put("large", "x".repeat(1_000));
        IncomingMessage first = decode(
                header,
                new MessageAnnotations(annotations),
                properties,
                new ApplicationProperties(values),
                new Data(new byte[] {1, 2}));

        IncomingMessage again = again(first.content(), 5_000);

        assertThat(again.messageId()).isEqualTo("m");
        assertThat(again.sessionId()).isEqualTo("g");
        assertThat(again.partitionKey()).isEqualTo("g");
        assertThat(again.scheduledEnqueueTimeMs()).isEqualTo(77_000);
        assertThat(again.timeToLiveMs()).isEqualTo(5_000);
        assertThat(again.ping()).isTrue();
        assertThat(again.largestPropertySizeBytes()).isEqualTo(first.largestPropertySizeBytes());
        assertThat(again.headerSizeBytes()).isEqualTo(first.headerSizeBytes());
        assertThat(again.encodedSizeBytes()).isBetween(first.encodedSizeBytes() - 32, first.encodedSizeBytes() + 32);
        assertThat(again.content()).isEqualTo(first.content());
        assertThat(again.envelope()).isEqualTo(MessageEnvelope.sent("g", 77_000));
    }

    @Test
    @DisplayName("MSG-7: has the new time to live, and no fields that contradict it")
    void replacesTheTimeToLive() throws Exception {
        Properties properties = new Properties();
        properties.setMessageId("m");
        properties.setCreationTime(1_000);
        properties.setAbsoluteExpiryTime(3_000);
        MessageContent content = decode(properties).content();
        long years = 100L * 365 * 86_400_000;

        assertThat(again(content, 2_000).content()).isEqualTo(content);
        for (long timeToLiveMs : new long[] {1, 5_000, 0xffff_fffeL, 0xffff_ffffL, years, MessageView.NEVER}) {
            IncomingMessage again = again(content, timeToLiveMs);
            assertThat(again.timeToLiveMs()).isEqualTo(timeToLiveMs);
            assertThat(again.content().expiryInProperties()).isFalse();
            assertThat(new ContentReader(again.content()).properties())
                    .containsEntry(PropertyField.CREATION_TIME, Instant.ofEpochMilli(1_000))
                    .doesNotContainKey(PropertyField.ABSOLUTE_EXPIRY_TIME);
        }
    }

    @Test
    @DisplayName("DUP-7: gets a new message id if its content has none")
    void getsAnId() throws Exception {
        MessageContent content = decode(new Properties(), new Data(new byte[0])).content();
        ContentRewriter rewriter = new ContentRewriter(content);
        rewriter.setField(PropertyField.MESSAGE_ID, null);
        IncomingMessage again = again(rewriter.rewritten(), MessageView.NEVER);
        assertThat(again.messageId()).isNull();
        assertThat(new ContentReader(again.content()).properties()).containsEntry(PropertyField.MESSAGE_ID, "other");
    }

    @Test
    @DisplayName("keeps all parts of random messages")
    void keepsRandomMessages() throws Exception {
        long seed = Long.getLong("jitney.seed", System.nanoTime());
        RandomMessages messages = new RandomMessages(new Random(seed));
        for (int round = 0; round < 2_000; round++) {
            IncomingMessage first = decode(messages.next().toArray(new Section<?>[0]));
            IncomingMessage again = again(first.content(), MessageView.NEVER);
            String hint = "-Djitney.seed=" + seed + ", round " + round;
            assertThat(again.envelope()).as(hint).isEqualTo(first.envelope());
            assertThat(again.partitionKey()).as(hint).isEqualTo(first.partitionKey());
            assertThat(again.largestPropertySizeBytes()).as(hint).isEqualTo(first.largestPropertySizeBytes());
            assertThat(again.content().annotations())
                    .as(hint)
                    .isEqualTo(first.content().annotations());
            assertThat(again.content().applicationProperties())
                    .as(hint)
                    .isEqualTo(first.content().applicationProperties());
            assertThat(again.content().body())
                    .as(hint)
                    .isEqualTo(first.content().body());
            assertThat(again.content().durable())
                    .as(hint)
                    .isEqualTo(first.content().durable());
            assertThat(again.content().priority())
                    .as(hint)
                    .isEqualTo(first.content().priority());
        }
    }
}
