package dev.jitney.core.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.MessageCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("PEEK-7 to PEEK-9, PART-62, PART-57: peeking at all fragments as one entity")
class PeekOrderTest {
    private static final int FRAGMENTS = 16;

    /** Executes one call of a client, which one fragment answers. */
    private static List<Long> peek(List<TreeSet<Long>> entity, long from, int count) {
        for (int f = PeekOrder.first(from, FRAGMENTS); f < FRAGMENTS; f++) {
            List<Long> answer = entity.get(f).tailSet(PeekOrder.start(f, from)).stream()
                    .limit(count)
                    .toList();
            if (!answer.isEmpty()) {
                return answer;
            }
        }
        return List.of();
    }

    @Test
    @DisplayName("PEEK-8: a loop over 100 messages in 16 fragments, some of them empty, returns each message once,"
            + " ascending")
    void loop() {
        List<TreeSet<Long>> entity = new ArrayList<>();
        IntStream.range(0, FRAGMENTS).forEach(f -> entity.add(new TreeSet<>()));
        for (int i = 0; i < 100; i++) {
            int fragment = i % 7 * 2; // none in odd fragments, none in the last
            entity.get(fragment).add(FragmentNumbers.of(fragment, 1 + i / 7));
        }
        List<Long> seen = new ArrayList<>();
        long from = 0;
        for (List<Long> answer = peek(entity, from, 10); !answer.isEmpty(); answer = peek(entity, from, 10)) {
            assertThat(answer).hasSizeLessThanOrEqualTo(10);
            seen.addAll(answer);
            from = answer.get(answer.size() - 1) + 1;
        }
        assertThat(seen).hasSize(100).isSorted().doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "-5, 0, 0",
        "7, 0, 7",
        "281474976710657, 1, 281474976710657",
        "4503599627370496, 16, 4503599627370496",
        "9223372036854775807, 16, 9223372036854775807",
    })
    @DisplayName("PEEK-9: the 64-bit number is the cursor; there is nothing after the last fragment")
    void cursor(long from, int fragment, long start) {
        assertThat(PeekOrder.first(from, FRAGMENTS)).isEqualTo(fragment);
        assertThat(PeekOrder.start(fragment, from)).isEqualTo(start);
    }

    @Test
    @DisplayName("PART-57, CNT-1: counts and sizes of fragments are summed up")
    void sums() {
        MessageCounts one = new MessageCounts(1, 2, 3, 4, 5, 6, 7, 8);
        MessageCounts other = new MessageCounts(10, 20, 30, 40, 50, 60, 70, 80);
        assertThat(one.plus(other)).isEqualTo(new MessageCounts(11, 22, 33, 44, 55, 66, 77, 88));
        assertThat(one.plus(other).total()).isEqualTo(one.total() + other.total());
    }
}
