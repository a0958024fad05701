package dev.jitney.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.rule.RuleFilter;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.SqlRuleAction;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Steps: the limit of the work of all rules of a topic for one message")
final class StepBudgetTest {
    private static final long MOST = StepBudget.RESERVED_STEPS + StepBudget.SHARED_STEPS + StepBudget.LOOK_UP_STEPS;
    private static final String LONG = "a".repeat(30_000);

    private static final Map<String, Object> HOSTILE = Map.of(
            "p", LONG,
            "q", "a".repeat(30_000),
            "d", Decimal128s.encode(new BigDecimal("9.87654321E6000")),
            "e", Decimal128s.encode(new BigDecimal("7.1234567E-6000")));

    private static CompiledFilter sql(String text) {
        return FilterLanguage.compileFilter(new SqlRuleFilter(text, Map.of())).get();
    }

    private static RuleFilter equal(Map<String, RuleValue> properties) {
        return new CorrelationRuleFilter(null, null, null, null, null, null, null, null, properties);
    }

    @Test
    @DisplayName("FILTER-24: expensive rules fail after the steps are used up; cheap rules never fail")
    void cheapRulesDoNotFail() {
        RuleSet<String> rules = new RuleSet<>();
        String costly = "p LIKE '%" + "a".repeat(900) + "_b%'";
        for (int i = 0; i < 1_000; i++) {
            rules.put("costly " + i, sql(costly));
            rules.put("cheap " + i, sql("color = 'red' AND p LIKE 'aaa%' AND q LIKE '%ab%' OR n > " + i));
        }
        rules.put(
                "equal",
                FilterLanguage.compileFilter(equal(Map.of("color", RuleValue.ofString("red"))))
                        .get());
        Map<String, Object> properties = new HashMap<>(HOSTILE);
        properties.put("color", "red");
        properties.put("n", 1_000_000);
        Evaluation evaluation = Messages.with(properties);

        RuleSet.Matches<String> matches = rules.match(evaluation);

        assertThat(matches.matched()).hasSize(1_001).contains("cheap 0", "cheap 999", "equal");
        assertThat(matches.failed()).hasSize(1_000).allSatisfy(failure -> {
            assertThat(failure.rule()).startsWith("costly");
            assertThat(failure.error().reason()).isEqualTo(EvaluationError.FILTER);
            assertThat(failure.error().description()).contains("steps");
        });
        assertThat(evaluation.steps().used()).isLessThanOrEqualTo(MOST);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "p LIKE '%aaaaaaaaaaaaaaaaa_b%'",
                "p LIKE '%aaaab%aaaab%' OR p LIKE '%aaaac%' OR p LIKE '%aab%' OR p LIKE '%aac%' OR p LIKE '%aad%'",
                "p LIKE q OR q LIKE p",
                "p <> q OR p <> q OR p <> q OR p <> q OR p <> q OR p <> q OR p <> q OR p <> q OR p < q OR p < q OR p > q",
                "p IN (q + 'b', q + 'c', q + 'd', q + 'e', q + 'f', q + 'g')",
                "p(p) = 1 OR p(q) = 1",
                "d % e = 1 OR d % e = 2",
                "d % 7 = 8 OR d % 6 = 7",
                "d * d / e % e = 1",
            })
    @DisplayName("FILTER-24: 2,000 expensive rules of any kind fail on one message when the steps are used up")
    void everyKindOfWorkCounts(String text) {
        RuleSet<Integer> rules = new RuleSet<>();
        for (int i = 0; i < 2_000; i++) {
            rules.put(i, sql(text));
        }
        Evaluation evaluation = Messages.with(HOSTILE);
        RuleSet.Matches<Integer> first = rules.match(evaluation);
        assertThat(evaluation.steps().used()).isLessThanOrEqualTo(MOST);
        assertThat(first.failed()).isNotEmpty();
        assertThat(rules.match(Messages.with(HOSTILE)).failed())
                .as("the same again, independent of the clock")
                .hasSameSizeAs(first.failed());
    }

    @Test
    @DisplayName("RULE-12: 2,000 of the longest texts evaluate a message without failing")
    void longestTexts() {
        StringBuilder text = new StringBuilder("n=0");
        while (text.length() < 1_015) {
            text.append(" OR n=0");
        }
        RuleSet<Integer> rules = new RuleSet<>();
        for (int i = 0; i < 2_000; i++) {
            rules.put(i, sql(text.toString()));
        }
        RuleSet.Matches<Integer> matches = rules.match(Messages.with(Map.of("n", 0)));
        assertThat(matches.failed()).isEmpty();
        assertThat(matches.matched()).hasSize(2_000);
    }

    @Test
    @DisplayName("FILTER-28: very many correlation filters on different properties exceed the steps; few do not")
    void correlationFilters() {
        Map<String, Object> properties = new HashMap<>();
        for (int i = 0; i < 300; i++) {
            properties.put("x" + i, "a".repeat(100));
        }
        RuleSet<Integer> rules = new RuleSet<>();
        List<RuleFilter> filters = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            for (int j = i + 1; j < 300 && filters.size() < 40_000; j++) {
                RuleValue other = RuleValue.ofString("b");
                filters.add(equal(Map.of("x" + i, other, "x" + j, other)));
            }
        }
        for (int i = 0; i < filters.size(); i++) {
            rules.put(i, FilterLanguage.compileFilter(filters.get(i)).get());
        }
        Evaluation fits = Messages.with(properties);
        assertThat(rules.match(fits).failed()).isEmpty();

        properties.replaceAll((name, value) -> "a".repeat(10_000));
        Evaluation exceeds = Messages.with(properties);
        RuleSet.Matches<Integer> matches = rules.match(exceeds);
        assertThat(matches.failed()).isNotEmpty();
        assertThat(matches.failed()).extracting(RuleSet.Failure::rule).doesNotHaveDuplicates();
        assertThat(exceeds.steps().used()).isLessThanOrEqualTo(MOST);
    }

    @Test
    @DisplayName("RULE-10: actions also take steps, and cheap ones continue after expensive ones fail")
    void actions() {
        CompiledAction costly = action("SET x = p + '!'; SET x = q + '!'; SET x = p + '?'; SET x = q + '?'");
        CompiledAction cheap = action("SET x = 1; REMOVE p");
        Evaluation evaluation = Messages.with(HOSTILE);
        int failed = 0;
        for (int i = 0; i < 1_000; i++) {
            failed += costly.apply(evaluation).error() == null ? 0 : 1;
            assertThat(cheap.apply(evaluation).error()).isNull();
        }
        assertThat(failed).isPositive();
        assertThat(costly.apply(evaluation).error().reason()).isEqualTo(EvaluationError.ACTION);
        assertThat(evaluation.steps().used()).isLessThanOrEqualTo(MOST);
    }

    private static CompiledAction action(String text) {
        return FilterLanguage.compileAction(new SqlRuleAction(text, Map.of())).get();
    }
}
