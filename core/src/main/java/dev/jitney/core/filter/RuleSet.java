package dev.jitney.core.filter;

import dev.jitney.core.filter.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The filters of all rules of a topic, asked together which of them a message matches.
 *
 * <p>Filters that take everything and SQL filters cost what they cost, one after the other; correlation filters are
 * looked up, so that 100,000 cost about as much as 20 (FILTER-28). One thread at a time.
 *
 * @param <K> what stands for a rule, for example subscription and name; with {@code equals} and {@code hashCode}
 */
public final class RuleSet<K> {
    private final Map<K, CompiledFilter> filters = new LinkedHashMap<>();
    private final Set<K> always = new LinkedHashSet<>();
    private final Map<K, SqlFilter> evaluated = new LinkedHashMap<>();
    private final CorrelationIndex<K> correlated = new CorrelationIndex<>();

    /**
     * What became of a message.
     *
     * @param matched the rules it matches, in no order to rely on
     * @param failed the rules that could not judge it (FILTER-24)
     */
    public record Matches<K>(List<K> matched, List<Failure<K>> failed) {}

    /** A rule that could not judge a message, and why. */
    public record Failure<K>(K rule, EvaluationError error) {}

    /** Adds a rule, or gives it another filter. */
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

    /** Removes a rule if it is there. */
    public void remove(K rule) {
        if (filters.remove(rule) instanceof CorrelationFilter correlation) {
            correlated.remove(rule, correlation);
        } else {
            always.remove(rule);
            evaluated.remove(rule);
        }
    }

    /** Number of rules. */
    public int size() {
        return filters.size();
    }

    /** Judges a message by all rules. A rule that fails leaves the others alone (DLQ-25). */
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
