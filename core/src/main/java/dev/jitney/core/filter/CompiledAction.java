package dev.jitney.core.filter;

import dev.jitney.core.filter.property.ChangedProperties;
import dev.jitney.core.filter.property.PropertyChange;
import dev.jitney.core.filter.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A compiled action for copies of messages. Immutable; any thread may apply it.
 *
 * <p>Statements run in order and see the changes of earlier ones (RULE-10). The original message stays unchanged
 * (RULE-6).
 */
public final class CompiledAction {
    private static final int STEPS = 256;

    private final Statement[] statements;
    private final int nodes;

    /**
     * Creates an action.
     *
     * @param nodes operands and operators of the statements
     */
    CompiledAction(List<Statement> statements, int nodes) {
        this.nodes = nodes;
        this.statements = statements.toArray(Statement[]::new);
    }

    /**
     * The result for a copy.
     *
     * @param changes the changes, each property at most once; empty after an error
     * @param error the reason why there is no copy (FILTER-24), or null
     */
    public record Outcome(
            List<PropertyChange> changes, @Nullable EvaluationError error) {}

    /** Computes the changes of the action for the copy of a message. */
    public Outcome apply(Evaluation evaluation) {
        ChangedProperties copy = new ChangedProperties(evaluation.message());
        StepBudget steps = evaluation.steps();
        steps.startRule();
        if (!steps.take(STEPS + (long) SqlFilter.STEPS_PER_NODE * nodes)) {
            return new Outcome(List.of(), EvaluationError.ofAction(StepBudget.exceeded()));
        }
        Evaluation onCopy = new Evaluation(copy, evaluation.newIds(), steps);
        for (Statement statement : statements) {
            Value result = statement.run(onCopy, copy);
            if (result.isError()) {
                return new Outcome(List.of(), EvaluationError.ofAction(result));
            }
        }
        return new Outcome(copy.changes(), null);
    }
}
