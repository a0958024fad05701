package dev.jitney.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The texts inside an encoded value")
class EncodedTextsTest {

    private static List<String> texts(int countMax, int... encoding) throws MessageFormatException {
        byte[] bytes = new byte[encoding.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) encoding[i];
        }
        List<String> texts = new ArrayList<>();
        AmqpReader in = new AmqpReader(bytes, 0, bytes.length);
        boolean visited = EncodedTexts.visit(in, (array, from, to) -> {
            texts.add(new String(array, from, to - from, StandardCharsets.UTF_8));
            return texts.size() < countMax;
        });
        assertThat(visited).isEqualTo(texts.size() < countMax);
        if (visited) {
            assertThat(in.hasRemaining()).isFalse();
        }
        return texts;
    }

    @Test
    @DisplayName("are strings, symbols and binaries at any depth; the visit of any other value is empty")
    void visitsTexts() throws Exception {
        assertThat(texts(99, 0xa1, 2, 'a', 'b')).containsExactly("ab");
        assertThat(texts(99, 0xc0, 10, 3, 0xa3, 1, 's', 0x40, 0xb0, 0, 0, 0, 0)).containsExactly("", "s", "", "");
        assertThat(texts(99, 0xc1, 10, 2, 0xa1, 1, 'k', 0xc0, 4, 1, 0xa0, 1, 'v'))
                .containsExactly("", "k", "", "v");
        assertThat(texts(99, 0x00, 0xa3, 1, 'd', 0xa1, 1, 'v')).containsExactly("d", "v");
    }

    @Test
    @DisplayName("are the elements of arrays of texts and of arrays of lists; arrays of numbers are skipped")
    void visitsArrays() throws Exception {
        assertThat(texts(99, 0xe0, 6, 2, 0xa1, 1, 'a', 1, 'b')).containsExactly("", "a", "b");
        assertThat(texts(99, 0xe0, 4, 2, 0x50, 1, 2)).containsExactly("");
        assertThat(texts(99, 0xe0, 1, 0)).containsExactly("");
        assertThat(texts(99, 0xe0, 12, 2, 0xc0, 4, 1, 0xa1, 1, 'a', 4, 1, 0xa1, 1, 'b'))
                .containsExactly("", "", "a", "", "b");
        assertThat(texts(99, 0xe0, 8, 1, 0x00, 0xa3, 1, 'd', 0xa1, 1, 'v')).containsExactly("", "v");
    }

    @Test
    @DisplayName("are visited until the visitor ends the visit")
    void ends() throws Exception {
        assertThat(texts(2, 0xc0, 7, 2, 0xa1, 1, 'a', 0xa1, 1, 'b')).containsExactly("", "a");
    }

    @Test
    @DisplayName("are read from any bytes without another exception than that for a wrong format")
    void anyBytes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int[] codes = {0, 0x40, 0x45, 0x50, 0xa1, 0xa3, 0xb0, 0xc0, 0xc1, 0xd0, 0xe0, 0xf0};
        for (int run = 0; run < 50_000; run++) {
            byte[] bytes = new byte[random.nextInt(40)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (random.nextBoolean() ? codes[random.nextInt(codes.length)] : random.nextInt(8));
            }
            try {
                EncodedTexts.visit(new AmqpReader(bytes, 0, bytes.length), (array, from, to) -> {
                    assertThat(from).as("seed %d", seed).isBetween(0, to);
                    assertThat(to).as("seed %d", seed).isLessThanOrEqualTo(array.length);
                    return true;
                });
            } catch (MessageFormatException expected) {
                assertThat(expected).hasMessageContaining("Expected");
            }
        }
    }
}
