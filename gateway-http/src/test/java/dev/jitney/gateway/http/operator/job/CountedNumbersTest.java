package dev.jitney.gateway.http.operator.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.runtime.Documents;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The counted numbers of a job")
class CountedNumbersTest {
    private static final long PARTITION = 1L << 48;

    @ParameterizedTest
    @DisplayName("are those that were added, also when they are read again in parts")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void keepsNumbers(long seed) {
        Random random = new Random(seed);
        Set<Long> expected = new TreeSet<>();
        for (int i = 0; i < 20_000; i++) {
            expected.add(random.nextInt(8) * PARTITION + random.nextInt(40_000));
        }
        CountedNumbers added = new CountedNumbers();
        expected.forEach(added::add);
        assertThat(added.seal()).isTrue();
        CountedNumbers read = CountedNumbers.of(added.parts());

        for (CountedNumbers numbers : List.of(added, read)) {
            for (long partition = 0; partition < 8; partition++) {
                for (long number = 0; number < 40_010; number++) {
                    long asked = partition * PARTITION + number;
                    assertThat(numbers.contains(asked)).isEqualTo(expected.contains(asked));
                }
            }
            assertThat(numbers.contains(0)).as("a question that goes back").isEqualTo(expected.contains(0L));
        }
    }

    @Test
    @DisplayName("take a few bytes if they have no gaps")
    void compresses() {
        CountedNumbers numbers = new CountedNumbers();
        LongStream.range(7, 3_000_000).forEach(numbers::add);

        assertThat(numbers.seal()).isTrue();
        assertThat(numbers.parts()).hasSize(1);
        assertThat(numbers.parts().get(0)).hasSizeLessThan(10);
        assertThat(numbers.contains(6)).isFalse();
        assertThat(numbers.contains(2_999_999)).isTrue();
        assertThat(numbers.contains(3_000_000)).isFalse();
    }

    @Test
    @DisplayName("are kept in at most sixteen documents, and otherwise not at all")
    void isBounded() {
        CountedNumbers most = new CountedNumbers();
        LongStream.range(0, 170_000).forEach(i -> most.add(i * 1_000));
        assertThat(most.seal()).isTrue();
        List<byte[]> parts = new ArrayList<>(most.parts());
        assertThat(parts).hasSizeLessThanOrEqualTo(CountedNumbers.PARTS_MAX);
        assertThat(parts).allSatisfy(part -> assertThat(part).hasSizeLessThanOrEqualTo(Documents.BYTES_MAX));

        CountedNumbers tooMany = new CountedNumbers();
        LongStream.range(0, 200_000).forEach(i -> tooMany.add(i * 1_000));
        assertThat(tooMany.seal()).isFalse();
        assertThat(tooMany.parts()).isEmpty();
    }

    @Test
    @DisplayName("are not kept if they are not in order")
    void needsOrder() {
        CountedNumbers numbers = new CountedNumbers();
        numbers.add(5);
        numbers.add(4);
        assertThat(numbers.seal()).isFalse();
    }
}
