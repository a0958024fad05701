package dev.jitney.benchmarks.filter;

import dev.jitney.core.filter.CompiledFilter;
import dev.jitney.core.filter.Evaluation;
import dev.jitney.core.filter.FilterLanguage;
import dev.jitney.core.filter.value.Value;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of one SQL filter on one message: for the first filter that reads its properties, and for later ones. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SqlFilterBenchmark {
    private static final String LONGEST = "color IN ('green', 'blue', 'red') AND (quantity * price > 100 OR urgent)"
            + " AND region LIKE 'eu-%' AND sys.Label = 'order-created' AND missing IS NULL";

    private final SampleMessage message = new SampleMessage("tenant-1");
    private final Evaluation read = message.unread();
    private final CompiledFilter typical = compile("color = 'red' AND quantity > 10");
    private final CompiledFilter longest = compile(LONGEST);
    private final CompiledFilter failing = compile("color > 10");

    private static CompiledFilter compile(String text) {
        return FilterLanguage.compileFilter(new SqlRuleFilter(text, Map.of())).get();
    }

    /** Evaluates two comparisons, which find and decode their properties. */
    @Benchmark
    public Value twoComparisonsOnUnreadMessage() {
        return typical.evaluate(message.unread());
    }

    /** Evaluates two comparisons on a message whose properties another filter has decoded. */
    @Benchmark
    public Value twoComparisons() {
        return typical.evaluate(read);
    }

    @Benchmark
    public Value everythingOnUnreadMessage() {
        return longest.evaluate(message.unread());
    }

    /** Evaluates a filter that fails on every message. The error is a value. */
    @Benchmark
    public Value failure() {
        return failing.evaluate(read);
    }

    /** Compiles the filter of a new rule. */
    @Benchmark
    public CompiledFilter compileTypical() {
        return compile("color = 'red' AND quantity > 10");
    }
}
