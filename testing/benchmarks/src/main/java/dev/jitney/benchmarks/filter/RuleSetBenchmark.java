package dev.jitney.benchmarks.filter;

import dev.jitney.core.filter.Evaluation;
import dev.jitney.core.filter.FilterLanguage;
import dev.jitney.core.filter.RuleSet;
import dev.jitney.model.rule.RuleFilter;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleValue;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of matching a message, none of whose properties have been decoded, against all rules of a topic. One rule
 * matches (FILTER-28).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RuleSetBenchmark {

    @Param({"20", "2000", "100000"})
    private int rules;

    private final SampleMessage message = new SampleMessage("tenant-1");
    private final Evaluation read = message.unread();
    private final RuleSet<Integer> correlated = new RuleSet<>();
    private final RuleSet<Integer> mixed = new RuleSet<>();
    private final RuleSet<Integer> sql = new RuleSet<>();

    @Setup(Level.Trial)
    public void addRules() {
        for (int i = 0; i < rules; i++) {
            RuleValue tenant = RuleValue.ofString("tenant-" + i);
            add(correlated, i, correlation("order-created", Map.of("tenant", tenant)));
            add(
                    mixed,
                    i,
                    switch (i % 4) {
                        case 0 -> correlation(null, Map.of("tenant", RuleValue.ofString("tenant-" + i / 4 + "x")));
                        case 1 -> correlation("order-created", Map.of("tenant", tenant));
                        case 2 -> correlation(null, Map.of("customer", tenant, "color", RuleValue.ofString("red")));
                        default -> correlation("label-" + i, Map.of());
                    });
            if (i < 2_000) {
                add(sql, i, new SqlRuleFilter("tenant = 'tenant-" + i + "' AND quantity > 10", Map.of()));
            }
        }
    }

    private static RuleFilter correlation(@Nullable String label, Map<String, RuleValue> properties) {
        return new CorrelationRuleFilter(null, null, null, null, label, null, null, null, properties);
    }

    private static void add(RuleSet<Integer> set, int rule, RuleFilter filter) {
        set.put(rule, FilterLanguage.compileFilter(filter).get());
    }

    /** Matches correlation filters on the label and one property. */
    @Benchmark
    public RuleSet.Matches<Integer> correlationFilters() {
        return correlated.match(message.unread());
    }

    /** Matches the same filters on a message whose properties are already decoded: the look-up alone. */
    @Benchmark
    public RuleSet.Matches<Integer> correlationFiltersOnReadMessage() {
        return correlated.match(read);
    }

    /** Matches correlation filters of four shapes. */
    @Benchmark
    public RuleSet.Matches<Integer> correlationFiltersOfFourShapes() {
        return mixed.match(message.unread());
    }

    /** Evaluates SQL filters one after the other. A topic has at most 2,000 of them. */
    @Benchmark
    public RuleSet.Matches<Integer> sqlFilters() {
        return sql.match(message.unread());
    }
}
