package dev.jitney.testing.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The encoder and decoder of the raw client. */
class CodecTest {

    @Test
    void whatIsWrittenIsReadBack() {
        UUID uuid = UUID.randomUUID();
        Node node = Node.of(Wire.encode(Wire.list(
                null,
                true,
                Wire.uint(4_000_000_000L),
                -5,
                Long.MIN_VALUE,
                "text €",
                Wire.sym("symbol"),
                uuid,
                new byte[] {1, 2},
                Instant.ofEpochMilli(77),
                Wire.map("key", Wire.list()),
                Wire.longs(1, -2),
                Wire.composite(Code.ACCEPTED))));

        assertThat(node.size()).isEqualTo(13);
        assertThat(node.at(0).isNull()).isTrue();
        assertThat(node.at(1).bool()).isTrue();
        assertThat(node.at(2).number()).isEqualTo(4_000_000_000L);
        assertThat(node.at(3).isInt()).isTrue();
        assertThat(node.at(3).number()).isEqualTo(-5);
        assertThat(node.at(4).number()).isEqualTo(Long.MIN_VALUE);
        assertThat(node.at(5).text()).isEqualTo("text €");
        assertThat(node.at(6).isSymbol()).isTrue();
        assertThat(node.at(7).uuid()).isEqualTo(uuid);
        assertThat(node.at(8).bytes()).containsExactly(1, 2);
        assertThat(node.at(9).isTimestamp()).isTrue();
        assertThat(node.at(10).get("key").isList()).isTrue();
        assertThat(node.at(11).isArray()).isTrue();
        assertThat(node.at(11).items()).extracting(Node::number).containsExactly(1L, -2L);
        assertThat(node.at(12).descriptorCode()).isEqualTo(Code.ACCEPTED);
        assertThat(node.at(99).isNull()).isTrue();
    }

    @Test
    @DisplayName("The lock token is read from the tag as .NET writes a GUID (wire 4.6)")
    void lockTokenOfATag() {
        byte[] tag = {4, 3, 2, 1, 6, 5, 8, 7, 9, 10, 11, 12, 13, 14, 15, 16};
        RawFrame transfer = RawFrame.parse(RawConnection.frame(
                0, 3, Wire.encode(Wire.composite(Code.TRANSFER, Wire.uint(0), Wire.uint(9), tag)), new byte[] {7}));
        assertThat(transfer.channel()).isEqualTo(3);
        assertThat(transfer.payload()).containsExactly(7);
        RawDelivery delivery = new RawDelivery(List.of(transfer), transfer.payload());
        assertThat(delivery.lockToken()).isEqualTo(UUID.fromString("01020304-0506-0708-090a-0b0c0d0e0f10"));
    }

    @Test
    void shortPerformativesAreNoticed() {
        RawFrame shortList =
                RawFrame.parse(RawConnection.frame(0, 0, Wire.encode(Wire.composite(Code.DETACH, Wire.uint(0), true))));
        assertThatThrownBy(() -> FrameRules.assertKept(List.of(shortList))).hasMessageContaining("3 fields");
        RawFrame longDescriptor = RawFrame.parse(RawConnection.frame(
                0, 0, Wire.encode(new Wire.Described(Wire.ulong(Code.DETACH), Wire.list(Wire.uint(0), true, null)))));
        assertThatThrownBy(() -> FrameRules.assertKept(List.of(longDescriptor))).hasMessageContaining("00 53");
        RawFrame full = RawFrame.parse(
                RawConnection.frame(0, 0, Wire.encode(Wire.composite(Code.DETACH, Wire.uint(0), true, null))));
        FrameRules.assertKept(List.of(full));
    }
}
