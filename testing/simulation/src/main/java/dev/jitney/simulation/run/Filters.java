package dev.jitney.simulation.run;

import dev.jitney.model.RuleFilter;
import dev.jitney.model.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.RuleFilter.FalseRuleFilter;
import dev.jitney.model.RuleFilter.SqlRuleFilter;
import dev.jitney.model.RuleFilter.TrueRuleFilter;
import dev.jitney.model.RuleValue;
import dev.jitney.simulation.Chance;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Filters of every kind, that go by the tags of messages. */
final class Filters {
    /** Labels that messages have and filters ask for. */
    static final int TAGS = 4;

    private Filters() {}

    /**
     * A filter.
     *
     * @param takes which tags it takes
     */
    record Made(RuleFilter filter, IntPredicate takes) {}

    static Made make(Chance chance) {
        int tag = chance.below(TAGS);
        return switch (chance.below(9)) {
            case 0, 1 -> new Made(correlation(label(tag), Map.of()), given -> given == tag);
            case 2 -> new Made(correlation(null, Map.of("n", number(tag))), given -> given == tag);
            case 3 ->
                new Made(
                        sql("n >= " + tag + " AND sys.label <> '" + label(2) + "'", Map.of()),
                        given -> given >= tag && given != 2);
            case 4 -> new Made(sql("n IN (0, " + tag + ")", Map.of()), given -> given == 0 || given == tag);
            case 5 -> new Made(sql("n < @most", Map.of("@most", number(tag))), given -> given < tag);
            case 6 -> new Made(new FalseRuleFilter(), given -> false);
            default -> new Made(TrueRuleFilter.INSTANCE, given -> true);
        };
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
