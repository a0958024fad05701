package dev.jitney.core.filter;

import dev.jitney.core.filter.property.ChangedProperties;
import dev.jitney.core.filter.property.PropertyChange;
import dev.jitney.core.filter.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An action ready to be applied to copies of messages. Immutable; any thread may apply it.
 *
 * <p>Statements run in order and see what earlier ones did (RULE-10); the message that was judged stays as it is
 * (RULE-6).
 */
public final class CompiledAction {
    private static final int STEPS = 256;

    private final Statement[] statements;
    private final int nodes;

    /** @param nodes operands and operators in them */
    CompiledAction(List<Statement> statements, int nodes) {
        this.nodes = nodes;
        this.statements = statements.toArray(Statement[]::new);
    }

    /**
     * What becomes of a copy.
     *
     * @param changes what to change, each property at most once; empty after an error
     * @param error why there is no copy (FILTER-24), or null
     */
    public record Outcome(
            List<PropertyChange> changes, @Nullable EvaluationError error) {}

    /** Works out what the action does to the copy of a message. */
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
