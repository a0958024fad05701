package dev.jitney.core.namespace;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.RuleDescription;
import dev.jitney.model.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.RuleFilter.SqlRuleFilter;
import org.jspecify.annotations.Nullable;

/** Judges rules of subscriptions as far as that needs no look into their expressions (HTTP reference 2.7, 5.2). */
public final class FilterRules {
    private static final int EXPRESSION_LENGTH_MAX = 1_024;

    private FilterRules() {}

    /** Judges a rule that is to be created or changed; null if it may be. */
    public static @Nullable Rejection refuse(RuleDescription rule) {
        Rejection refusal = EntityNames.refuseChildName(rule.name(), true);
        if (refusal == null && rule.filter() instanceof SqlRuleFilter sql) {
            refusal = expression("filter", sql.expression());
        }
        if (refusal == null && rule.filter() instanceof CorrelationRuleFilter correlation && correlation.isEmpty()) {
            refusal = new Rejection(
                    ErrorCode.ARGUMENT, "Expected at least one condition in a correlation filter, but got none.");
        }
        if (refusal == null && rule.action() != null) {
            refusal = expression("action", rule.action().expression());
        }
        return refusal;
    }

    private static @Nullable Rejection expression(String what, String text) {
        return text.isEmpty() || text.length() > EXPRESSION_LENGTH_MAX
                ? new Rejection(
                        ErrorCode.ARGUMENT,
                        "Expected an SQL " + what + " of 1 to " + EXPRESSION_LENGTH_MAX + " characters, but got "
                                + text.length() + ".")
                : null;
    }
}
