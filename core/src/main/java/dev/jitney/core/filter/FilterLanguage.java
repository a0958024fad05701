package dev.jitney.core.filter;

import dev.jitney.core.filter.value.Value;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.FalseRuleFilter;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.SqlRuleAction;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The compiler of filters and actions. It finds every error in a text, so that none appears later (FILTER-2). */
public final class FilterLanguage {

    private FilterLanguage() {}

    /** Compiles a filter, or refuses it with {@link ErrorCode#ARGUMENT} and a position in its text. */
    public static Compilation<CompiledFilter> compileFilter(RuleFilter filter) {
        return compileFilter(filter, SyntaxLimits.SERVICE);
    }

    static Compilation<CompiledFilter> compileFilter(RuleFilter filter, SyntaxLimits limits) {
        return compile(() -> {
            if (filter instanceof SqlRuleFilter sql) {
                return sqlFilter(new SqlText("filter", limits), sql.expression(), sql.parameters(), limits);
            }
            if (filter instanceof CorrelationRuleFilter correlation) {
                return CorrelationFilter.of(correlation);
            }
            return new SqlFilter(new Node.Constant(Value.of(!(filter instanceof FalseRuleFilter))), 1, BodyReads.NONE);
        });
    }

    /**
     * Compiles the filter of a search, which may also read the body, or refuses it with {@link ErrorCode#ARGUMENT} and a
     * position in its text.
     */
    public static Compilation<CompiledFilter> compileSearch(String condition) {
        SyntaxLimits limits = SyntaxLimits.SERVICE;
        return compile(() -> sqlFilter(SqlText.ofSearch(limits), condition, Map.of(), limits));
    }

    private static SqlFilter sqlFilter(
            SqlText text, String expression, Map<String, RuleValue> parameters, SyntaxLimits limits) {
        SqlCompiler compiler = new SqlCompiler(text, limits, new Parameters(parameters));
        Node condition =
                compiler.condition(text.parse(expression, SqlRuleParser::filter).condition(), 1);
        return new SqlFilter(condition, compiler.nodes(), text.bodyReads());
    }

    /** Compiles an action, or refuses it with {@link ErrorCode#ARGUMENT} and a position in its text. */
    public static Compilation<CompiledAction> compileAction(SqlRuleAction action) {
        return compileAction(action, SyntaxLimits.SERVICE);
    }

    static Compilation<CompiledAction> compileAction(SqlRuleAction action, SyntaxLimits limits) {
        return compile(() -> {
            SqlText text = new SqlText("action", limits);
            Parameters parameters = new Parameters(action.parameters());
            return new ActionCompiler(text, limits, parameters)
                    .compile(text.parse(action.expression(), SqlRuleParser::action));
        });
    }

    /** Checks filter and action of a rule. Returns null if both can be compiled. */
    public static @Nullable Rejection refuse(RuleDescription rule) {
        Rejection refusal = compileFilter(rule.filter()).rejection();
        return refusal == null && rule.action() != null
                ? compileAction(rule.action()).rejection()
                : refusal;
    }

    private static <T> Compilation<T> compile(Supplier<? extends T> compiler) {
        try {
            return Compilation.of(compiler.get());
        } catch (SyntaxException mistake) {
            return Compilation.refused(new Rejection(ErrorCode.ARGUMENT, mistake.sentence()));
        }
    }
}
