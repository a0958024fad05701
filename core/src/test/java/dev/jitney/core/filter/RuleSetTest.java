package dev.jitney.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.FalseRuleFilter;
import dev.jitney.model.rule.RuleFilter.TrueRuleFilter;
import dev.jitney.model.rule.RuleValue;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** All rules of a topic together. */
final class RuleSetTest {

    private static CompiledFilter sql(String text) {
        return Filters.compile(text).get();
    }

    @Test
    @DisplayName("FILTER-1, DLQ-25: every kind of filter is evaluated, and a failure does not affect the others")
    void asksEveryKind() {
        RuleSet<String> rules = new RuleSet<>();
        rules.put("true", FilterLanguage.compileFilter(TrueRuleFilter.INSTANCE).get());
        rules.put("1=1", sql("1=1"));
        rules.put("false", FilterLanguage.compileFilter(new FalseRuleFilter()).get());
        rules.put("sql", sql("a = 1"));
        rules.put("unknown", sql("m = 1"));
        rules.put("error", sql("s = 1"));
        rules.put("always an error", sql("1/0 = 1"));
        rules.put(
                "correlation",
                CorrelationFilterTest.filter(null, Map.of("a", new RuleValue(RuleValue.Type.LONG, "1"))));

        RuleSet.Matches<String> matches = rules.match(Messages.with(Messages.golden()));

        assertThat(matches.matched()).containsExactlyInAnyOrder("true", "1=1", "sql", "correlation");
        assertThat(matches.failed()).extracting(RuleSet.Failure::rule).containsExactly("error", "always an error");
        assertThat(matches.failed().get(0).error())
                .isEqualTo(new EvaluationError(
                        "FilterException", "Expected values that can be compared, but got a string and a long."));
        assertThat(rules.size()).isEqualTo(8);
    }

    @Test
    @DisplayName("RULE-11: a changed or removed rule takes effect immediately")
    void replacesAndRemoves() {
        RuleSet<String> rules = new RuleSet<>();
        Evaluation message = Messages.with(Map.of("a", 1), p -> p.setSubject("l"));
        CompiledFilter correlation = CorrelationFilterTest.filter("l", Map.of());
        rules.put("r", sql("a = 2"));
        assertThat(rules.match(message).matched()).isEmpty();
        rules.put("r", correlation);
        rules.put("q", correlation);
        assertThat(rules.match(message).matched()).containsExactly("r", "q");
        rules.put("r", sql("1=1"));
        assertThat(rules.match(message).matched()).containsExactly("r", "q");
        rules.remove("r");
        rules.remove("nobody");
        rules.remove("q");
        assertThat(rules.match(message).matched()).isEmpty();
        assertThat(rules.size()).isZero();
    }

    @Test
    @DisplayName("FILTER-28: each of many filters with the same values can be removed")
    void removesOneOfManyEqual() {
        RuleSet<Integer> rules = new RuleSet<>();
        Evaluation message = Messages.with(Map.of(), p -> p.setSubject("l"));
        for (int rule = 0; rule < 100; rule++) {
            rules.put(rule, CorrelationFilterTest.filter("l", Map.of()));
        }
        for (int rule = 99; rule > 0; rule--) {
            rules.remove(rule);
            assertThat(rules.match(message).matched()).hasSize(rule).doesNotContain(rule);
        }
    }

    @Test
    @DisplayName("FILTER-28: the index finds the same matches as evaluating one filter after the other")
    void indexAgreesWithAskingEach() {
        long seed = Long.getLong("filter.seed", System.nanoTime());
        Random random = new Random(seed);
        RuleSet<Integer> rules = new RuleSet<>();
        Map<Integer, CompiledFilter> filters = new LinkedHashMap<>();
        for (int step = 0; step < 4_000; step++) {
            int rule = random.nextInt(400);
            if (random.nextInt(4) == 0) {
                rules.remove(rule);
                filters.remove(rule);
            } else {
                CompiledFilter filter = randomFilter(random);
                rules.put(rule, filter);
                filters.put(rule, filter);
            }
            if (step % 4 == 0) {
                Evaluation message = randomMessage(random);
                Set<Integer> expected = filters.entrySet().stream()
                        .filter(entry -> entry.getValue().evaluate(message).isTrue())
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet());
                var matched = rules.match(message).matched();
                assertThat(matched).as("-Dfilter.seed=%d", seed).doesNotHaveDuplicates();
                assertThat(new HashSet<>(matched)).as("-Dfilter.seed=%d", seed).isEqualTo(expected);
            }
        }
    }

    private static CompiledFilter randomFilter(Random random) {
        Map<String, RuleValue> properties = new LinkedHashMap<>();
        for (int i = 0; i < 8; i++) {
            if (random.nextInt(4) == 0) {
                properties.put(
                        (random.nextBoolean() ? "p" : "P") + i,
                        random.nextBoolean()
                                ? RuleValue.ofString("v" + random.nextInt(2))
                                : new RuleValue(RuleValue.Type.INT, "" + random.nextInt(2)));
            }
        }
        String label = random.nextBoolean() || properties.isEmpty() ? "l" + random.nextInt(2) : null;
        String session = random.nextInt(3) == 0 ? "s" : null;
        return FilterLanguage.compileFilter(
                        new CorrelationRuleFilter(null, null, null, null, label, session, null, null, properties))
                .get();
    }

    private static Evaluation randomMessage(Random random) {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (int i = 0; i < 8; i++) {
            if (random.nextBoolean()) {
                properties.put("p" + i, random.nextBoolean() ? "v" + random.nextInt(2) : random.nextInt(2));
            }
            if (random.nextInt(20) == 0) {
                properties.put("P" + i, "v0");
            }
        }
        return Messages.with(properties, p -> {
            p.setSubject("l" + random.nextInt(2));
            p.setGroupId("s");
        });
    }
}
