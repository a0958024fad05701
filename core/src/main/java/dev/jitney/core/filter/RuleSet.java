package dev.jitney.core.filter;

import dev.jitney.core.filter.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The filters of all rules of a topic, which are evaluated together to find the rules that a message matches.
 *
 * <p>True filters and SQL filters are evaluated one after the other. Correlation filters are found by lookup, so that
 * 100,000 cost about as much as 20 (FILTER-28). Not thread-safe.
 *
 * @param <K> the key of a rule, for example subscription and name; with {@code equals} and {@code hashCode}
 */
public final class RuleSet<K> {
    private final Map<K, CompiledFilter> filters = new LinkedHashMap<>();
    private final Set<K> always = new LinkedHashSet<>();
    private final Map<K, SqlFilter> evaluated = new LinkedHashMap<>();
    private final CorrelationIndex<K> correlated = new CorrelationIndex<>();

    /**
     * The result for a message.
     *
     * @param matched the matching rules, in no particular order
     * @param failed the rules whose evaluation failed (FILTER-24)
     */
    public record Matches<K>(List<K> matched, List<Failure<K>> failed) {}

    /** A rule whose evaluation failed, with the error. */
    public record Failure<K>(K rule, EvaluationError error) {}

    /** Adds a rule, or replaces the filter of a rule. */
    public void put(K rule, CompiledFilter filter) {
        remove(rule);
        filters.put(rule, filter);
        if (filter instanceof CorrelationFilter correlation) {
            correlated.add(rule, correlation);
            return;
        }
        SqlFilter sql = (SqlFilter) filter;
        Value constant = sql.constant();
        if (constant == null || constant.isError()) {
            evaluated.put(rule, sql);
        } else if (constant.isTrue()) {
            always.add(rule);
        }
    }

    /** Removes a rule if it exists. */
    public void remove(K rule) {
        if (filters.remove(rule) instanceof CorrelationFilter correlation) {
            correlated.remove(rule, correlation);
        } else {
            always.remove(rule);
            evaluated.remove(rule);
        }
    }

    /** Returns the filter of a rule, or null if there is no such rule. */
    public @Nullable CompiledFilter filter(K rule) {
        return filters.get(rule);
    }

    /** Returns the number of rules. */
    public int size() {
        return filters.size();
    }

    /** Evaluates all rules for a message. The failure of one rule does not affect the others (DLQ-25). */
    public Matches<K> match(Evaluation evaluation) {
        List<K> matched = new ArrayList<>(always);
        List<Failure<K>> failed = new ArrayList<>(0);
        for (Map.Entry<K, SqlFilter> entry : evaluated.entrySet()) {
            Value result = entry.getValue().judge(evaluation);
            if (result.isTrue()) {
                matched.add(entry.getKey());
            } else if (result.isError()) {
                failed.add(new Failure<>(entry.getKey(), EvaluationError.ofFilter(result)));
            }
        }
        evaluation.steps().startLookUp();
        List<K> notFound = new ArrayList<>(0);
        correlated.match(evaluation, matched, notFound);
        EvaluationError exceeded = EvaluationError.ofFilter(StepBudget.exceeded());
        notFound.forEach(key -> failed.add(new Failure<>(key, exceeded)));
        return new Matches<>(matched, failed);
    }
}
