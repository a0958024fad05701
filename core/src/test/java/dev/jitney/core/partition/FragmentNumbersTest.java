package dev.jitney.core.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.jitney.core.LockTokenSequence;
import dev.jitney.model.ErrorCode;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("SEQ-2, SEQ-3, PART-64, LOCK-4: numbers and tokens that contain their fragment")
class FragmentNumbersTest {

    @Test
    @DisplayName("SEQ-2: the first message of fragment 1 is 281474976710657")
    void example() {
        assertThat(FragmentNumbers.of(1, 1)).isEqualTo(281_474_976_710_657L);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0, 1", "15, 1", "15, 281474976710655", "65535, 0", "65535, 281474976710655", "32768, 42"})
    @DisplayName("SEQ-2: 16 bits of fragment, 48 bits of count, and back")
    void roundTrip(int fragment, long count) {
        long number = FragmentNumbers.of(fragment, count);
        assertThat(FragmentNumbers.fragment(number)).isEqualTo(fragment);
        assertThat(FragmentNumbers.count(number)).isEqualTo(count);
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "65536, 1", "0, -1", "0, 281474976710656"})
    @DisplayName("SEQ-2: values that do not fit are refused instead of being cut off")
    void bounds(int fragment, long count) {
        assertThatIllegalArgumentException().isThrownBy(() -> FragmentNumbers.of(fragment, count));
    }

    @Test
    @DisplayName("SEQ-3: the count ends before the numbers of the next fragment")
    void usedUp() {
        for (int fragment : new int[] {0, 7, 65_535}) {
            assertThat(FragmentNumbers.areUsedUp(FragmentNumbers.of(fragment, 0)))
                    .isFalse();
            assertThat(FragmentNumbers.areUsedUp(FragmentNumbers.of(fragment, 1L << 47)))
                    .isFalse();
            assertThat(FragmentNumbers.areUsedUp(FragmentNumbers.of(fragment, FragmentNumbers.COUNT_MAX)))
                    .isTrue();
        }
    }

    @Test
    @DisplayName("PEEK-9: fragments ascending, the 64-bit number is the cursor")
    void ascending() {
        assertThat(FragmentNumbers.of(3, FragmentNumbers.COUNT_MAX)).isLessThan(FragmentNumbers.of(4, 0));
    }

    @ParameterizedTest
    @ValueSource(longs = {16L << 48, -1L, Long.MIN_VALUE, Long.MAX_VALUE})
    @DisplayName("PART-64: a number of a fragment that the entity does not have is not found")
    void foreignNumbers(long number) {
        assertThat(Objects.requireNonNull(FragmentNumbers.refuse(number, 16)).code())
                .isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
    }

    @Test
    @DisplayName("PART-64: numbers of existing fragments are accepted")
    void ownNumbers() {
        assertThat(FragmentNumbers.refuse(FragmentNumbers.of(15, 9), 16)).isNull();
        assertThat(FragmentNumbers.refuse(1, 16)).isNull();
        assertThat(FragmentNumbers.refuse(FragmentNumbers.of(2, 1), 2)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 32_768, 65_535})
    @DisplayName("LOCK-4: a token contains its fragment and keeps the form of a version 4 UUID")
    void tokens(int fragment) {
        UUID token = FragmentTokens.of(new LockTokenSequence(1, 2).next(), fragment);
        assertThat(FragmentTokens.fragment(token)).isEqualTo(fragment);
        assertThat(token.version()).isEqualTo(4);
        assertThat(token.variant()).isEqualTo(2);
    }

    @Test
    @DisplayName("LOCK-4: tokens of one fragment stay different from each other")
    void tokensStayUnique() {
        LockTokenSequence random = new LockTokenSequence(3, 4);
        Set<UUID> tokens = new HashSet<>();
        for (int i = 0; i < 100_000; i++) {
            tokens.add(FragmentTokens.of(random.next(), 5));
        }
        assertThat(tokens).hasSize(100_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65_536})
    @DisplayName("LOCK-4: a fragment that does not fit into a token is refused")
    void tokenBounds(int fragment) {
        assertThatIllegalArgumentException().isThrownBy(() -> FragmentTokens.of(new UUID(0, 0), fragment));
    }
}
