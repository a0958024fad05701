package dev.jitney.gateway.amqp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FrameCheckTest {
    private static final byte[] HEADER = {'A', 'M', 'Q', 'P', 0, 1, 0, 0};
    private static final byte[] EMPTY = frame("");
    private static final byte[] TRANSFER = frame("00 53 14 c0 07 04 43 43 a0 01 00 40 41 42 00 ff ff");
    private static final byte[] BROKEN = frame("00 53 10 d1 00 00 00 08 7f ff ff fe 40 40 40 40");

    @Test
    void letsWhatIsFineThroughHoweverItComes() {
        byte[] stream = join(HEADER, EMPTY, TRANSFER, HEADER, TRANSFER, EMPTY);
        Random random = new Random(1);
        for (int round = 0; round < 1_000; round++) {
            FrameCheck check = new FrameCheck(512);
            for (int at = 0; at < stream.length; ) {
                byte[] piece = Arrays.copyOfRange(stream, at, Math.min(stream.length, at + 1 + random.nextInt(30)));
                assertThat(check.check(piece)).isEqualTo(piece.length);
                at += piece.length;
            }
        }
    }

    @Test
    void stopsBeforeTheFrameThatIsWrongHoweverItComes() {
        byte[] stream = join(HEADER, TRANSFER, BROKEN, TRANSFER);
        int good = HEADER.length + TRANSFER.length;
        Random random = new Random(2);
        for (int round = 0; round < 1_000; round++) {
            FrameCheck check = new FrameCheck(512);
            int let = 0;
            int given = 0;
            while (let == given && given < stream.length) {
                int to = Math.min(stream.length, given + 1 + random.nextInt(60));
                byte[] piece = Arrays.copyOfRange(stream, given, to);
                given += piece.length;
                let += check.check(piece);
            }
            assertThat(let).isGreaterThanOrEqualTo(good).isLessThan(good + BROKEN.length);
        }
    }

    @Test
    void leavesSizesNoFrameMayHaveToTheEngine() {
        for (int size : new int[] {0, 7, 513, -1}) {
            byte[] bytes = ByteBuffer.allocate(20).putInt(size).array();
            FrameCheck check = new FrameCheck(512);
            assertThat(check.check(bytes)).as("the head of the invalid frame").isEqualTo(8);
            assertThat(check.check(TRANSFER)).as("nothing after it").isZero();
        }
    }

    @Test
    @DisplayName("A SASL frame with bytes after its value is refused (AMQP 5.3.1); found by fuzzing")
    void saslFramesEndWithTheirValue() {
        byte[] init = frame("00 53 41 c0 0c 01 a3 09 414e4f4e594d4f5553");
        byte[] more = Arrays.copyOf(init, init.length + 2);
        for (byte[] sasl : List.of(init, more)) {
            ByteBuffer.wrap(sasl).putInt(sasl.length).putInt(0x0201_0000);
        }
        assertThat(new FrameCheck(512).check(join(init, HEADER))).isEqualTo(init.length + HEADER.length);
        assertThat(new FrameCheck(512).check(join(more, HEADER))).isZero();
    }

    @Test
    @DisplayName("QUOTA-8: the array elements of a frame that take no bytes are limited for all arrays together")
    void countsArrayElementsWithoutBytes() {
        for (int code = 0x40; code <= 0x45; code++) {
            String ofFour = String.format("e0 02 04 %02x", code);
            assertThat(passes(list(ofFour.repeat(64), 64))).as(ofFour).isTrue();
            assertThat(passes(list(ofFour.repeat(65), 65))).as(ofFour).isFalse();
            // The elements of an array, and described elements.
            assertThat(passes(String.format("e0 08 02 e0 02 7f %02x 02 7f %02x", code, code)))
                    .isTrue();
            assertThat(passes(String.format("e0 08 02 e0 02 ff %02x 02 ff %02x", code, code)))
                    .isFalse();
            assertThat(passes(String.format("f0 00000008 00010000 00 53 99 %02x", code)))
                    .isFalse();
        }
    }

    @Test
    @DisplayName("QUOTA-8: the keys of a frame that are neither strings nor symbols are limited for all maps together")
    void countsKeysThatAreNotText() {
        for (String key : List.of("a0 02 %04x", "80 %1$08x%1$08x", "c0 04 01 60 %04x", "00 53 99 60 %04x")) {
            assertThat(passes(map(key, 256))).as(key).isTrue();
            assertThat(passes(map(key, 257))).as(key).isFalse();
            assertThat(passes(list(map(key, 128) + map(key, 129), 2))).as(key).isFalse();
        }
        assertThat(passes(map("a1 04 %08x", 3_000))).isTrue();
        assertThat(passes(map("a3 04 %08x", 1_024))).isTrue();
    }

    @Test
    @DisplayName("QUOTA-8: the symbols of a frame are limited, so that it cannot fill the cache of symbols")
    void countsSymbols() {
        assertThat(passes(list("a3 01 61".repeat(1_024), 1_024))).isTrue();
        assertThat(passes(list("a3 01 61".repeat(1_025), 1_025))).isFalse();
        assertThat(passes(list("b3 00000001 61".repeat(1_025), 1_025))).isFalse();
        assertThat(passes(String.format("f0 %08x 00000401 a3", 5 + 2 * 1_025) + "01 61".repeat(1_025)))
                .isFalse();
    }

    /** Returns whether a performative with that field passes. */
    private static boolean passes(String field) {
        byte[] frame = frame("00 53 10" + list(field, 1));
        return new FrameCheck(65_536).check(frame) == frame.length;
    }

    private static String list(String values, int count) {
        return String.format("d0 %08x %08x ", 4 + values.replace(" ", "").length() / 2, count) + values;
    }

    /** Returns a map with different keys of a format, and nulls. */
    private static String map(String key, int count) {
        StringBuilder entries = new StringBuilder();
        for (int i = 0; i < count; i++) {
            entries.append(String.format(key, i)).append("40");
        }
        return list(entries.toString(), 2 * count).replaceFirst("d0", "d1");
    }

    @Test
    void judgesALargeFrameThatComesInManyPieces() {
        byte[] start = frame("00 53 14 c0 07 04 43 43 a0 01 00 40 41 42");
        byte[] large = Arrays.copyOf(start, 60_000);
        ByteBuffer.wrap(large).putInt(large.length);
        byte[] broken = Arrays.copyOf(BROKEN, 60_000);
        ByteBuffer.wrap(broken).putInt(broken.length);
        for (int length : new int[] {1, 7, 1_000, 59_999}) {
            assertThat(inPieces(join(large, TRANSFER), length)).isEqualTo(large.length + TRANSFER.length);
            assertThat(inPieces(join(large, broken), length)).isLessThan(large.length + broken.length);
        }
    }

    /** Returns how many bytes pass when the stream arrives in pieces of the given length. */
    private static int inPieces(byte[] stream, int length) {
        FrameCheck check = new FrameCheck(65_536);
        int passed = 0;
        for (int at = 0; at < stream.length && passed == at; at += length) {
            passed += check.check(Arrays.copyOfRange(stream, at, Math.min(stream.length, at + length)));
        }
        return passed;
    }

    private static byte[] frame(String body) {
        byte[] octets = HexFormat.of().parseHex(body.replace(" ", ""));
        return ByteBuffer.allocate(8 + octets.length)
                .putInt(8 + octets.length)
                .putInt(0x0200_0000)
                .put(octets)
                .array();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
