package dev.jitney.runtime.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.jitney.core.MessageChange;
import dev.jitney.core.RowWriter.FragmentRow;
import dev.jitney.core.RowWriter.QueueRow;
import dev.jitney.core.StoredMessage;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.MessageContent;
import dev.jitney.model.QueueDescription;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What was ever written stays readable: one golden file per kind of row and version, written once and never again. A new
 * version gets a file of its own (docs/guides/add-a-record-version.md).
 */
final class GoldenRowsTest {

    /** Reads a row value back into the thing it is the row of. */
    private interface Reader {
        Object read(byte[] value) throws StoreException;
    }

    /**
     * A kind of row.
     *
     * @param file name of the golden file
     * @param value what the golden file says
     * @param written what the program writes for it today
     * @param fixedLength whether every shorter value is broken; false where the row ends with free bytes
     */
    private record Golden(String file, Object value, byte[] written, boolean fixedLength, Reader reader) {
        @Override
        public String toString() {
            return file;
        }
    }

    static Stream<Golden> rows() {
        StoredMessage message = new StoredMessage(
                7,
                3,
                1_700_000_000_000L,
                1_700_000_060_000L,
                1_699_999_999_000L,
                2,
                "session-1",
                "orders",
                overrides(),
                content());
        MessageChange change = new MessageChange(5, true, overrides());
        FragmentRow fragment = new FragmentRow(1, 2, 3, 4, 5, 6, 7, 8, 9, 1_700_000_000_000L);
        QueueRow queue = new QueueRow(42, "first", description(), 1_700_000_000_000L, 1_700_000_000_001L);
        return Stream.of(
                new Golden(
                        "message-v1.hex",
                        message,
                        MessageRows.message(message),
                        false,
                        value -> MessageRows.message(7, value)),
                new Golden("change-v1.hex", change, MessageRows.change(change), true, MessageRows::change),
                new Golden("fragment-v1.hex", fragment, MessageRows.fragment(fragment), true, MessageRows::fragment),
                new Golden("queue-v1.hex", queue, QueueRows.queue(queue), true, value -> QueueRows.queue(42, value)));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void readsWhatWasWrittenOnceAndStillWritesIt(Golden row) throws IOException, StoreException {
        byte[] golden = golden(row);

        assertThat(row.reader.read(golden)).isEqualTo(row.value);
        assertThat(HexFormat.of().formatHex(row.written))
                .isEqualTo(HexFormat.of().formatHex(golden));
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
                            row.file, HexFormat.of().formatHex(row.written))
                    .isNotNull();
            String hex = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
        }
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
