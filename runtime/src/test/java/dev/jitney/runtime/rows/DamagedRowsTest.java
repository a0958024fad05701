package dev.jitney.runtime.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.core.AcceptedId;
import dev.jitney.core.DuplicateKey;
import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.RowWriter.FragmentRow;
import dev.jitney.core.RowWriter.SessionRow;
import dev.jitney.core.SharedBody;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.Transfer;
import dev.jitney.core.Transfer.Origin;
import dev.jitney.model.AccessRule;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.runtime.KeySeal;
import dev.jitney.runtime.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Damage that leaves a row readable, found by fuzzing. It must be reported as corrupt, not misread. */
final class DamagedRowsTest {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final MessageContent CONTENT =
            MessageContent.of(true, 4, false, NOTHING, NOTHING, NOTHING, StandardCharsets.US_ASCII.encode("body"));

    @Test
    void bytesBehindTheEndAreDamage() {
        assertCorrupt(() -> MessageRows.fragment(longer(MessageRows.fragment(FragmentRow.EMPTY))));
        assertCorrupt(() -> SessionRows.session(longer(SessionRows.session(new SessionRow(1, 0, 2, 3, 4, 5)))));
        assertCorrupt(() -> UptimeRows.alive(longer(UptimeRows.alive(7))));
        AcceptedId id = new AcceptedId(DuplicateKey.ofString("a"), 1, 2, 3);
        assertCorrupt(() -> AcceptedIdRows.read(1, id.key(), longer(AcceptedIdRows.write(id))));
        byte[] sharing = sharing(new FragmentId(41, 2));
        assertCorrupt(() -> MessageRows.message(7, longer(sharing), body -> CONTENT));
    }

    @Test
    void bodiesOfWhatCannotBeAreDamage() {
        for (FragmentId topic : List.of(new FragmentId(0xffff_ffffL, 2), new FragmentId(41, 65_536))) {
            assertCorrupt(() -> MessageRows.message(7, sharing(topic), body -> CONTENT));
        }
    }

    private static byte[] sharing(FragmentId topic) {
        return MessageRowBytes.of(new StoredMessage(
                MessageEnvelope.builder()
                        .sequenceNumber(7)
                        .enqueuedSequenceNumber(3)
                        .enqueuedTimeMs(1)
                        .expiresAtMs(2)
                        .build(),
                CONTENT,
                new SharedBody(topic, 12, 3, 4)));
    }

    @Test
    @DisplayName("FWD-2: a transfer with an unknown lane is not read as one of the main lane")
    void anUnknownLaneIsDamage() {
        Transfer transfer = new Transfer(
                9,
                43,
                IncomingMessage.of(CONTENT).sizes(1, 1, 1).build(),
                new Origin(
                        Lane.MAIN,
                        MessageEnvelope.builder()
                                .sequenceNumber(7)
                                .enqueuedTimeMs(1)
                                .expiresAtMs(2)
                                .deliveryCount(3)
                                .build()));
        byte[] row = TransferRows.transfer(transfer);
        int laneAt = 2 + 3 * 4 + 8 + 8 + 3 * 4;
        assertThat(row[laneAt]).isEqualTo((byte) Lane.MAIN.id());
        row[laneAt] = 77;

        assertCorrupt(() -> TransferRows.transfer(9, 43, row));
    }

    @Test
    void whatIsNeitherYesNorNoIsDamage() {
        byte[] row = new byte[] {1, 2, 0, 0, 0, 0, 0, 0, 0, 0};

        assertCorrupt(() -> MessageRows.change(row));
    }

    @Test
    void unknownFlagsAreDamage() {
        byte[] row = MessageRowBytes.of(new StoredMessage(
                MessageEnvelope.builder()
                        .sequenceNumber(7)
                        .enqueuedSequenceNumber(3)
                        .enqueuedTimeMs(1)
                        .expiresAtMs(2)
                        .build(),
                CONTENT,
                null));
        row[1] |= 64;

        assertCorrupt(() -> MessageRows.message(7, row, body -> CONTENT));
    }

    @Test
    void octetsThatAreNoTextAreDamage() {
        byte[] row = MessageRowBytes.of(new StoredMessage(
                MessageEnvelope.builder()
                        .sequenceNumber(7)
                        .enqueuedSequenceNumber(3)
                        .enqueuedTimeMs(1)
                        .expiresAtMs(2)
                        .sessionId("session")
                        .build(),
                CONTENT,
                null));
        row[2 + 4 * 8 + 4 + 4] = (byte) 0xff;

        assertCorrupt(() -> MessageRows.message(7, row, body -> CONTENT));
    }

    @Test
    void theRightToManageAloneIsDamage() {
        byte[] row = new NamespaceRow(1, 2, "f", List.of(AccessRule.root("key"))).toBytes(KeySeal.NONE);
        int rightsAt = 1 + 8 + 8 + 4 + 1 + 4 + 4 + AccessRule.ROOT_NAME.length();
        assertThat(row[rightsAt]).isEqualTo((byte) 7);
        row[rightsAt] = 1;

        assertCorrupt(() -> NamespaceRow.read(row, KeySeal.NONE));
    }

    @Test
    void numbersInAFormThatIsNeverWrittenAreDamage() {
        byte[] row = MessageRows.fragment(FragmentRow.EMPTY);
        byte[] padded = ByteBuffer.allocate(row.length + 1)
                .put(row[0])
                .put((byte) (row[1] | 0x80))
                .put((byte) 0)
                .put(row, 2, row.length - 2)
                .array();

        assertCorrupt(() -> MessageRows.fragment(padded));
    }

    @Test
    void keysOfAnotherLengthAreDamage() {
        byte[] message = RowKeys.message(new FragmentId(42, 0), Lane.MAIN, 7);
        assertCorrupt(() -> RowKeys.sequenceNumberOf(Arrays.copyOf(message, message.length - 1)));
        assertCorrupt(() -> RowKeys.sequenceNumberOf(longer(message)));
        byte[] inSession = RowKeys.sessionMessage(new FragmentId(42, 0), "s", 7);
        assertCorrupt(() -> RowKeys.sessionMessageNumberOf(longer(inSession)));
        assertCorrupt(() -> RowKeys.sessionOf(new byte[] {0, 0, 0, 42, 0, 0, (byte) 0xff}));
        assertCorrupt(() -> AcceptedIdRows.keyOf(new byte[14]));
        byte[] last = RowKeys.generation(new FragmentId(42, 0), Long.MAX_VALUE);
        assertCorrupt(() -> RowKeys.generationOf(Arrays.copyOf(last, last.length + 2)));
    }

    private static byte[] longer(byte[] row) {
        return Arrays.copyOf(row, row.length + 1);
    }

    private static void assertCorrupt(ThrowingCallable reading) {
        assertThatThrownBy(reading)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(StoreException.Reason.CORRUPT));
    }
}
