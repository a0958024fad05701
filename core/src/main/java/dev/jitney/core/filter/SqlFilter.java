package dev.jitney.core.filter;

import dev.jitney.core.filter.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * A filter in the SQL-like language; true and false filters are the shortest ones.
 *
 * @param nodes operands and operators in it
 */
record SqlFilter(Node condition, int nodes) implements CompiledFilter {
    /** Steps that one operand or operator takes, beside what long values take. */
    static final int STEPS_PER_NODE = 8;

    private static final int STEPS = 32;

    /** Judges a message as one of its rules. */
    Value judge(Evaluation evaluation) {
        StepBudget steps = evaluation.steps();
        steps.startRule();
        if (!steps.take(STEPS + (long) STEPS_PER_NODE * nodes)) {
            return StepBudget.exceeded();
        }
        return condition.evaluate(evaluation);
    }

    @Override
    public Value evaluate(Evaluation evaluation) {
        return condition.evaluate(evaluation);
    }

    /** What it gives for every message, if it looks at none; otherwise null. */
    @Nullable
    Value constant() {
        return condition instanceof Node.Constant known ? known.value() : null;
    }
}
