package dev.jitney.core.filter;

import dev.jitney.core.filter.value.Value;

/**
 * A filter or action that failed on a message (FILTER-24), in the words a dead-lettered copy carries (DLQ-15).
 *
 * @param reason name of the exception type that Service Bus reports
 * @param description what was expected and what was there, without the values of properties
 */
public record EvaluationError(String reason, String description) {
    /** The reason when a filter fails. */
    public static final String FILTER = "FilterException";

    /** The reason when an action fails. */
    public static final String ACTION = "RuleActionException";

    static EvaluationError ofFilter(Value error) {
        return new EvaluationError(FILTER, error.description());
    }

    static EvaluationError ofAction(Value error) {
        return new EvaluationError(ACTION, error.description());
    }
}
