package dev.jitney.core.filter;

import dev.jitney.core.filter.value.Value;
import dev.jitney.model.Rejection;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.SqlRuleAction;
import java.util.Map;

/** Shortcuts to compile and evaluate filters. Results are the letters of the reference: T, F, U, E, and X for refused. */
final class Filters {
    private Filters() {}

    static Compilation<CompiledFilter> compile(String sql) {
        return compile(sql, Map.of());
    }

    static Compilation<CompiledFilter> compile(String sql, Map<String, RuleValue> parameters) {
        return FilterLanguage.compileFilter(new SqlRuleFilter(sql, parameters));
    }

    /** Returns the result of a filter for a message. */
    static String result(String sql, Evaluation evaluation) {
        return result(sql, Map.of(), evaluation);
    }

    static String result(String sql, Map<String, RuleValue> parameters, Evaluation evaluation) {
        Compilation<CompiledFilter> compilation = compile(sql, parameters);
        return compilation.rejection() != null ? "X" : letter(compilation.get().evaluate(evaluation));
    }

    static String letter(Value value) {
        return switch (value.kind()) {
            case BOOLEAN -> value.isTrue() ? "T" : "F";
            case UNKNOWN -> "U";
            case ERROR -> "E";
            default -> throw new AssertionError("Expected the result of a condition, but got " + value);
        };
    }

    /** Returns the refusal of a text. */
    static String refusal(String sql) {
        Rejection rejection = compile(sql).rejection();
        if (rejection == null) {
            throw new AssertionError("Expected a refusal of: " + sql);
        }
        return rejection.description();
    }

    static CompiledAction action(String sql) {
        return FilterLanguage.compileAction(new SqlRuleAction(sql, Map.of())).get();
    }

    static String actionRefusal(String sql) {
        Rejection rejection =
                FilterLanguage.compileAction(new SqlRuleAction(sql, Map.of())).rejection();
        if (rejection == null) {
            throw new AssertionError("Expected a refusal of: " + sql);
        }
        return rejection.description();
    }
}
