package dev.jitney.core.filter;

import dev.jitney.core.filter.value.Value;

/**
 * The failure of a filter or action on a message (FILTER-24), with the texts for a dead-lettered copy (DLQ-15).
 *
 * @param reason name of the exception type that Service Bus reports
 * @param description the expected and the found value types, without the values of properties
 */
public record EvaluationError(String reason, String description) {
    /** The reason when a filter fails. */
    public static final String FILTER = "FilterException";

    /** The reason when an action fails. */
    public static final String ACTION = "RuleActionException";

    /** Returns the failure of a filter with this result. */
    public static EvaluationError ofFilter(Value error) {
        return new EvaluationError(FILTER, error.description());
    }

    static EvaluationError ofAction(Value error) {
        return new EvaluationError(ACTION, error.description());
    }
}
