package dev.jitney.simulation.run;

import dev.jitney.model.rule.RuleFilter;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.FalseRuleFilter;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleFilter.TrueRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.model.entity.AskedRule.Verdict;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** A generator of filters of all kinds. They select messages by their tags. */
final class Filters {
    /** The number of different labels that messages have and filters select. */
    static final int TAGS = 4;

    private Filters() {}

    /**
     * A filter.
     *
     * @param says returns the verdict of the filter about a tag
     */
    record Made(RuleFilter filter, IntFunction<Verdict> says) {
        private static Made of(RuleFilter filter, IntPredicate takes) {
            return new Made(filter, tag -> Verdict.of(takes.test(tag)));
        }
    }

    static Made make(SeededRandom random) {
        int tag = random.below(TAGS);
        return switch (random.below(10)) {
            case 0, 1 -> Made.of(correlation(label(tag), Map.of()), given -> given == tag);
            case 2 -> Made.of(correlation(null, Map.of("n", number(tag))), given -> given == tag);
            case 3 ->
                Made.of(
                        sql("n >= " + tag + " AND sys.label <> '" + label(2) + "'", Map.of()),
                        given -> given >= tag && given != 2);
            case 4 -> Made.of(sql("n IN (0, " + tag + ")", Map.of()), given -> given == 0 || given == tag);
            case 5 -> Made.of(sql("n < @most", Map.of("@most", number(tag))), given -> given < tag);
            case 6 -> Made.of(new FalseRuleFilter(), given -> false);
            case 7 -> failing(tag);
            default -> Made.of(TrueRuleFilter.INSTANCE, given -> true);
        };
    }

    /**
     * Returns a filter that selects the tag after a given one. It fails for the given tag, because it divides by zero
     * (FILTER-16).
     */
    private static Made failing(int tag) {
        return new Made(
                sql("1 / (n - " + tag + ") = 1", Map.of()),
                given -> given == tag ? Verdict.FAILS : Verdict.of(given == tag + 1));
    }

    private static RuleFilter correlation(@Nullable String label, Map<String, RuleValue> properties) {
        return new CorrelationRuleFilter(null, null, null, null, label, null, null, null, properties);
    }

    private static RuleFilter sql(String expression, Map<String, RuleValue> parameters) {
        return new SqlRuleFilter(expression, parameters);
    }

    private static RuleValue number(int n) {
        return new RuleValue(RuleValue.Type.INT, String.valueOf(n));
    }

    static String label(int tag) {
        return "tag-" + tag;
    }
}
