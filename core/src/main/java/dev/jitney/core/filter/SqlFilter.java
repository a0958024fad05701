package dev.jitney.core.filter;

import dev.jitney.core.filter.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * A filter in the SQL-like language; true and false filters are its simplest forms.
 *
 * @param nodes operands and operators in the filter
 * @param bodyReads the tests of the body in the filter
 */
record SqlFilter(Node condition, int nodes, BodyReads bodyReads) implements CompiledFilter {
    /** The steps for one operand or operator, without the steps for long values. */
    static final int STEPS_PER_NODE = 8;

    private static final int STEPS = 32;

    @Override
    public Value judge(Evaluation evaluation) {
        StepBudget steps = evaluation.steps();
        steps.startRule();
        if (!steps.take(STEPS + (long) STEPS_PER_NODE * nodes)) {
            return steps.reason();
        }
        Value result = condition.evaluate(evaluation);
        return result == StepBudget.exceeded() ? steps.reason() : result;
    }

    @Override
    public Value evaluate(Evaluation evaluation) {
        return condition.evaluate(evaluation);
    }

    /** Returns the result if it is the same for every message; otherwise null. */
    @Nullable
    Value constant() {
        return condition instanceof Node.Constant known ? known.value() : null;
    }
}
