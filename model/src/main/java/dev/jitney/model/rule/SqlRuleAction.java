package dev.jitney.model.rule;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Statements that change the copy of a message that matches the filter of a rule (RULE).
 *
 * @param expression at most 1,024 characters
 * @param parameters values for names in the expression, in the given order
 */
public record SqlRuleAction(String expression, Map<String, RuleValue> parameters) {
    public SqlRuleAction {
        Objects.requireNonNull(expression, "expression");
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }
}
