package dev.jitney.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A test with random filters on random messages, evaluated twice. {@code -Dfilter.seed=N} repeats a run,
 * {@code -Dfilter.runs=N} runs more.
 */
final class FilterPropertyTest {
    private static final int RUNS = Integer.getInteger("filter.runs", 20_000);
    private static final int LENGTH_MAX = 1_024;

    @Test
    @DisplayName("FILTER-7 to 20: the compiled evaluator and the naive one agree on random filters and messages")
    void agreesWithTheNaiveEvaluator() {
        long base = Long.getLong("filter.seed", System.nanoTime());
        Map<String, Integer> seen = new TreeMap<>();
        for (int run = 0; run < RUNS; run++) {
            long seed = base + run;
            RandomFilters random = new RandomFilters(seed);
            Map<String, @Nullable Object> properties = random.properties();
            String filter = random.condition(4);
            if (filter.length() > LENGTH_MAX) {
                continue;
            }
            String expected = new NaiveLanguage(filter, properties).result();
            String actual = Filters.result(filter, Messages.with(RandomFilters.encodable(properties)));
            assertThat(actual)
                    .as("-Dfilter.seed=%d: %s on %s", seed, filter, properties)
                    .isEqualTo(expected);
            seen.merge(actual, 1, Integer::sum);
        }
        assertThat(seen)
                .as("results seen")
                .containsOnlyKeys("T", "F", "U", "E")
                .allSatisfy((letter, count) -> assertThat(count).as(letter).isGreaterThan(RUNS / 100));
    }
}
