package dev.jitney.core.filter;

import dev.jitney.core.filter.value.Value;

/** A compiled filter. Immutable; any thread may use it. */
public sealed interface CompiledFilter permits SqlFilter, CorrelationFilter {

    /** Returns the tests of the body in the filter. */
    default BodyReads bodyReads() {
        return BodyReads.NONE;
    }

    /**
     * Evaluates the filter for a message.
     *
     * @return true if the message matches; false or unknown if it does not (FILTER-7); an error if the evaluation failed
     *     (FILTER-24)
     */
    Value evaluate(Evaluation evaluation);

    /**
     * Evaluates the filter as one rule of its own, which takes steps for its length too.
     *
     * @return as {@link #evaluate}; an error if the budget has too few steps (FILTER-24)
     */
    Value judge(Evaluation evaluation);
}
