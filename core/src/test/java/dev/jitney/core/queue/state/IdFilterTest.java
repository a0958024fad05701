package dev.jitney.core.queue.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.DuplicateKey;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IdFilterTest {
    private static final int MANY = 300_000;

    private final MemoryBudget budget = new MemoryBudget(8 << 20, 0, 0);
    private final IdFilter filter = new IdFilter(budget);

    private static DuplicateKey random(Random random) {
        return DuplicateKey.ofString(new UUID(random.nextLong(), random.nextLong()).toString());
    }

    private long foundOf(Random random, int count) {
        long found = 0;
        for (int i = 0; i < count; i++) {
            found += filter.mayContain(random(random)) ? 1 : 0;
        }
        return found;
    }

    @Test
    @DisplayName("DUP-2: an empty filter contains no id, and needs no memory")
    void empty() {
        assertThat(filter.mayContain(DuplicateKey.ofString("X"))).isFalse();
        assertThat(budget.filterBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    @DisplayName("DUP-2: the filter denies no id that was added, and most others, in less than three bytes for each")
    void many(long seed) {
        Random ids = new Random(seed);
        for (int i = 0; i < MANY; i++) {
            assertThat(filter.add(random(ids))).isTrue();
        }
        assertThat(foundOf(new Random(seed), MANY)).isEqualTo(MANY);
        assertThat(foundOf(new Random(seed + 1_000), MANY)).isLessThan(MANY / 10);
        assertThat(budget.filterBytes()).isBetween(MANY * 3L / 2, MANY * 3L);
    }

    @Test
    @DisplayName("DUP-2: numbered ids, which differ in few characters, are spread like random ones")
    void numbered() {
        for (int i = 0; i < MANY; i++) {
            filter.add(DuplicateKey.ofString("order-" + i));
        }
        long wrong = 0;
        for (int i = 0; i < MANY; i++) {
            assertThat(filter.mayContain(DuplicateKey.ofString("order-" + i))).isTrue();
            wrong += filter.mayContain(DuplicateKey.ofString("order-" + (MANY + i))) ? 1 : 0;
        }
        assertThat(wrong).isLessThan(MANY / 10);
    }

    @Test
    @DisplayName("DUP-6: ids of different types are different; ids with one hash code may be taken for each other")
    void hashCodes() {
        filter.add(new DuplicateKey(DuplicateKey.Type.STRING, "AaAa"));
        assertThat(filter.mayContain(new DuplicateKey(DuplicateKey.Type.STRING, "BBBB")))
                .as("the same hash code, so that the store must be read")
                .isTrue();
        assertThat(filter.mayContain(new DuplicateKey(DuplicateKey.Type.UUID, "AaAa")))
                .isFalse();
    }

    @Test
    @DisplayName("a filter without memory for one more id gives back all of it, which another filter can use")
    void withoutMemory() {
        MemoryBudget small = new MemoryBudget(20_000, 0, 0);
        IdFilter first = new IdFilter(small);
        Random random = new Random(1);
        int added = 0;
        while (first.add(random(random))) {
            added++;
            assertThat(small.filterBytes()).isLessThanOrEqualTo(10_000);
        }
        assertThat(added).isBetween(2_000, 6_000);
        assertThat(small.filterBytes()).isZero();
        IdFilter second = new IdFilter(small);
        assertThat(second.add(random(random))).isTrue();
        second.release();
        assertThat(small.filterBytes()).isZero();
    }
}
