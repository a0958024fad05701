package dev.jitney.runtime.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.jitney.core.AcceptedId;
import dev.jitney.core.DuplicateKey;
import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.MessageChange;
import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.core.RowWriter.FragmentRow;
import dev.jitney.core.RowWriter.SessionRow;
import dev.jitney.core.SharedBody;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.Transfer;
import dev.jitney.core.Transfer.Origin;
import dev.jitney.core.idle.Downtimes;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.Rule;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.SqlRuleAction;
import dev.jitney.runtime.KeySeal;
import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every format ever written stays readable: one golden file per kind of row and version, written once and never
 * changed. A new version gets a separate file (docs/guides/add-a-record-version.md).
 */
final class GoldenRowsTest {

    /** Decodes a row value. */
    private interface Reader {
        Object read(byte[] value) throws StoreException;
    }

    /**
     * A kind of row.
     *
     * @param file name of the golden file
     * @param value decoded content of the golden file
     * @param written the encoding of {@code value} in this program, or null if it writes a newer version
     * @param fixedLength whether every shorter value is invalid; false if the row ends with bytes of any length
     */
    private record Golden(String file, Object value, byte @Nullable [] written, boolean fixedLength, Reader reader) {
        @Override
        public String toString() {
            return file;
        }
    }

    static Stream<Golden> rows() {
        StoredMessage message = new StoredMessage(
                MessageEnvelope.builder()
                        .sequenceNumber(7)
                        .enqueuedSequenceNumber(3)
                        .enqueuedTimeMs(1_700_000_000_000L)
                        .expiresAtMs(1_700_000_060_000L)
                        .scheduledEnqueueTimeMs(1_699_999_999_000L)
                        .deliveryCount(2)
                        .sessionId("session-1")
                        .deadLetterSource("orders")
                        .propertyOverrides(overrides())
                        .build(),
                content(),
                null);
        StoredMessage copy = new StoredMessage(
                MessageEnvelope.builder()
                        .sequenceNumber(7)
                        .enqueuedSequenceNumber(3)
                        .enqueuedTimeMs(1_700_000_000_000L)
                        .expiresAtMs(1_700_000_060_000L)
                        .propertyOverrides(overrides())
                        .build(),
                content(),
                new SharedBody(new FragmentId(41, 2), 12, 3, content().sizeBytes()));
        StoredMessage forwarded = new StoredMessage(
                MessageEnvelope.builder()
                        .sequenceNumber(7)
                        .enqueuedSequenceNumber(3)
                        .enqueuedTimeMs(1_700_000_000_000L)
                        .expiresAtMs(1_700_000_060_000L)
                        .scheduledEnqueueTimeMs(1_699_999_999_000L)
                        .deliveryCount(2)
                        .sessionId("session-1")
                        .deadLetterSource("orders")
                        .propertyOverrides(overrides())
                        .hops(4)
                        .build(),
                content(),
                null);
        StoredMessage activated = new StoredMessage(
                MessageEnvelope.builder()
                        .sequenceNumber(7)
                        .enqueuedSequenceNumber(3)
                        .enqueuedTimeMs(1_700_000_000_000L)
                        .expiresAtMs(1_700_000_060_000L)
                        .scheduledEnqueueTimeMs(1_699_999_999_000L)
                        .deliveryCount(2)
                        .sessionId("session-1")
                        .deadLetterSource("orders")
                        .propertyOverrides(overrides())
                        .hops(4)
                        .wasScheduled(true)
                        .build(),
                content(),
                null);
        MessageChange change = new MessageChange(5, true, overrides());
        FragmentRow fragment = new FragmentRow(1, 2, 3, 4, 5, 6, 7, 8, 9, 1_700_000_000_000L);
        Transfer transfer = new Transfer(
                9,
                43,
                IncomingMessage.of(content())
                        .messageId("id-1")
                        .timeToLiveMs(60_000)
                        .sizes(120, 80, 40)
                        .sent("session-1", 1_699_999_999_000L)
                        .build(),
                null);
        Transfer forward = new Transfer(
                9,
                43,
                transfer.message().with(transfer.message().envelope().handedOn(2, 5, "orders")),
                new Origin(
                        Lane.DEAD_LETTER,
                        MessageEnvelope.builder()
                                .sequenceNumber(7)
                                .enqueuedTimeMs(1_700_000_000_000L)
                                .expiresAtMs(1_700_000_060_000L)
                                .deliveryCount(3)
                                .deadLetterSource("earlier")
                                .build()));
        PartRow part = new PartRow(44, 43, 7);
        SessionRow session = new SessionRow(7, 0, 2, 3, 12, 1_700_000_000_000L);
        SessionRow released = new SessionRow(7, 19, 2, 3, 12, 1_700_000_000_000L);
        EntityRow queue = row(description());
        EntityRow express = row(description().toBuilder()
                .enableExpress(true)
                .supportOrdering(false)
                .build());
        EntityRow topic = row(topic());
        EntityRow subscription = row(subscription());
        Rule sql = new Rule(
                new RuleDescription(
                        "Red",
                        new SqlRuleFilter("colour = @c", Map.of("@c", RuleValue.ofString("red"))),
                        new SqlRuleAction("SET n = 1", Map.of())),
                1_700_000_000_000L);
        Rule correlation = new Rule(
                new RuleDescription(
                        "$Default",
                        new CorrelationRuleFilter(
                                "c", null, null, null, "l", null, null, "json", Map.of("n", number("7"))),
                        null),
                1_700_000_000_000L);
        MadeNamespaceRow made = new MadeNamespaceRow("Team-B", TierProfile.PREMIUM, true);
        NamespaceRow namespace =
                new NamespaceRow(1_700_000_000_000L, 1_700_000_000_001L, "0a0b", List.of(AccessRule.root("key")));
        ConfigurationsRow configurations =
                ConfigurationsRow.NONE.with("0a0b").with("0c0d").with("0a0b");
        Downtimes downtimes =
                Downtimes.NONE.and(1_699_999_000_000L, 1_699_999_000_500L).and(1_700_000_000_000L, 1_700_003_600_000L);
        AcceptedId accepted =
                new AcceptedId(DuplicateKey.ofString("order-7"), 1_699_999_000_000L, 1_700_000_000_000L, 12);
        return Stream.of(
                new Golden(
                        "accepted-id-v1.hex",
                        accepted,
                        AcceptedIdRows.write(accepted),
                        true,
                        value -> AcceptedIdRows.read(accepted.generationMs(), accepted.key(), value)),
                new Golden("message-v1.hex", message, null, false, GoldenRowsTest::message),
                new Golden("message-v2.hex", message, null, false, GoldenRowsTest::message),
                new Golden("message-shared-v2.hex", copy, null, true, GoldenRowsTest::message),
                new Golden("message-shared-v3.hex", copy, null, true, GoldenRowsTest::message),
                new Golden("message-shared-v4.hex", copy, MessageRowBytes.of(copy), true, GoldenRowsTest::message),
                new Golden("message-v3.hex", forwarded, null, false, GoldenRowsTest::message),
                new Golden("message-v4.hex", activated, MessageRowBytes.of(activated), false, GoldenRowsTest::message),
                new Golden("change-v1.hex", change, MessageRows.change(change), true, MessageRows::change),
                new Golden("fragment-v1.hex", fragment, null, true, MessageRows::fragment),
                new Golden("fragment-v2.hex", fragment, MessageRows.fragment(fragment), true, MessageRows::fragment),
                new Golden("session-v1.hex", session, null, true, SessionRows::session),
                new Golden("session-v2.hex", released, SessionRows.session(released), true, SessionRows::session),
                new Golden("queue-v1.hex", queue, null, true, GoldenRowsTest::entity),
                new Golden(
                        "queue-v2.hex", express, EntityRows.write(express, KeySeal.NONE), true, GoldenRowsTest::entity),
                new Golden("topic-v2.hex", topic, EntityRows.write(topic, KeySeal.NONE), true, GoldenRowsTest::entity),
                new Golden(
                        "subscription-v2.hex",
                        subscription,
                        EntityRows.write(subscription, KeySeal.NONE),
                        true,
                        GoldenRowsTest::entity),
                new Golden("rule-sql-v1.hex", sql, RuleRows.write(sql), true, RuleRows::read),
                new Golden("rule-correlation-v1.hex", correlation, RuleRows.write(correlation), true, RuleRows::read),
                new Golden("transfer-v1.hex", transfer, null, false, value -> TransferRows.transfer(9, 43, value)),
                new Golden(
                        "transfer-v2.hex",
                        forward,
                        TransferRows.transfer(forward),
                        false,
                        value -> TransferRows.transfer(9, 43, value)),
                new Golden(
                        "alive-v1.hex",
                        1_700_000_000_000L,
                        UptimeRows.alive(1_700_000_000_000L),
                        true,
                        UptimeRows::alive),
                new Golden("downtimes-v1.hex", downtimes, UptimeRows.downtimes(downtimes), true, UptimeRows::downtimes),
                new Golden("part-v1.hex", part, part.toBytes(), true, value -> PartRow.read(44, value)),
                new Golden(
                        "configurations-v1.hex",
                        configurations,
                        configurations.toBytes(),
                        true,
                        ConfigurationsRow::read),
                new Golden("made-namespace-v1.hex", made, made.toBytes(), true, MadeNamespaceRow::read),
                new Golden(
                        "namespace-v1.hex",
                        namespace,
                        namespace.toBytes(KeySeal.NONE),
                        true,
                        value -> NamespaceRow.read(value, KeySeal.NONE)));
    }

    private static Object message(byte[] value) throws StoreException {
        return MessageRows.message(7, value, body -> content());
    }

    private static Object entity(byte[] value) throws StoreException {
        return EntityRows.read(42, value, KeySeal.NONE);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void readsWhatWasWrittenOnceAndStillWritesIt(Golden row) throws IOException, StoreException {
        byte[] golden = golden(row);

        assertThat(row.reader.read(golden)).isEqualTo(row.value);
        if (row.written != null) {
            assertThat(HexFormat.of().formatHex(row.written))
                    .isEqualTo(HexFormat.of().formatHex(golden));
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void refusesAVersionItDoesNotKnow(Golden row) throws IOException {
        byte[] golden = golden(row);
        golden[0] = 99;

        assertCorrupt(row, golden);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void refusesARowThatWasCutShort(Golden row) throws IOException {
        byte[] golden = golden(row);
        int free = row.fixedLength ? 0 : content().body().remaining();

        for (int length = 0; length < golden.length - free; length++) {
            assertCorrupt(row, Arrays.copyOf(golden, length));
        }
    }

    private static void assertCorrupt(Golden row, byte[] value) {
        try {
            Object read = row.reader.read(value);
            fail("Expected a refusal of " + value.length + " bytes, but read " + read);
        } catch (StoreException refused) {
            assertThat(refused.reason()).isEqualTo(StoreException.Reason.CORRUPT);
        }
    }

    private static byte[] golden(Golden row) throws IOException {
        try (InputStream in = GoldenRowsTest.class.getResourceAsStream(row.file)) {
            assertThat(in)
                    .as(
                            "%s is missing; today's bytes are %s",
                            row.file,
                            row.written == null ? "newer" : HexFormat.of().formatHex(row.written))
                    .isNotNull();
            String hex = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
        }
    }

    private static EntityRow row(EntityDescription description) {
        return new EntityRow(42, "first", description, 1_700_000_000_000L, 1_700_000_000_001L);
    }

    private static RuleValue number(String text) {
        return new RuleValue(RuleValue.Type.DOUBLE, text);
    }

    private static TopicDescription topic() {
        return TopicDescription.named("Events")
                .defaultMessageTimeToLiveMs(86_400_000)
                .maxSizeInMegabytes(3_072)
                .maxMessageSizeInKilobytes(512L)
                .requiresDuplicateDetection(true)
                .duplicateDetectionHistoryTimeWindowMs(60_000)
                .enableBatchedOperations(false)
                .enableFilteringMessagesBeforePublishing(true)
                .status(EntityStatus.SEND_DISABLED)
                .userMetadata("notes")
                .supportOrdering(false)
                .autoDeleteOnIdleMs(600_000)
                .enablePartitioning(true)
                .enableSubscriptionPartitioning(true)
                .enableExpress(true)
                .accessRules(List.of(new AccessRule("send", Set.of(AccessRight.SEND), "primary", "secondary")))
                .build();
    }

    private static SubscriptionDescription subscription() {
        return SubscriptionDescription.of("Events", "Red")
                .lockDurationMs(30_000)
                .requiresSession(true)
                .defaultMessageTimeToLiveMs(86_400_000)
                .deadLetteringOnMessageExpiration(true)
                .deadLetteringOnFilterEvaluationExceptions(false)
                .maxDeliveryCount(3)
                .enableBatchedOperations(false)
                .status(EntityStatus.RECEIVE_DISABLED)
                .forwardTo("sb://host/elsewhere")
                .userMetadata("notes")
                .forwardDeadLetteredMessagesTo(null)
                .autoDeleteOnIdleMs(600_000)
                .clientAffine(true)
                .build();
    }

    private static Map<String, EncodedValue> overrides() {
        Map<String, EncodedValue> overrides = new LinkedHashMap<>();
        overrides.put("DeadLetterReason", EncodedValue.ofString("TTLExpiredException"));
        overrides.put("größe", new EncodedValue(new byte[] {0x54, 3}));
        return overrides;
    }

    private static MessageContent content() {
        return MessageContent.of(
                true, 4, false, bytes("annotations"), bytes("properties"), bytes("application"), bytes("body"));
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static QueueDescription description() {
        return QueueDescription.named("Orders/Incoming")
                .lockDurationMs(30_000)
                .maxSizeInMegabytes(2_048)
                .maxMessageSizeInKilobytes(512L)
                .defaultMessageTimeToLiveMs(86_400_000)
                .autoDeleteOnIdleMs(600_000)
                .maxDeliveryCount(3)
                .deadLetteringOnMessageExpiration(true)
                .requiresDuplicateDetection(true)
                .duplicateDetectionHistoryTimeWindowMs(60_000)
                .requiresSession(true)
                .enablePartitioning(true)
                .forwardTo("elsewhere")
                .forwardDeadLetteredMessagesTo(null)
                .enableBatchedOperations(false)
                .status(EntityStatus.RECEIVE_DISABLED)
                .userMetadata("notes")
                .accessRules(List.of(
                        new AccessRule("send", Set.of(AccessRight.SEND), "primary", "secondary"),
                        new AccessRule("listen", Set.of(AccessRight.LISTEN), "primary", null)))
                .build();
    }
}
